import pSeries from "p-series";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate } from "./gate.mjs";

everySchedule("one task runs at a time, and results keep the order", async (world) => {
  const gate = new Gate(1);
  const found = await pSeries(
    ["a", "b", "c"].map((name) => async () => {
      await gate.pass(() => world.pause(name));
      return name;
    }),
  );
  check(found.join() === "a,b,c", found.join());
});
