import mutexify from "mutexify/promise.js";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate } from "./gate.mjs";

everySchedule("one holds the lock at a time, in the order of asking", async (world) => {
  const lock = mutexify();
  const gate = new Gate(1);
  const asked = [];
  const entered = [];
  const visit = async (name) => {
    await world.pause(`${name} arrives`);
    asked.push(name);
    const release = await lock();
    entered.push(name);
    await gate.pass(() => world.pause(`${name} inside`));
    release();
  };
  await Promise.all(["a", "b", "c"].map(visit));
  check(asked.join() === entered.join() && gate.passed === 3, `asked ${asked}, entered ${entered}`);
});
