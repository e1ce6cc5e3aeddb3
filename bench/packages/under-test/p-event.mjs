import { EventEmitter } from "node:events";
import { pEvent } from "p-event";
import { everySchedule } from "../../../src/testing/code.js";
import { check, outcome } from "./gate.mjs";

everySchedule(
  "it gives the first event after the call, or its timeout, and leaves no listener",
  async (world) => {
    const emitter = new EventEmitter();
    const waiting = outcome(pEvent(emitter, "x", { timeout: 50 }));
    void world.emit(emitter, "x", 1);
    void world.emit(emitter, "x", 2);
    const answer = await waiting;
    check(answer === "fulfilled 1" || /^rejected Promise timed out/.test(answer), answer);
    check(emitter.listenerCount("x") === 0 && emitter.listenerCount("error") === 0, "listeners are left");
  },
);
