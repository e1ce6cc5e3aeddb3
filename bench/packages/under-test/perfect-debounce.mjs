import { debounce } from "perfect-debounce";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate, outcome } from "./gate.mjs";

everySchedule("one run at a time, and the last call's arguments are passed in the end", async (world) => {
  const gate = new Gate(1);
  const calls = [];
  let last;
  const get = debounce(async (value) => {
    calls.push(value);
    await gate.pass(() => world.pause(`run ${value}`));
    return value;
  }, 50);
  const ask = (value) => world.pause(`ask ${value}`).then(() => get((last = value)));
  const answers = await Promise.all([ask(1), ask(2), ask(3)].map(outcome));
  check(calls.at(-1) === last, `${calls}, last ${last}: ${answers}`);
});
