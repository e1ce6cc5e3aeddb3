/**
 * The conditions of partial-order reduction, on real successors.
 *
 * In a state in which a process may be explored alone: no property sees its steps; after any steps of the others, exactly the
 * same statements of the process are executable; and each of them commutes with each statement of the others: both orders are
 * possible and lead to the same states, and no fault occurs only in the unexplored order. The same is checked in a few states
 * to which the others lead.
 *
 * Not tested here: that no step is postponed forever, which the search ensures.
 */
import type { Move, Taken, Words } from "../../../model/index.js";
import { chosen, isEqual, isSame, seedOf, type Outcome, type Runs } from "./runs.js";

/** Number of steps of the others to follow. */
const DEPTH = 2;

/**
 * The condition that the process violates in the state; undefined: none. `isLeftOut`: faults after which the reduction is
 * abandoned. Steps with such faults must only stay possible and show the fault.
 */
export function whyNotAlone(
  runs: Runs,
  state: Words,
  agent: number,
  isLeftOut: (fault: number) => boolean,
): string | undefined {
  const test = new Test(runs, agent, isLeftOut);
  let here = state;
  for (let depth = 0; depth < DEPTH; depth++) {
    const why = test.in(here);
    if (why !== undefined) return why;
    const ways = test.waysOn(here);
    const next = chosen(ways, here, depth);
    if (!next) return undefined;
    here = next;
  }
  return undefined;
}

class Test {
  readonly #runs: Runs;
  readonly #agent: number;
  readonly #isLeftOut: (fault: number) => boolean;

  constructor(runs: Runs, agent: number, isLeftOut: (fault: number) => boolean) {
    this.#runs = runs;
    this.#agent = agent;
    this.#isLeftOut = isLeftOut;
  }

  in(state: Words): string | undefined {
    const own = this.#own(state);
    for (const step of own) {
      const why = this.#whySeen(state, step);
      if (why !== undefined) return why;
    }
    const others = this.#others(state);
    // If there are too many to examine, not always the same come first.
    const first = (seedOf(state) >>> 8) % Math.max(1, others.length);
    for (const other of [...others.slice(first), ...others.slice(0, first)]) {
      const why = this.#whyDependent(state, own, other);
      if (why !== undefined) return why;
    }
    return undefined;
  }

  /** Targets of the others. */
  waysOn(state: Words): readonly Words[] {
    const outcomes = this.#others(state).map((other) => this.#runs.outcome(state, other));
    return outcomes.filter((outcome) => !this.#isOut(outcome)).flatMap(({ ends }) => ends);
  }

  #own(state: Words): readonly Taken[] {
    return this.#runs.moves(state).filter(({ process }) => process === this.#agent);
  }

  #others(state: Words): readonly Taken[] {
    return this.#runs.moves(state).filter(({ process }) => process !== this.#agent);
  }

  #isOut({ faults }: Outcome): boolean {
    return [...faults].some(this.#isLeftOut);
  }

  #whySeen(state: Words, step: Move): string | undefined {
    const { steps } = this.#runs;
    const before = steps.observe(state);
    const isSeen = this.#runs.outcome(state, step).ends.some((end) => steps.observe(end) !== before);
    return isSeen ? `${this.#text(state, step)} changes a value that a property observes` : undefined;
  }

  #whyDependent(state: Words, own: readonly Taken[], other: Move): string | undefined {
    const outcome = this.#runs.outcome(state, other);
    for (const end of this.#isOut(outcome) ? [] : outcome.ends) {
      const after = this.#own(end);
      if (after.length !== own.length || !own.every((step) => after.some((same) => isSame(step, same))))
        return `${this.#text(state, other)} changes which statements the process can execute`;
    }
    for (const step of own) {
      const why = this.#whyOrdered(state, step, other);
      if (why !== undefined) return `${this.#text(state, step)} and ${this.#text(state, other)}: ${why}`;
    }
    return undefined;
  }

  /** Both orders of the two. */
  #whyOrdered(state: Words, step: Move, other: Move): string | undefined {
    const first = this.#runs.outcome(state, step);
    if (this.#isOut(first)) return undefined;
    const second = this.#runs.outcome(state, other);
    const otherLater = first.ends.map((end) => this.#runs.outcome(end, other));
    const isGivenUp = this.#isOut(second);
    const stepLater = isGivenUp ? [] : second.ends.map((end) => this.#runs.outcome(end, step));
    if (![...otherLater, ...stepLater].every(({ isPossible }) => isPossible)) return "one disables the other";
    // The search explores the step, then the other: faults of the unexplored order must occur there. A step that fails leads
    // nowhere, and is never explored alone.
    const explored = faultsOf([first, ...otherLater]);
    const isFailing = first.ends.length === 0;
    const putOff = faultsOf(isFailing ? stepLater : [second, ...stepLater]);
    if (![...putOff].every((fault) => explored.has(fault))) return "faults depend on their order";
    return isGivenUp || isEqual(this.#keys(otherLater), this.#keys(stepLater))
      ? undefined
      : "the states they lead to depend on their order";
  }

  #keys(outcomes: readonly Outcome[]): ReadonlySet<string> {
    return new Set(outcomes.flatMap(({ ends }) => ends.map((end) => this.#runs.key(end))));
  }

  #text(state: Words, move: Move): string {
    return this.#runs.text(state, move);
  }
}

const faultsOf = (outcomes: readonly Outcome[]): ReadonlySet<number> =>
  new Set(outcomes.flatMap(({ faults }) => [...faults]));
