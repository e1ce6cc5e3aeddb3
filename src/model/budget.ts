/** Budgets of a run, progress reports, and requests to stop. */
import type { DeviceFigures } from "./device.js";
import type { SolverFigures } from "./solver.js";

export interface Budget {
  readonly maxStates?: number;
  readonly maxDepth?: number;
  readonly memoryBytes?: number;
  readonly timeMs?: number;
  /** Reading of the process's own clock (`processorMs`) at which to stop: unlike `timeMs`, the load of the machine does not move it. */
  readonly processorEndMs?: number;
}

// The page of the explorer is checked with this file, but without Node's types.
declare const process: { cpuUsage(): { readonly user: number; readonly system: number } };

/** Processor time of this process so far, all its threads together. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Is the time of a budget up? `deadline` is on the clock of `performance.now()`. */
export const isTimeUp = ({ processorEndMs }: Budget, now: number, deadline: number): boolean =>
  now >= deadline || (processorEndMs !== undefined && processorMs() >= processorEndMs);

export interface Progress {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  /** States waiting to be expanded (breadth-first), or the stack (depth-first). */
  readonly frontier: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Of code whose states are not stored: runs that were begun. */
  readonly schedules?: number;
  /** Of random runs: their steps. */
  readonly steps?: number;
}

/** Polled by long computations: lets callers watch and stop them. */
export interface Control {
  onProgress?(progress: Progress): void;
  /** Ctrl-C, a closed page. Polled between batches. */
  isStopped?(): boolean;
}

export interface Stats extends Partial<EmptinessFigures> {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  readonly seconds: number;
  readonly peakBytes: number;
  readonly bytesPerState: number;
  /** Of code whose states are not stored: number of runs, each under another schedule. */
  readonly schedules?: number;
  /** Size of the tables of visited states at the end of the run, without queue, stack and parents; only for tables in memory. */
  readonly tableBytes?: number;
  /** Of one state as it is kept whole, at the end of the run. */
  readonly stateBytes?: number;
  /** Language of the search loops; absent if there is only one. */
  readonly backend?: "javascript" | "webassembly" | "opencl";
  /** Figures of partial-order reduction. */
  readonly partialOrder?: PartialOrderStats;
  /** Of a search on a device. */
  readonly device?: DeviceFigures;
  /** Of engines that ask a solver. */
  readonly solver?: SolverFigures;
  /** Threads that searched, if there were several. */
  readonly threads?: number;
  /** Transitions to states that were known. */
  readonly matched?: number;
  /** The longest queue, or the deepest stack. */
  readonly peakFrontier?: number;
}

/** Figures of an emptiness check. */
export interface EmptinessFigures {
  readonly algorithm: string;
  /** The most that the stacks held, by the algorithm's own measure. */
  readonly stack: number;
  /** Numbered states of the system; `states` counts the degeneralised graph's, if there is one. */
  readonly systemStates: number;
  /** States of the system of which one process alone was explored. */
  readonly reducedStates: number;
  /** States visited to construct the cycle. */
  readonly cycleStatesVisited: number;
  /** States among which the cycle was sought. */
  readonly searchSpace: number;
}

export interface PartialOrderStats {
  /** The proviso against infinitely postponed steps. */
  readonly proviso: string;
  /** States of which one process alone was explored. */
  readonly reduced: number;
  /** States that were expanded fully because every candidate was rejected. */
  readonly fullByProviso: number;
  /** Candidates that the condition rejected. */
  readonly rejected: number;
}
