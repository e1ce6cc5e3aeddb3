/**
 * Partial-order reduction in the search, beside the candidates that the system proposes.
 *
 * A candidate is an agent whose steps may be explored instead of all steps, if that does not postpone the others forever.
 * The *proviso* ensures it, by the states that the candidate leads to:
 *
 * - `queue` (breadth-first): one of them is still to be expanded;
 * - `stack` (depth-first): one of them is not on the stack;
 * - `none`: no condition; enough for deadlocks, and for nothing else.
 *
 * Always true: a rejected candidate leaves nothing behind but known states, or states that are explored anyway.
 */
import type { PartialOrderStats, Successors, System, Words } from "../../model/index.js";
import type { Visited } from "./loop-code.js";
import type { StepBackend } from "./step-backend.js";

export type Proviso = "queue" | "stack" | "none";

export class Reduction<P extends string = Proviso> {
  readonly proviso: P;
  /** The candidates of the state that is being expanded. */
  readonly agents: Int32Array;
  reduced = 0;
  fullByProviso = 0;
  rejected = 0;

  constructor(proviso: P, agents: Int32Array = new Int32Array(MOST_AGENTS)) {
    this.proviso = proviso;
    this.agents = agents;
  }

  stats(): PartialOrderStats {
    const { proviso, reduced, fullByProviso, rejected } = this;
    return { proviso, reduced, fullByProviso, rejected };
  }
}

/** Undefined without reduction: no candidates, or a store that cannot identify the state it has found. */
export function newReduction(
  { candidates }: System,
  store: Visited,
  proviso: Proviso | undefined,
  backend?: StepBackend,
): Reduction | undefined {
  // sound: test/engines/explicit/provisos.test.ts
  const isPossible = candidates !== undefined && store.code().foundId !== undefined;
  return proviso !== undefined && isPossible
    ? new Reduction(proviso, backend?.array(MOST_AGENTS))
    : undefined;
}

/**
 * Reduction of a breadth-first search. A batch is expanded by each state's first candidate; while it is entered, `ahead` counts the
 * successors that are still to be expanded. If the proviso rejects a candidate, entering pauses, and the state is expanded again by the
 * next one or fully, so that the result is the same as state by state.
 */
export class BatchReduction {
  readonly counts: Reduction<Proviso | "next-level">;
  /** By state of the batch: the candidate that expanded it, from 1 on, or 0 if full; and the number of entries ahead. */
  readonly attempts: Int32Array;
  readonly ahead: Int32Array;
  readonly #needsAhead: boolean;

  constructor(
    counts: Reduction<Proviso | "next-level">,
    sources: number,
    allocate = (length: number): Int32Array => new Int32Array(length),
  ) {
    const { proviso } = counts;
    if (proviso === "stack") throw new Error(`the proviso '${proviso}' is none of breadth-first search`);
    this.counts = counts;
    this.attempts = allocate(sources);
    this.ahead = allocate(sources);
    this.#needsAhead = proviso !== "none"; // sound: test/engines/explicit/provisos.test.ts
  }

  /** Text: functions for the head of the loops, and is the known state `id` still to be expanded? It is if it has a higher number. */
  readonly head: string = "";
  isAhead(id: string): string {
    return `${id} > head + origin`; // sound: test/engines/explicit/provisos.test.ts
  }

  /** Text for a state of the batch whose entries are all in: pauses if its candidate is rejected, so that states keep their order. */
  get onOrigin(): string {
    const met = this.#needsAhead ? "ahead[origin]" : "ends[origin] - (origin > 0 ? ends[origin - 1] : 0)";
    return `if (attempts[origin] !== 0 && ${met} === 0) break next;`;
  }

  /** All entries of state `i` of the batch are in: is its candidate rejected? To be called once. */
  isRejected(i: number, ends: Int32Array): boolean {
    // sound: test/engines/explicit/provisos.test.ts
    if (this.attempts[i] === 0) return false;
    const total = ends[i]! - (i > 0 ? ends[i - 1]! : 0);
    // sound: test/engines/explicit/provisos.test.ts
    if ((this.#needsAhead ? this.ahead[i]! : total) > 0) {
      this.counts.reduced++;
      return false;
    }
    if (total > 0) this.counts.rejected++;
    return true;
  }

  /** Expands a state by the first candidate after the `tried` ones that can move, or fully; which candidate, or 0. */
  expandAgain(system: System, words: Words, tried: number, out: Successors): number {
    const { agents } = this.counts;
    const candidates = system.candidates!;
    const proposed = candidates.propose(words, 0, agents);
    let attempt = tried;
    out.clear();
    // sound: test/engines/explicit/provisos.test.ts
    while (attempt < proposed && out.count === 0) candidates.successorsOf(agents[attempt++]!, words, 0, out);
    if (out.count > 0) return attempt;
    this.counts.fullByProviso++;
    system.successors(words, 0, out);
    return 0;
  }
}

/** Expands the state at `from[fromAt…]`, number `id`, by its first candidate that can move, or fully, as text. */
export const emitFirstCandidate = `
const proposed = candidates.propose(from, fromAt, agents);
let attempt = 0;
// sound: test/engines/explicit/provisos.test.ts
while (attempt < proposed && offered.count === first)
  candidates.successorsOf(agents[attempt++], from, fromAt, offered);
// sound: test/engines/explicit/provisos.test.ts
if (offered.count === first) {
  attempt = 0;
  system.successors(from, fromAt, offered);
}
attempts[id - head] = attempt;`;

/** Upper bound on the processes of a program. */
export const MOST_AGENTS = 1 << 16;
