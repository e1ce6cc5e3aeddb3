import AwaitLock from "await-lock";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate, outcome } from "./gate.mjs";

everySchedule("at most one holds the lock, and everyone gets it", async (world) => {
  const lock = new AwaitLock();
  const gate = new Gate(1);
  const visit = async (name) => {
    await world.pause(`${name} arrives`);
    await lock.acquireAsync();
    await gate.pass(() => world.pause(`${name} inside`));
    lock.release();
  };
  await Promise.all(["a", "b", "c"].map(visit));
  check(gate.passed === 3, `${gate.passed} got in`);
});

everySchedule(
  "a caller whose timeout is over does not get the lock, and the next one does",
  async (world) => {
    const lock = new AwaitLock();
    const gate = new Gate(1);
    const visit = async (name, options) => {
      await lock.acquireAsync(options);
      await gate.pass(() => world.pause(`${name} inside`));
      lock.release();
    };
    const answers = await Promise.all([visit("a"), outcome(visit("b", { timeout: 10 })), visit("c")]);
    check(
      gate.passed === (answers[1].startsWith("rejected") ? 2 : 3),
      `${answers[1]}, but ${gate.passed} were inside`,
    );
    check(!lock.acquired, "the lock is kept");
  },
);
