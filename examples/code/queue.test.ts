// A queue that runs one job after the other: a faulty one starts a second runner during the last job, a correct one
// does not.
// expected "two runners": violated (exception), 2 turns
// expected "one after the other": holds
import { expect } from "vitest";
import { everySchedule, type ScheduleWorld } from "everypath/vitest";

type Job = () => Promise<void>;

class Queue {
  readonly #jobs: Job[] = [];
  #isRunning = false;

  add(job: Job): void {
    this.#jobs.push(job);
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let job = this.#jobs.shift(); job; job = this.#jobs.shift()) await job();
    this.#isRunning = false;
  }
}

/** Takes an empty list for an idle runner. */
class ImpatientQueue {
  readonly #jobs: Job[] = [];

  add(job: Job): void {
    this.#jobs.push(job);
    if (this.#jobs.length === 1) void this.#run();
  }

  async #run(): Promise<void> {
    for (let job = this.#jobs.shift(); job; job = this.#jobs.shift()) await job();
  }
}

everySchedule("two runners", (world) => threeJobs(world, new ImpatientQueue()));
everySchedule("one after the other", (world) => threeJobs(world, new Queue()));

/** Orders come in at any time, and are packed one after the other. */
async function threeJobs(world: ScheduleWorld, queue: Queue | ImpatientQueue): Promise<void> {
  const packed: string[] = [];
  let inside = 0;
  const order = async (name: string): Promise<void> => {
    await world.pause(`order ${name}`);
    await new Promise<void>((resolve, reject) => {
      queue.add(async () => {
        inside++;
        if (inside > 1) reject(new Error(`${inside} jobs at once`));
        await world.pause(`pack ${name}`);
        inside--;
        packed.push(name);
        resolve();
      });
    });
  };
  await Promise.all(["a", "b", "c"].map(order));
  expect(packed).toHaveLength(3);
}
