import Bottleneck from "bottleneck";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate, outcome } from "./gate.mjs";

everySchedule("at most 2 jobs run at once, and all of them do", async (world) => {
  const limiter = new Bottleneck({ maxConcurrent: 2 });
  const gate = new Gate(2);
  const names = ["a", "b", "c"];
  await Promise.all(
    names.map((name) => limiter.schedule(() => gate.pass(() => world.pause(`${name} inside`)))),
  );
  check(gate.passed === 3, `${gate.passed} jobs were done`);
  check(limiter.empty(), "the limiter keeps jobs");
});

everySchedule("jobs begin at least minTime apart", async (world) => {
  const limiter = new Bottleneck({ minTime: 100 });
  const times = [];
  const job = async (name) => {
    times.push(Date.now());
    await world.pause(`${name} inside`);
  };
  await Promise.all(["a", "b", "c"].map((name) => limiter.schedule(() => job(name))));
  check(
    times.every((time, i) => i === 0 || time - times[i - 1] >= 100),
    `begun at ${times.map((time) => time - times[0])}`,
  );
});

everySchedule(
  "after stop with dropWaitingJobs no job begins, and stop is over when none runs",
  async (world) => {
    const limiter = new Bottleneck({ maxConcurrent: 1 });
    const gate = new Gate(1);
    let begun = 0;
    const visit = (name) =>
      outcome(
        limiter.schedule(() => {
          begun++;
          return gate.pass(() => world.pause(`${name} inside`));
        }),
      );
    const visits = ["a", "b", "c"].map(visit);
    await world.pause("somebody stops it");
    const before = begun;
    await limiter.stop({ dropWaitingJobs: true });
    check(gate.inside === 0, `stopped while ${gate.inside} are inside`);
    await Promise.all(visits);
    check(begun === before, `${begun} began, ${before} before the stop`);
  },
);
