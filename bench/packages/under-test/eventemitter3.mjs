import { EventEmitter } from "eventemitter3";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

everySchedule("a once listener is called once, although it emits again", async (world) => {
  const emitter = new EventEmitter();
  let calls = 0;
  emitter.once("x", () => {
    calls++;
    emitter.emit("x");
  });
  await Promise.all([
    world.pause("a").then(() => emitter.emit("x")),
    world.pause("b").then(() => emitter.emit("x")),
  ]);
  check(calls === 1, `${calls} calls`);
});
