// A semaphore for async functions: one version loses a permit on failure, one admits too many, one is correct.
// expected "a permit is lost": violated (assertion), 1 turns
// expected "too many inside": violated (assertion), 3 turns
// expected "at most two, despite failures": holds
import { expect } from "vitest";
import { everySchedule, type ScheduleWorld } from "everypath/vitest";

interface Semaphore {
  run(work: () => Promise<void>): Promise<void>;
}

/** Hands a permit to the longest waiter. */
class FairSemaphore implements Semaphore {
  free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(permits: number) {
    this.free = permits;
  }

  async run(work: () => Promise<void>): Promise<void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}

/** Keeps the permit on failure. */
class LeakySemaphore extends FairSemaphore {
  override async run(work: () => Promise<void>): Promise<void> {
    if (this.free === 0) throw new Error("no permit is left");
    this.free--;
    await work();
    this.free++;
  }
}

/** Reads the count, waits, and then takes a permit that may be gone. */
class HastySemaphore implements Semaphore {
  #free: number;
  readonly #world: ScheduleWorld;

  constructor(permits: number, world: ScheduleWorld) {
    this.#free = permits;
    this.#world = world;
  }

  async run(work: () => Promise<void>): Promise<void> {
    while (this.#free === 0) await this.#world.sleep(1);
    await this.#world.pause("enter");
    this.#free--;
    await work();
    this.#free++;
  }
}

everySchedule("a permit is lost", async (world) => {
  const semaphore = new LeakySemaphore(1);
  const request = world.service("request", () => undefined, { fails: 1, effect: "call" });
  await semaphore.run(request).catch(() => undefined);
  expect(semaphore.free).toBe(1);
});

everySchedule("too many inside", (world) => threeWorkers(world, new HastySemaphore(2, world)));

everySchedule("at most two, despite failures", async (world) => {
  const semaphore = new FairSemaphore(2);
  await threeWorkers(world, semaphore);
  expect(semaphore.free).toBe(2);
});

async function threeWorkers(world: ScheduleWorld, semaphore: Semaphore): Promise<void> {
  let inside = 0;
  const work = async (name: string): Promise<void> => {
    inside++;
    expect(inside).toBeLessThanOrEqual(2);
    await world.pause(name);
    inside--;
    if (name === "b") throw new Error("b fails");
  };
  await Promise.all(["a", "b", "c"].map((name) => semaphore.run(() => work(name)).catch(ignoreFailedWork)));
}

/** Ignores failing work, but not assertions. */
function ignoreFailedWork(error: Error): void {
  if (error.message !== "b fails") throw error;
}
