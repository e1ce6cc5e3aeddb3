/**
 * The conditions of partial order among rules, tested in single states on real successors: instances explored alone commute
 * with all other enabled ones, and change no checked condition. Uses nothing of the analysis that proposed them.
 */
import {
  Successors,
  type BrokenCondition,
  type Candidates,
  type Explainer,
  type System,
  type Words,
} from "../../../model/index.js";
import { nth } from "../../../model/known.js";

export interface OrderSubject {
  /** Labels its steps with the numbers of rule instances. */
  readonly numbered: System;
  readonly candidates: Candidates;
  readonly steps: Explainer;
  /** The values of all checked conditions in a state, as text. */
  seen(state: Words): string;
}

/** `state`: a searched state. */
export function testOrder(subject: OrderSubject, state: Words): BrokenCondition | undefined {
  const condition = new Test(subject).whyDifferent(state);
  return condition === undefined
    ? undefined
    : { reduction: "por", condition, shown: subject.steps.snapshot(state, 0), processes: [] };
}

interface Move {
  readonly instance: number;
  readonly next: Words;
  readonly isDead: boolean;
}

class Test {
  readonly #subject: OrderSubject;
  readonly #seeds = new Int32Array(64);

  constructor(subject: OrderSubject) {
    this.#subject = subject;
  }

  whyDifferent(state: Words): string | undefined {
    const { candidates, seen } = this.#subject;
    const count = candidates.propose(state, 0, this.#seeds);
    if (count === 0) return undefined;
    const all = this.#moves(state);
    const out = new Successors(state.length);
    candidates.successorsOf(nth(this.#seeds, 0), state, 0, out);
    const offered = new Set(out.labels.subarray(0, out.count));
    const [alone, others] = [
      all.filter((m) => offered.has(m.instance)),
      all.filter((m) => !offered.has(m.instance)),
    ];
    for (const a of alone) {
      if (seen(a.next) !== seen(state))
        return `rule instance ${a.instance} changes a part that a property reads`;
      for (const b of others) {
        if (b.isDead || a.isDead) return `rule instance ${b.instance} fails, and is postponed`;
        const [after, before] = [this.#after(a.next, b.instance), this.#after(b.next, a.instance)];
        if (!after.some((next) => before.includes(next)))
          return `rule instances ${a.instance} and ${b.instance} do not commute`;
      }
    }
    return undefined;
  }

  #after(state: Words, instance: number): string[] {
    return this.#moves(state)
      .filter((move) => move.instance === instance && !move.isDead)
      .map(({ next }) => next.join());
  }

  #moves(state: Words): Move[] {
    const out = new Successors(state.length);
    this.#subject.numbered.successors(state, 0, out);
    return Array.from({ length: out.count }, (_, i) => ({
      instance: nth(out.labels, i),
      next: out.stateAt(i),
      isDead: out.isDead(i),
    }));
  }
}
