import pFilter from "p-filter";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate } from "./gate.mjs";

everySchedule("the elements that pass are kept in order, with at most 2 filters at once", async (world) => {
  const gate = new Gate(2);
  const kept = await pFilter(
    [1, 2, 3, 4],
    (n) => gate.pass(() => world.pause(`filter ${n}`).then(() => n !== 2)),
    { concurrency: 2 },
  );
  check(kept.join() === "1,3,4", `kept ${kept}`);
});
