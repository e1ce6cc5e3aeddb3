import pSettle from "p-settle";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate } from "./gate.mjs";

everySchedule("at most 2 run at once, and every result is reported in order", async (world) => {
  const gate = new Gate(2);
  const found = await pSettle(
    ["a", "b", "c"].map((name) => async () => {
      await gate.pass(() => world.pause(name));
      if (name === "b") throw new Error("b fails");
      return name;
    }),
    { concurrency: 2 },
  );
  check(found.map(({ isFulfilled }) => isFulfilled).join() === "true,false,true", JSON.stringify(found));
});
