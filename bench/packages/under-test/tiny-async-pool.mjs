import asyncPool from "tiny-async-pool";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate } from "./gate.mjs";

everySchedule("at most 2 run at once, and every result comes once", async (world) => {
  const gate = new Gate(2);
  const run = async (name) => {
    await gate.pass(() => world.pause(`${name} inside`));
    return name;
  };
  const found = [];
  for await (const name of asyncPool(2, ["a", "b", "c"], run)) found.push(name);
  check(found.toSorted().join() === "a,b,c", found.join());
});
