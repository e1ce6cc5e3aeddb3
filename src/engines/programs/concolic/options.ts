/** Strategies of concolic runs; after CREST (`dfs` to `random-branch`) and KLEE (`fork`). */
export const CONCOLIC_STRATEGIES = [
  "idfs",
  "dfs",
  "cfg",
  "uniform-random",
  "random-branch",
  "fork",
  "random",
] as const;

export type ConcolicStrategy = (typeof CONCOLIC_STRATEGIES)[number];

export interface ConcolicOptions {
  readonly strategy: ConcolicStrategy;
  /** Summarise governed regions; otherwise each branch is a decision. */
  readonly usesRegions: boolean;
  /** Also run inputs for branch outcomes inside of regions that no run has shown. */
  readonly coversRegions: boolean;
  readonly seed: number;
  /** Most decisions that a run records; it goes on without recording. */
  readonly maxDepth: number;
  readonly maxRuns: number;
  /** Most instructions of a run. */
  readonly maxSteps: number;
  /** Inputs of the first run. */
  readonly first?: readonly bigint[];
}
