import pLocate from "p-locate";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate } from "./gate.mjs";

everySchedule(
  "the first element in order that passes is found, with at most 2 tests at once",
  async (world) => {
    const gate = new Gate(2);
    const found = await pLocate(
      [1, 2, 3],
      (n) => gate.pass(() => world.pause(`test ${n}`).then(() => n > 1)),
      { concurrency: 2 },
    );
    check(found === 2, `found ${found}`);
  },
);
