/**
 * Degeneralisation: presents a graph with `n` conditions as one with a single condition and at most `n` times the states, for
 * algorithms limited to one condition. Built on the fly.
 *
 * State `q * n + level`: the run waits for condition `level`. An arc is accepting when the last condition is met; then the
 * next round begins, with the arc's marks for the conditions before the level it started from.
 */
import { Arcs, type AcceptanceGraph } from "../../../model/index.js";
import type { Lasso, RunStep } from "./lasso.js";

export class Degeneralised implements AcceptanceGraph {
  readonly conditions = 1;
  readonly initial: number;
  readonly #base: AcceptanceGraph;
  readonly #levels: number;
  readonly #arcs = new Arcs();

  constructor(base: AcceptanceGraph) {
    this.#base = base;
    this.#levels = Math.max(1, base.conditions);
    this.initial = base.initial * this.#levels;
  }

  successors(state: number, out: Arcs): void {
    out.count = 0;
    const level = state % this.#levels;
    this.#base.successors((state - level) / this.#levels, this.#arcs);
    for (let i = 0; i < this.#arcs.count; i++) {
      const target = this.#arcs.targets[i];
      const next = this.#advance(level, this.#arcs.marks[i]);
      addOnce(out, target * this.#levels + (next & LEVEL_BITS), next >>> LEVEL_SHIFT);
    }
  }

  /** The same run in the graph that was degeneralised. */
  project({ prefix, cycle }: Lasso): Lasso {
    const steps = [...prefix, ...cycle];
    const projected = steps.map((step, i) => this.#projectStep(step, (steps[i + 1] ?? cycle[0]).state));
    return { prefix: projected.slice(0, prefix.length), cycle: projected.slice(prefix.length) };
  }

  /** The state of the graph that was degeneralised. */
  baseState(state: number): number {
    return Math.floor(state / this.#levels);
  }

  #projectStep({ state, marks }: RunStep, next: number): RunStep {
    const level = state % this.#levels;
    this.#base.successors(this.baseState(state), this.#arcs);
    for (let i = 0; i < this.#arcs.count; i++) {
      const target = this.#arcs.targets[i];
      const reached = this.#advance(level, this.#arcs.marks[i]);
      if (target * this.#levels + (reached & LEVEL_BITS) === next && reached >>> LEVEL_SHIFT === marks)
        return { state: this.baseState(state), marks: this.#arcs.marks[i] };
    }
    throw new Error("a degeneralised arc comes from no arc");
  }

  /** The next level, and above `LEVEL_SHIFT` whether the arc is accepting. */
  #advance(level: number, marks: number): number {
    const n = this.#base.conditions;
    let next = level;
    // sound: test/engines/emptiness/answers.test.ts
    while (next < n && (marks & (1 << next)) !== 0) next++;
    // sound: test/engines/emptiness/answers.test.ts
    if (next < n) return next;
    next = 0;
    // sound: test/engines/emptiness/answers.test.ts
    while (next < level && (marks & (1 << next)) !== 0) next++;
    return next | (1 << LEVEL_SHIFT);
  }
}

function addOnce(out: Arcs, target: number, marks: number): void {
  // sound: test/engines/emptiness/answers.test.ts
  for (let i = 0; i < out.count; i++) if (out.targets[i] === target && out.marks[i] === marks) return;
  out.add(target, marks);
}

const LEVEL_SHIFT = 8;
const LEVEL_BITS = (1 << LEVEL_SHIFT) - 1;
