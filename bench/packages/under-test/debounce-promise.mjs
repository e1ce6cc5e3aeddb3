import debounce from "debounce-promise";
import { everySchedule } from "../../../src/testing/code.js";
import { check, outcome } from "./gate.mjs";

everySchedule("every caller gets the result of a run with the last arguments of its burst", async (world) => {
  const calls = [];
  const get = debounce(async (value) => {
    calls.push(value);
    await world.pause(`run ${value}`);
    return value;
  }, 50);
  const ask = (value) => world.pause(`ask ${value}`).then(() => get(value));
  const answers = await Promise.all([ask(1), ask(2), ask(3)].map(outcome));
  check(calls.length >= 1 && calls.length <= 3, `${calls}`);
  check(
    answers.every((answer) => calls.includes(Number(answer.replace("fulfilled ", "")))),
    answers.join(),
  );
});
