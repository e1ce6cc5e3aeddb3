import { Semaphore } from "await-semaphore";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate, outcome } from "./gate.mjs";

everySchedule("at most 2 use it at once, and a rejection frees its place", async (world) => {
  const semaphore = new Semaphore(2);
  const gate = new Gate(2);
  const visit = (name) =>
    outcome(
      semaphore.use(async () => {
        await gate.pass(() => world.pause(`${name} inside`));
        if (name === "a") throw new Error("a fails");
      }),
    );
  const answers = await Promise.all(["a", "b", "c", "d"].map(visit));
  check(gate.passed === 4 && answers[0].startsWith("rejected"), answers.join());
});
