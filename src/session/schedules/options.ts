/** Options of a test of schedules, with their defaults. */
import { defaultWorldOptions, type WorldOptions } from "../../code/realm/index.js";
import type { SearchOptions, Strategy } from "../../engines/schedules/index.js";

export interface ScheduleOptions {
  /** Maximum number of schedules: 10,000. */
  readonly schedules?: number;
  /** Wall-clock limit: none. */
  readonly timeMs?: number;
  /** Processor time limit: 10,000 ms, or none if `timeMs` is set. */
  readonly cpuMs?: number;
  /** Maximum number of turns of a schedule: 500. */
  readonly turns?: number;
  /** Result if the budget is spent before every schedule was run: `fail`, or `pass`. */
  readonly onSpent?: "fail" | "pass";
  readonly strategy?: Strategy;
  /** Maximum of deviations, delays or preemptions: excludes schedules with more, and the scope of the verdict mentions it. */
  readonly bound?: number;
  /** For `pct`: maximum number of ordering constraints of a failure: 3. */
  readonly depth?: number;
  /**
   * `races`: skips reorderings of turns without common accesses. `none`, the default: runs all orders. `auto`: begins
   * without, and goes on with it once a search has outgrown a number of schedules, if it pays.
   */
  readonly reduction?: "auto" | "none" | "races";
  readonly seed?: number;
  /** `Math.random` and `crypto`: from a seed, or a choice of this number of values. */
  readonly random?: { readonly seed: number } | { readonly values: number };
  /**
   * `deadline-order`: requests take any time, timers fire by deadline. `punctual`: time passes only until the next timer. `any`:
   * likewise, and timers fire in any order.
   */
  readonly timers?: "deadline-order" | "punctual" | "any";
  /** Maximum lateness of a timer: 10 ms. */
  readonly latenessMs?: number;
  /**
   * Maximum number of successive firings of an interval, or of timers that set the next one, while a request is pending.
   * Excludes schedules with more, and the scope of the verdict mentions it. Absent: no limit.
   */
  readonly late?: number;
  /** Initial time of the clock. */
  readonly epochMs?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** `own`: a separate realm for every schedule. `host`: the body runs in place, without isolation. */
  readonly realm?: "own" | "host";
  /** Schedules that once failed, in the syntax of `replay`; they run first. */
  readonly regressions?: readonly string[];
  /** Runs only this schedule: the result of `replay('…')`. */
  readonly only?: string;
  /** Allows code from strings: `eval`, `new Function`. */
  readonly allowEval?: boolean;
  /** Interval of schedules that run twice, to detect nondeterminism: 50. 0: never. */
  readonly replayEvery?: number;
  /** Time limit of a turn: 2,000 ms. */
  readonly hangMs?: number;
  /** Memory of the process that runs the schedules, in MB: 512. */
  readonly memoryMb?: number;
  /** Measures line and branch coverage of the code under test. Printed, and in the result. */
  readonly coverage?: boolean;
  /** File for the chart of a failure, as SVG. */
  readonly svg?: string;
}

/** Types of options that come as data. */
const shapes: Readonly<
  Record<keyof ScheduleOptions, readonly string[] | "number" | "boolean" | "object" | "string">
> = {
  schedules: "number",
  timeMs: "number",
  cpuMs: "number",
  turns: "number",
  onSpent: ["fail", "pass"],
  strategy: ["deviations", "delays", "preemptions", "depth-first", "random", "pct"],
  bound: "number",
  depth: "number",
  reduction: ["auto", "none", "races"],
  seed: "number",
  random: "object",
  timers: ["deadline-order", "punctual", "any"],
  latenessMs: "number",
  late: "number",
  epochMs: "number",
  env: "object",
  realm: ["own", "host"],
  regressions: "object",
  only: "string",
  allowEval: "boolean",
  replayEvery: "number",
  hangMs: "number",
  memoryMb: "number",
  coverage: "boolean",
  svg: "string",
};

/** Validates options that come as data; undefined: valid. */
export function mistakeIn(options: Readonly<Record<string, unknown>>): string | undefined {
  const wrong = Object.entries(options).find(([name, value]) => {
    const shape = Object.hasOwn(shapes, name) ? shapes[name as keyof ScheduleOptions] : [];
    return typeof shape === "string" ? typeof value !== shape : !shape.includes(value as string); // sound: test/session/schedules/check.test.ts
  });
  return wrong && `there is no option ${wrong[0]}: ${JSON.stringify(wrong[1])}`;
}

/** Runs a single schedule; use it in place of the options. */
export const replay = (schedule: string): ScheduleOptions => ({ only: schedule });

export const defaultStrategy: Strategy = "deviations";

export interface Limits {
  readonly search: Omit<SearchOptions, "now" | "cpuNow">;
  readonly world: WorldOptions;
  readonly allowsEval: boolean;
  readonly hangMs: number;
  readonly memoryMb: number;
}

export function limitsOf(options: ScheduleOptions): Limits {
  const { schedules = 10_000, turns = 500, hangMs = 2000, memoryMb = 512 } = options;
  const { timeMs = maxBound } = options;
  const { cpuMs = options.timeMs === undefined ? 10_000 : maxBound } = options;
  const strategy = options.strategy ?? defaultStrategy;
  return {
    search: {
      strategy,
      maxSchedules: schedules,
      timeMs,
      cpuMs,
      maxTurns: turns,
      bound: options.bound ?? maxBound,
      depth: options.depth ?? 3,
      ...(options.reduction === "races" ? { reduces: true } : {}),
      seed: options.seed ?? 1,
      replayEvery: options.replayEvery ?? 50,
      maxShortening: 5000,
      shorteningMs: 3000,
    },
    world: {
      ...defaultWorldOptions,
      random: options.random ?? { seed: options.seed ?? 1 },
      timers: options.timers ?? defaultWorldOptions.timers,
      latenessMs: options.latenessMs ?? defaultWorldOptions.latenessMs,
      ...(options.late === undefined ? {} : { late: options.late }),
      epochMs: options.epochMs ?? defaultWorldOptions.epochMs,
      env: options.env ?? {},
      maxTurns: turns,
    },
    allowsEval: options.allowEval ?? false,
    hangMs,
    memoryMb,
  };
}

/** No limit: a number, because Infinity is not JSON. */
const maxBound = Number.MAX_SAFE_INTEGER;
