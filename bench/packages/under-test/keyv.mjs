import Keyv from "keyv";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

everySchedule("a value is not returned after its time, and is before", async (world) => {
  const store = new Keyv();
  const from = Date.now();
  await store.set("k", "v", 100);
  await world.pause("later");
  const value = await store.get("k");
  const now = Date.now();
  check(value === "v" || now - from >= 100, `gone after ${now - from} ms`);
  await world.sleep(101);
  check((await store.get("k")) === undefined, "it is still there");
});
