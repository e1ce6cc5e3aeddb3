import * as all from "semaphore-async-await";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate } from "./gate.mjs";

const { Semaphore } = all.default?.Semaphore
  ? all.default
  : { Semaphore: all.default?.default ?? all.default };

everySchedule("at most 2 hold it at once, and everyone gets it", async (world) => {
  const semaphore = new Semaphore(2);
  const gate = new Gate(2);
  const visit = async (name) => {
    await world.pause(`${name} arrives`);
    await semaphore.acquire();
    await gate.pass(() => world.pause(`${name} inside`));
    semaphore.release();
  };
  await Promise.all(["a", "b", "c"].map(visit));
  check(gate.passed === 3, `${gate.passed} got in`);
});
