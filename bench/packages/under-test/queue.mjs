import Queue from "queue";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate } from "./gate.mjs";

everySchedule("at most 2 jobs run at once, and start is over when all are done", async (world) => {
  const gate = new Gate(2);
  const queue = new Queue({ concurrency: 2 });
  for (const name of ["a", "b", "c"]) queue.push(() => gate.pass(() => world.pause(`${name} inside`)));
  await queue.start();
  check(gate.passed === 3 && queue.length === 0, `${gate.passed} were done`);
});
