import { PassThrough } from "node:stream";
import pump from "pump";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

everySchedule("the callback comes once, and an error destroys every stream", async (world) => {
  const [from, to] = [new PassThrough(), new PassThrough()];
  let calls = 0;
  const end = new Promise((resolve) => pump(from, to, () => resolve(calls++)));
  to.resume();
  from.write("a");
  await world.pause("somebody destroys");
  (world.choose(2) === 0 ? from : to).destroy(new Error("gone"));
  await end;
  await world.pause("later");
  check(calls === 1 && from.destroyed && to.destroyed, `${calls} calls, ${from.destroyed}, ${to.destroyed}`);
});
