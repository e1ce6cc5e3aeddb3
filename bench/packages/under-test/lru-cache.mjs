import { LRUCache } from "lru-cache";
import { everySchedule } from "../../../src/testing/code.js";
import { check, outcome } from "./gate.mjs";

everySchedule("concurrent fetches of a key make one call and get its value", async (world) => {
  const calls = [];
  const cache = new LRUCache({
    max: 10,
    fetchMethod: async (key) => {
      calls.push(key);
      await world.pause(`answer for ${key}`);
      return `${key}!`;
    },
  });
  const fetch = async (key, name) => {
    await world.pause(`${name} arrives`);
    return cache.fetch(key);
  };
  const answers = await Promise.all([fetch("x", 1), fetch("x", 2), fetch("y", 3)]);
  check(answers.join() === "x!,x!,y!", answers.join());
  check(calls.toSorted().join() === "x,y", `asked for ${calls}`);
});

everySchedule("a value set during a fetch is not replaced by the fetch's answer", async (world) => {
  const cache = new LRUCache({
    max: 10,
    fetchMethod: async () => {
      await world.pause("answer");
      return "fetched";
    },
  });
  const fetched = outcome(cache.fetch("x"));
  await world.pause("somebody sets");
  cache.set("x", "set");
  await fetched;
  await world.sleep(1);
  check(cache.get("x") === "set", `the cache has ${cache.get("x")}`);
});

everySchedule("a key deleted during a fetch does not come back with its answer", async (world) => {
  const cache = new LRUCache({
    max: 10,
    fetchMethod: async () => {
      await world.pause("answer");
      return "fetched";
    },
  });
  const fetched = outcome(cache.fetch("x"));
  await world.pause("somebody deletes");
  cache.delete("x");
  await fetched;
  await world.sleep(1);
  check(cache.get("x") === undefined, `the cache has ${cache.get("x")}`);
});
