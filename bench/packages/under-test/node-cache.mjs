import NodeCache from "node-cache";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

everySchedule("a value is not returned after its time", async (world) => {
  const cache = new NodeCache({ checkperiod: 0 });
  cache.set("k", "v", 1);
  await world.pause("later");
  await world.sleep(1001);
  check(cache.get("k") === undefined, "it is still there");
});
