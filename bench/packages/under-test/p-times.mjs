import pTimes from "p-times";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate } from "./gate.mjs";

everySchedule("results come in order, with at most 2 mappers at once", async (world) => {
  const gate = new Gate(2);
  const results = await pTimes(4, (n) => gate.pass(() => world.pause(`map ${n}`).then(() => n)), {
    concurrency: 2,
  });
  check(results.join() === "0,1,2,3", `results ${results}`);
});
