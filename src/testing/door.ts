/** `everySchedule` for all frameworks, built from one function that declares a test. */
import { rowsOf } from "../code/collect/rows.js";
import type { ScheduleWorld } from "../code/schedule/index.js";
import { callerOf, type Caller } from "./caller.js";
import type { Body } from "../session/schedules/explore.js";
import type { ScheduleOptions } from "../session/schedules/options.js";

type Declare = (name: string, body: Body, options?: ScheduleOptions) => void;

export interface EverySchedule extends Declare {
  readonly only: Declare;
  readonly skip: Declare;
  /** A test for each row: the body receives the world, then the row. */
  each<T extends readonly unknown[]>(
    rows: readonly T[],
  ): (name: string, body: (world: ScheduleWorld, ...row: T) => unknown, options?: ScheduleOptions) => void;
  each<T>(
    rows: readonly T[],
  ): (name: string, body: (world: ScheduleWorld, row: T) => unknown, options?: ScheduleOptions) => void;
}

export interface Declared {
  readonly how: "run" | "only" | "skip";
  readonly name: string;
  readonly body: Body;
  readonly options: ScheduleOptions;
  readonly caller: Caller;
}

type RowBody = (world: ScheduleWorld, ...row: never[]) => unknown;

export function makeDoor(declare: (test: Declared) => void): EverySchedule {
  const declaring = (how: Declared["how"]): Declare => {
    const declared: Declare = (name, body, options = {}) =>
      declare({ how, name, body, options, caller: callerOf(declared) });
    return declared;
  };
  const each = (...table: unknown[]) => {
    const declared = (name: string, body: RowBody, options: ScheduleOptions = {}): void => {
      const caller = callerOf(declared);
      for (const row of rowsOf(name, table))
        declare({
          how: "run",
          name: row.name,
          body: (world) => body(world, ...(row.args as never[])),
          options,
          caller,
        });
    };
    return declared;
  };
  return Object.assign(declaring("run"), { only: declaring("only"), skip: declaring("skip"), each });
}

/** The framework's limit guards against a hang, not against a long search. */
export const patienceMs = ({ timeMs = Infinity, cpuMs = 10_000 }: ScheduleOptions): number =>
  Math.min(timeMs * 2, cpuMs * 20) + 30_000;
