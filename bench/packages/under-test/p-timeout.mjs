import pTimeout from "p-timeout";
import { everySchedule } from "../../../src/testing/code.js";
import { check, outcome } from "./gate.mjs";

everySchedule(
  "it settles like the promise, or rejects when the time is over, and its timer is gone",
  async (world) => {
    let isAnswered = false;
    const work = world.pause("answer").then(() => {
      isAnswered = true;
      return "value";
    });
    const answer = await outcome(pTimeout(work, { milliseconds: 100 }));
    if (answer === "fulfilled value") check(isAnswered, "no answer came");
    else check(/^rejected Promise timed out/.test(answer), answer);
  },
);
