import pLimit from "p-limit";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate, outcome } from "./gate.mjs";

everySchedule("at most 2 functions run at once, and a rejection frees its place", async (world) => {
  const limit = pLimit(2);
  const gate = new Gate(2);
  const run = (name) =>
    limit(async () => {
      await gate.pass(() => world.pause(`${name} inside`));
      if (name === "b") throw new Error("b fails");
      return name;
    });
  const answers = await Promise.all(["a", "b", "c", "d"].map((name) => outcome(run(name))));
  check(answers.join() === "fulfilled a,rejected b fails,fulfilled c,fulfilled d", answers.join());
});

everySchedule("when all is settled nothing counts as active or pending", async (world) => {
  const limit = pLimit(2);
  const run = async (name) => {
    await world.pause(`${name} arrives`);
    await limit(() => world.pause(`${name} inside`));
  };
  await Promise.all(["a", "b", "c"].map(run));
  await world.sleep(1);
  check(limit.activeCount === 0 && limit.pendingCount === 0, `${limit.activeCount}, ${limit.pendingCount}`);
});

everySchedule("after clearQueue no function of before starts", async (world) => {
  const limit = pLimit(1);
  const started = [];
  for (const name of ["a", "b", "c"])
    void limit(async () => {
      started.push(name);
      await world.pause(`${name} inside`);
    });
  await world.pause("somebody clears");
  const before = started.length;
  limit.clearQueue();
  await limit(() => world.pause("later inside"));
  check(started.length === before, `${started} started, ${before} before the queue was cleared`);
  check(limit.pendingCount === 0, `${limit.pendingCount} are pending`);
});
