/**
 * Shared by all emptiness checks: figures, limits, and the seam to the driver (`advance`) and to the constructors of runs
 * (`evidence`).
 *
 * Always true: `outcome` is "empty" only if every reachable state was visited; "accepting" only if there is an accepting
 * cycle among the visited ones.
 */
import { allMarks, type AcceptanceGraph } from "../../../model/index.js";
import type { Memory } from "./memory.js";

export abstract class EmptinessSearch {
  /** Distinct states visited. */
  states = 0;
  /** Arcs taken, counted each time. */
  transitions = 0;
  /** The most that the stacks held at once, by each algorithm's own measure. */
  stack = 0;
  /** Some state was omitted because it is too deep. */
  isCut = false;
  outcome: "empty" | "accepting" | undefined;
  readonly graph: AcceptanceGraph;
  protected readonly full: number;
  protected readonly memory: Memory;
  protected readonly maxDepth: number;

  constructor(graph: AcceptanceGraph, limits: SearchLimits) {
    this.graph = graph;
    this.full = allMarks(graph.conditions);
    this.memory = limits.memory;
    this.maxDepth = limits.maxDepth;
  }

  /** Takes about `quota` steps. False when there is nothing left to do: then `outcome` is set, or `isCut`. */
  abstract advance(quota: number): boolean;

  /** Steps to the deepest state so far. */
  abstract get depth(): number;
  abstract hasVisited(state: number): boolean;
  /** After the outcome "accepting": evidence of an accepting cycle. */
  abstract evidence(): Evidence;

  protected finish(outcome: "empty" | "accepting"): false {
    // sound: test/engines/emptiness/answers.test.ts
    if (outcome === "accepting" || !this.isCut) this.outcome = outcome;
    return false;
  }

  protected measure(stack: number): void {
    if (stack > this.stack) this.stack = stack;
  }
}

/** A search that is written step by step. */
export abstract class SteppedSearch extends EmptinessSearch {
  advance(quota: number): boolean {
    if (this.states === 0) this.start();
    for (let left = quota; left > 0; left--) if (!this.step()) return false;
    return true;
  }

  /** Enters the initial state. */
  protected abstract start(): void;
  /** One step; false when it was the last. */
  protected abstract step(): boolean;
}

export interface SearchLimits {
  readonly memory: Memory;
  readonly maxDepth: number;
}

/**
 * Evidence of an accepting cycle: a state `start`, and the visited states. `component`: states with `isMember` can reach one
 * another, and their arcs carry all marks. `cycle`: some accepting cycle through visited states contains `start`.
 */
export type Evidence =
  | {
      readonly kind: "component";
      readonly start: number;
      readonly isMember: (state: number) => boolean;
      readonly isVisited: (state: number) => boolean;
      /** Number of members. */
      readonly size: number;
    }
  | {
      readonly kind: "cycle";
      readonly start: number;
      readonly isVisited: (state: number) => boolean;
      /** Number of visited states. */
      readonly size: number;
    };

/** The component whose states have the ranks from `root` on, `size` of them. Unknown states have rank 0, finished ones less. */
export const rankedComponent = (start: number, ranks: Int32Array, root: number, size: number): Evidence => ({
  kind: "component",
  start,
  isMember: (state) => ranks[state] >= root,
  isVisited: (state) => ranks[state] > 0,
  size,
});
