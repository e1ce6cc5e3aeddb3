import pEachSeries from "p-each-series";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate } from "./gate.mjs";

everySchedule("elements are taken one at a time, in order, and none after stop", async (world) => {
  const gate = new Gate(1);
  const taken = [];
  const input = [1, world.pause("element").then(() => 2), 3, 4];
  await pEachSeries(input, (n) =>
    gate.pass(async () => {
      taken.push(n);
      await world.pause(`take ${n}`);
      return n === 3 ? pEachSeries.stop : undefined;
    }),
  );
  check(taken.join() === "1,2,3", `took ${taken}`);
});
