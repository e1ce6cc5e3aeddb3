import PCancelable from "p-cancelable";
import { everySchedule } from "../../../src/testing/code.js";
import { check, outcome } from "./gate.mjs";

everySchedule("a cancelled promise rejects, and its handler runs once", async (world) => {
  let handled = 0;
  const work = new PCancelable((resolve, _reject, onCancel) => {
    onCancel(() => handled++);
    void world.pause("work").then(() => resolve("value"));
  });
  void world.pause("somebody cancels").then(() => work.cancel());
  const answer = await outcome(work);
  await world.pause("later");
  check(
    work.isCanceled ? answer.startsWith("rejected") && handled === 1 : answer === "fulfilled value",
    `${answer}, handled ${handled}`,
  );
});
