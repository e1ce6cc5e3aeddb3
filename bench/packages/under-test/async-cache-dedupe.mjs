import { createCache } from "async-cache-dedupe";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

everySchedule("concurrent calls of a key make one call and get its value", async (world) => {
  let calls = 0;
  const load = async (key) => {
    const call = ++calls;
    await world.pause(`load ${call}`);
    return `${key} of ${call}`;
  };
  const cache = createCache({ ttl: 5, storage: { type: "memory" } });
  cache.define("load", load);
  const answers = await Promise.all([cache.load("k"), cache.load("k")]);
  check(calls === 1 && answers[0] === answers[1], `${calls} calls: ${answers}`);
});
