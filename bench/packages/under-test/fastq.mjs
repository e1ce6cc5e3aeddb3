import fastq from "fastq";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate, outcome } from "./gate.mjs";

everySchedule("at most 2 tasks run at once, and each caller gets the result of its task", async (world) => {
  const gate = new Gate(2);
  const queue = fastq.promise(async (name) => {
    await gate.pass(() => world.pause(`${name} inside`));
    if (name === "b") throw new Error("b fails");
    return name;
  }, 2);
  const answers = await Promise.all(["a", "b", "c"].map((name) => outcome(queue.push(name))));
  check(answers.join() === "fulfilled a,rejected b fails,fulfilled c", answers.join());
});

everySchedule("drained is over when no task runs", async (world) => {
  const gate = new Gate(1);
  const queue = fastq.promise((name) => gate.pass(() => world.pause(`${name} inside`)), 1);
  for (const name of ["a", "b"]) void queue.push(name);
  await world.pause("somebody waits");
  await queue.drained();
  check(gate.inside === 0 && gate.passed === 2, `${gate.passed} were done`);
});
