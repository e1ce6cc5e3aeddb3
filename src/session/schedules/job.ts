/** The job of running one test under its schedules, and its result: plain data. */
import type { WorldReport } from "../../code/realm/index.js";
import type { Plan, ScheduleRun } from "../../model/index.js";
import type { Job } from "../../sandbox/index.js";
import type { SearchResult } from "../../engines/schedules/index.js";
import type { Limits } from "./options.js";

export interface SearchJob extends Job {
  readonly kind: "schedules";
  readonly base: string;
  readonly script: string;
  /** The script that records the accesses of its turns, with its requirements; or the reason for its absence. */
  readonly tracked?: Tracked | undefined;
  /** Pauses the search after this number of schedules. */
  readonly pausesAt?: number | undefined;
  /** Abandons the reduction if it seems to gain less than this factor. */
  readonly leastGain?: number | undefined;
  /** The script with coverage counters, if requested. */
  readonly counted?: string | undefined;
  readonly names: readonly string[];
  readonly limits: Limits;
  /** Schedules that are run before the search. */
  readonly first: readonly Plan[];
  /** Runs only these; no search. */
  readonly isReplay: boolean;
  /** A plan that did not end: runs with a time limit on every turn, to find the hanging turn. */
  readonly hanging?: Plan;
}

/** Lists the tests of a file; answers with `Declared`. */
export interface ListJob extends Job, Pick<SearchJob, "base" | "script" | "limits"> {
  readonly kind: "tests";
}

/** Nothing of the file system, and no thread. */
export const locked: Job["lock"] = { reads: [], writes: false, threads: false };

export type Tracked = { readonly script: string; readonly tracking: string } | { readonly refused: string };

/** Result of an individually run schedule. */
export interface Replayed {
  readonly plan: Plan;
  readonly report: WorldReport;
  readonly end: ScheduleRun["end"];
  readonly options: readonly number[];
}

export interface Outcome {
  /** Number of tests with that name; nothing ran unless it is 1. */
  readonly found: number;
  readonly declared: readonly (readonly string[])[];
  readonly replayed: readonly Replayed[];
  readonly result: SearchResult | undefined;
  readonly failing: Replayed | undefined;
  /** A schedule that used an unsupported feature. */
  readonly refused?: Replayed | undefined;
  /** A schedule that passed although an assertion failed. */
  readonly caught?: Replayed | undefined;
  /** A schedule that was given up after its last turn. */
  readonly endless?: Replayed | undefined;
  /** The search stopped at `pausesAt`; schedules are left. */
  readonly isPaused?: boolean;
  /** Executed points of the counting script. */
  readonly hits?: readonly number[] | undefined;
}

/** Announces a schedule: if nothing follows, it did not end. */
export interface Begun {
  readonly plan: Plan;
}
