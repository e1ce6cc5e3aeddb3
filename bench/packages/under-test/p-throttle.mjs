import pThrottle from "p-throttle";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

everySchedule("at most 2 calls begin within an interval, and all do", async (world) => {
  const times = [];
  const call = pThrottle({ limit: 2, interval: 1000, strict: true })(async (name) => {
    times.push(Date.now());
    await world.pause(`${name} inside`);
  });
  await Promise.all(["a", "b", "c"].map((name) => call(name)));
  check(
    times.length === 3 && times[2] - times[0] >= 1000,
    `begun at ${times.map((time) => time - times[0])}`,
  );
});
