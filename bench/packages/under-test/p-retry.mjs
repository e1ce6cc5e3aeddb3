import pRetry from "p-retry";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate, outcome } from "./gate.mjs";

everySchedule(
  "attempts come one at a time, at most retries + 1, and it fulfils exactly if one of them does",
  async (world) => {
    const gate = new Gate(1);
    let isDone = false;
    const attempt = () =>
      gate.pass(async () => {
        await world.pause("answer");
        if (world.choose(2) === 0) throw new Error("failed");
        isDone = true;
        return "done";
      });
    const answer = await outcome(pRetry(attempt, { retries: 3, minTimeout: 10, randomize: true }));
    check(gate.passed <= 4, `${gate.passed} attempts`);
    check(answer === (isDone ? "fulfilled done" : "rejected failed"), `${answer}, done: ${isDone}`);
    check(isDone || gate.passed === 4, `given up after ${gate.passed} attempts`);
  },
);

everySchedule("no attempt begins after the signal was aborted", async (world) => {
  const controller = new globalThis.AbortController();
  let isAborted = false;
  const attempt = async () => {
    check(!isAborted, "an attempt began after the abort");
    await world.pause("answer");
    throw new Error("failed");
  };
  const answer = outcome(pRetry(attempt, { retries: 2, minTimeout: 10, signal: controller.signal }));
  await world.pause("somebody aborts");
  isAborted = true;
  controller.abort(new Error("aborted"));
  const text = await answer;
  check(/^rejected (aborted|failed)$/.test(text), text);
});
