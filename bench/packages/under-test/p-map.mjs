import pMap from "p-map";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate } from "./gate.mjs";

everySchedule("at most 2 run at once, and results keep the order", async (world) => {
  const gate = new Gate(2);
  const run = async (name) => {
    await gate.pass(() => world.pause(`${name} inside`));
    return name;
  };
  const found = await pMap(["a", "b", "c"], run, { concurrency: 2 });
  check(found.join() === "a,b,c" && gate.passed === 3, found.join());
});
