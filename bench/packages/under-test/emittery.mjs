import Emittery from "emittery";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate } from "./gate.mjs";

everySchedule("emit waits for every listener", async (world) => {
  const emitter = new Emittery();
  const over = [];
  for (const name of ["a", "b"])
    emitter.on("x", async () => {
      await world.pause(name);
      over.push(name);
    });
  await emitter.emit("x");
  check(over.length === 2, `${over} were over`);
});

everySchedule("emitSerial calls listeners one after another, in their order", async (world) => {
  const emitter = new Emittery();
  const gate = new Gate(1);
  const called = [];
  for (const name of ["a", "b", "c"])
    emitter.on("x", async () => {
      called.push(name);
      await gate.pass(() => world.pause(name));
    });
  await emitter.emitSerial("x");
  check(called.join() === "a,b,c", called.join());
});
