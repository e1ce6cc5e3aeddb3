// Mutual exclusion for async functions: a lock whose waiters all wake at once, and a lock with direct handover.
// expected "waiters wake together": violated (assertion), 1 turns
// expected "handed over": holds
import { expect } from "vitest";
import { everySchedule, type ScheduleWorld } from "everypath/vitest";

/** Forgets that another waiter may have taken the lock before it runs. */
class HastyLock {
  #held = false;
  #waiting: (() => void)[] = [];

  async acquire(): Promise<void> {
    if (this.#held) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

class Lock {
  #held = false;
  #waiting: (() => void)[] = [];

  async acquire(): Promise<void> {
    if (this.#held) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#held = true;
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#held = false;
  }
}

async function threeWorkers(world: ScheduleWorld, lock: HastyLock | Lock): Promise<void> {
  let inside = 0;
  const work = async (name: string) => {
    await lock.acquire();
    inside++;
    expect(inside).toBe(1);
    await world.pause(name);
    inside--;
    lock.release();
  };
  await Promise.all(["a", "b", "c"].map(work));
}

everySchedule("waiters wake together", (world) => threeWorkers(world, new HastyLock()));
everySchedule("handed over", (world) => threeWorkers(world, new Lock()));
