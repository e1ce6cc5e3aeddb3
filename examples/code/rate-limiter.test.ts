// At most two requests in any hundred milliseconds: a limiter with fixed windows, a limiter that reads the count before it
// waits, and a limiter that plans ahead, which holds only if timers are punctual.
// expected "twice the limit around the turn of a window": violated (assertion), 4 turns
// expected "counted before the wait": violated (assertion), 8 turns
// expected "never more than two in a hundred milliseconds": violated (assertion), 8 turns
import { expect } from "vitest";
import { everySchedule, type ScheduleWorld } from "everypath/vitest";

const LIMIT = 2;
const WINDOW_MS = 100;

interface Limiter {
  /** Resolves when the request may be made. */
  enter(): Promise<void>;
}

/** Counts anew at every full window. */
class FixedWindow implements Limiter {
  #window = -1;
  #count = 0;
  readonly #world: ScheduleWorld;

  constructor(world: ScheduleWorld) {
    this.#world = world;
  }

  async enter(): Promise<void> {
    for (;;) {
      const window = Math.floor(Date.now() / WINDOW_MS);
      if (window !== this.#window) this.#count = 0;
      this.#window = window;
      if (this.#count < LIMIT) break;
      await this.#world.sleep(WINDOW_MS - (Date.now() % WINDOW_MS));
    }
    this.#count++;
  }
}

/** Records the times of the last and planned requests. */
class SlidingWindow implements Limiter {
  readonly #times: number[] = [];
  readonly #world: ScheduleWorld;

  constructor(world: ScheduleWorld) {
    this.#world = world;
  }

  async enter(): Promise<void> {
    const before = this.#times.at(-LIMIT);
    const at = before === undefined ? Date.now() : Math.max(Date.now(), before + WINDOW_MS);
    this.#times.push(at);
    if (at > Date.now()) await this.#world.sleep(at - Date.now());
  }
}

/** Concurrent waiters wait for the same time. */
class HerdingWindow implements Limiter {
  #times: number[] = [];
  readonly #world: ScheduleWorld;

  constructor(world: ScheduleWorld) {
    this.#world = world;
  }

  async enter(): Promise<void> {
    this.#times = this.#times.filter((time) => time > Date.now() - WINDOW_MS);
    if (this.#times.length >= LIMIT) await this.#world.sleep(this.#times[0]! + WINDOW_MS - Date.now());
    this.#times.push(Date.now());
  }
}

everySchedule("twice the limit around the turn of a window", (world) =>
  burst(world, new FixedWindow(world), 4),
);
everySchedule("counted before the wait", (world) => burst(world, new HerdingWindow(world), 5));
everySchedule("never more than two in a hundred milliseconds", (world) =>
  burst(world, new SlidingWindow(world), 5),
);

/** Two requests late in a window, the others right after it. */
async function burst(world: ScheduleWorld, limiter: Limiter, count: number): Promise<void> {
  const times: number[] = [];
  const start = WINDOW_MS - (Date.now() % WINDOW_MS) - 10;
  await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      await world.sleep(start + (i < 2 ? 0 : 20));
      await limiter.enter();
      times.push(Date.now());
    }),
  );
  for (const [i, time] of times.entries())
    expect(
      times.filter((other) => other >= time && other < time + WINDOW_MS).length,
      `at ${i}`,
    ).toBeLessThanOrEqual(LIMIT);
}
