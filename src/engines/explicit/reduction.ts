/**
 * Partial-order reduction in the search, beside the candidates that the system proposes.
 *
 * A candidate is an agent whose steps may be explored instead of all steps, if that does not postpone the others for ever.
 * The *proviso* ensures it, by the states that the candidate leads to:
 *
 * - `queue` (breadth-first): one of them is still to be expanded;
 * - `stack` (depth-first): one of them is not on the stack;
 * - `none`: no condition; enough for deadlocks, and for nothing else.
 *
 * Always true: a rejected candidate leaves nothing behind but known states, or states that are explored anyway.
 */
import type { PartialOrderStats, System } from "../../model/index.js";
import type { Visited } from "./loop-code.js";
import type { StepBackend } from "./step-backend.js";

export type Proviso = "queue" | "stack" | "none";

export class Reduction {
  readonly proviso: Proviso;
  /** The candidates of the state that is being expanded. */
  readonly agents: Int32Array;
  reduced = 0;
  fullByProviso = 0;
  rejected = 0;

  constructor(proviso: Proviso, agents = new Int32Array(MOST_AGENTS)) {
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

/** The proviso over `waiting` states to be expanded among `total` successors, as text. */
export function isEnoughBreadthFirst(proviso: Proviso): string {
  switch (proviso) {
    case "queue":
      return "waiting > 0"; // sound: test/engines/explicit/provisos.test.ts
    case "none":
      return "total > 0";
    case "stack":
      throw new Error(`the proviso '${proviso}' is none of breadth-first search`);
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
