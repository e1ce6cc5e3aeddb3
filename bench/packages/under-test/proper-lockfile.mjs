import { lock } from "proper-lockfile";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate, outcome } from "./gate.mjs";

everySchedule(
  "at most one holds the lock of a file, and it can be taken again when released",
  async (world) => {
    world.files.write("/data", "x");
    const gate = new Gate(1);
    const visit = async (name) => {
      const answer = await outcome(
        lock("/data", { realpath: false }).then(async (release) => {
          await gate.pass(() => world.pause(`${name} inside`));
          await release();
        }),
      );
      check(/^fulfilled|already being held/.test(answer), answer);
    };
    await Promise.all([visit("a"), visit("b")]);
    await (
      await lock("/data", { realpath: false })
    )();
  },
);
