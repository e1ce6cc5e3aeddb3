import PLazy from "p-lazy";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

everySchedule("the executor runs once, at the first use", async (world) => {
  let calls = 0;
  const lazy = new PLazy((resolve) => {
    calls++;
    void world.pause("work").then(() => resolve(calls));
  });
  await world.pause("before");
  check(calls === 0, "it ran before its use");
  const answers = await Promise.all([lazy, world.pause("later").then(() => lazy)]);
  check(answers.join() === "1,1", answers.join());
});
