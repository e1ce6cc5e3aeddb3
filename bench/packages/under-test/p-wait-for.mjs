import pWaitFor from "p-wait-for";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

everySchedule("conditions are checked one at a time, and it is over when one holds", async (world) => {
  let [inside, asked] = [0, 0];
  await pWaitFor(
    async () => {
      check(++inside === 1, "two checks at once");
      asked++;
      await world.pause("condition");
      inside--;
      return asked === 2;
    },
    { interval: 10 },
  );
  check(inside === 0 && asked === 2, `${asked} were asked`);
});
