/**
 * A race in the manner of the studies of concurrency bugs in Node.js (Wang and others 2017; Node.fz: Davis and others
 * 2017; NodeRacer: Endo and Møller 2020; NRace: Chang and others 2021), with its repair.
 */
import type { ScheduleWorld } from "../../../src/testing/code.js";
import type { Pause } from "../snippets.js";

/** Atomicity violation, order violation, order of commutative events, starvation. */
export type Pattern = "atomicity" | "order" | "commutative" | "starvation";

/** What the racing turns share. */
export type Resource = "memory" | "timers" | "files" | "events" | "network" | "services";

export interface Race {
  readonly name: string;
  readonly pattern: Pattern;
  readonly resource: Resource;
  /** Throws, waits for ever or rejects if its property is violated. */
  run(world: ScheduleWorld, isCorrect: boolean): Promise<void>;
  /** The same where it waits by `pause` alone: for other schedulers. */
  readonly plain?: (pause: Pause, isCorrect: boolean) => Promise<void>;
}

export const plain = (
  name: string,
  pattern: Pattern,
  run: (pause: Pause, isCorrect: boolean) => Promise<void>,
): Race => ({
  name,
  pattern,
  resource: "memory",
  plain: run,
  run: (world, isCorrect) => run((label) => world.pause(label), isCorrect),
});

export const race = (
  name: string,
  pattern: Pattern,
  resource: Resource,
  run: (world: ScheduleWorld, isCorrect: boolean) => Promise<void>,
): Race => ({ name, pattern, resource, run });

export function check(holds: boolean, message: string): void {
  if (!holds) throw new Error(message);
}

/** Runs one at a time, in order. */
export function makeLock(): <T>(run: () => Promise<T>) => Promise<T> {
  let tail: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = tail.then(run);
    tail = result.catch(() => {});
    return result;
  };
}
