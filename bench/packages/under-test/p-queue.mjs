import PQueue from "p-queue";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate, outcome } from "./gate.mjs";

everySchedule("at most 2 jobs run at once, and onIdle comes after the last", async (world) => {
  const queue = new PQueue({ concurrency: 2 });
  const gate = new Gate(2);
  const jobs = ["a", "b", "c"].map((name) => queue.add(() => gate.pass(() => world.pause(`${name} inside`))));
  await queue.onIdle();
  check(gate.passed === 3 && gate.inside === 0, `idle after ${gate.passed} jobs, ${gate.inside} inside`);
  await Promise.all(jobs);
  check(queue.size === 0 && queue.pending === 0, `${queue.size} wait, ${queue.pending} run`);
});

everySchedule(
  "a job whose signal was aborted while it waited never starts, and the queue becomes idle",
  async (world) => {
    const queue = new PQueue({ concurrency: 1 });
    const controller = new globalThis.AbortController();
    const started = [];
    const add = (name, options) =>
      outcome(
        queue.add(async () => {
          started.push(name);
          await world.pause(`${name} inside`);
          return name;
        }, options),
      );
    const jobs = [add("a"), add("b", { signal: controller.signal }), add("c")];
    await world.pause("somebody aborts");
    const hadStarted = started.includes("b");
    controller.abort();
    const answers = await Promise.all(jobs);
    await queue.onIdle();
    check(started.includes("b") === hadStarted, `${started}: ${answers}`);
    check(answers[0] === "fulfilled a" && answers[2] === "fulfilled c", answers.join());
    check(queue.size === 0 && queue.pending === 0, `${queue.size} wait, ${queue.pending} run`);
  },
);

everySchedule("a paused queue starts nothing until it is started again", async (world) => {
  const queue = new PQueue({ concurrency: 1 });
  let isPaused = false;
  const jobs = ["a", "b", "c"].map((name) =>
    queue.add(async () => {
      check(!isPaused, `${name} started in a paused queue`);
      await world.pause(`${name} inside`);
    }),
  );
  await world.pause("somebody pauses");
  queue.pause();
  isPaused = true;
  await world.pause("somebody starts it");
  isPaused = false;
  queue.start();
  await Promise.all(jobs);
});
