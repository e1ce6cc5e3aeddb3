import { PromisePool } from "@supercharge/promise-pool";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate } from "./gate.mjs";

everySchedule("at most 2 run at once, and results and errors account for every item", async (world) => {
  const gate = new Gate(2);
  const { results, errors } = await PromisePool.withConcurrency(2)
    .for(["a", "b", "c"])
    .process(async (name) => {
      await gate.pass(() => world.pause(`${name} inside`));
      if (name === "b") throw new Error("b fails");
      return name;
    });
  check(results.toSorted().join() === "a,c" && errors.length === 1, `${results}, ${errors.length} errors`);
});
