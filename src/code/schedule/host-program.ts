/**
 * Runs a test body in the caller's realm: fast, but without isolation. The state of its modules persists between
 * schedules; only timers, `Date` and `Math.random` are controlled while a schedule runs.
 */
import type { ScheduleRequest, ScheduleRun } from "../../model/index.js";
import { makeScheduleWorld, type ScheduleWorld } from "../collect/schedule-world.js";
import { clockGlobals } from "../world/clock.js";
import { randomNumber } from "../world/random.js";
import { timerFunctions } from "../world/timers.js";
import { Turn, World, type WorldOptions } from "../world/world.js";
import { watchJobs, type WorldReport } from "../realm/index.js";
import type { Run } from "./program.js";

export class HostProgram {
  readonly #body: (world: ScheduleWorld) => unknown;
  readonly #options: WorldOptions;

  constructor(body: (world: ScheduleWorld) => unknown, options: WorldOptions) {
    this.#body = body;
    this.#options = options;
  }

  async run(request: ScheduleRequest): Promise<ScheduleRun> {
    return (await this.runRecorded(request, false)).schedule;
  }

  async runRecorded(request: ScheduleRequest, recordsEvents = true): Promise<Run> {
    const world = new World();
    world.begin({ ...this.#options, ...request, recordsEvents });
    const restore = takeOver(world);
    const stop = watchJobs(() => void world.jobs++);
    let isSpent: boolean;
    try {
      world.start(async () => void (await this.#body(makeScheduleWorld(world))));
      await drained(world);
      for (;;) {
        const answer = world.turn();
        await drained(world);
        if (answer === Turn.again) continue;
        isSpent = answer === Turn.spent;
        if (answer === Turn.idle && world.body === "running")
          world.fail("deadlock", "nothing is pending any more, and the test still waits");
        break;
      }
    } finally {
      restore();
      stop();
    }
    return { schedule: scheduleRun(world, isSpent), report: report(world) };
  }
}

const realImmediate = globalThis.setImmediate;

/** Promise jobs are done when an immediate runs. Uses callbacks, because waiting by promises would add jobs. */
const drained = (world: World): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => (world.tick() ? void realImmediate(look) : resolve());
    realImmediate(look);
  });

function takeOver(world: World): () => void {
  const replaced = { ...timerFunctions(world), ...clockGlobals(world) } as Record<string, unknown>;
  const before = Object.keys(replaced).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  const realRandom = Math.random;
  const realConstructor = Date.prototype.constructor;
  for (const [name] of before)
    Object.defineProperty(globalThis, name, { value: replaced[name], configurable: true, writable: true });
  Math.random = () => randomNumber(world);
  return () => {
    for (const [name, property] of before) if (property) Object.defineProperty(globalThis, name, property);
    Math.random = realRandom;
    Date.prototype.constructor = realConstructor;
  };
}

function scheduleRun(world: World, isSpent: boolean): ScheduleRun {
  const { chooser, turns, tasks, fingerprint, failure, relied } = world;
  const isRefused = failure?.kind === "unsupported";
  const end =
    chooser.diverged !== undefined
      ? "stuck"
      : isRefused
        ? "refused"
        : failure
          ? "failed"
          : isSpent
            ? "spent"
            : "passed";
  return { made: chooser.made, turns, tasks, fingerprint, relied, end };
}

function report(world: World): WorldReport {
  const { chooser, turns, now, body, pending, failure, relied, output, events } = world;
  return {
    made: chooser.made.map(({ options, value }) => ({ options, value })),
    ...(chooser.diverged === undefined ? {} : { diverged: chooser.diverged }),
    unused: chooser.unused,
    turns,
    now,
    body,
    pending: pending.map(({ lane, label }) => `${lane}: ${label}`),
    ...(failure ? { failure } : {}),
    relied,
    output,
    events,
  };
}
