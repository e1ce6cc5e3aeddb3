import AsyncLock from "async-lock";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate, outcome } from "./gate.mjs";

everySchedule("tasks of one key run one at a time, even if one fails", async (world) => {
  const lock = new AsyncLock();
  const gate = new Gate(1);
  const visit = async (name) => {
    await world.pause(`${name} arrives`);
    return lock.acquire("key", async () => {
      await gate.pass(() => world.pause(`${name} inside`));
      if (name === "b") throw new Error("b fails");
      return name;
    });
  };
  const answers = await Promise.all(["a", "b", "c"].map((name) => outcome(visit(name))));
  check(answers.join() === "fulfilled a,rejected b fails,fulfilled c", answers.join());
  check(gate.passed === 3 && !lock.isBusy(), "somebody was left out, or the lock is kept");
});

everySchedule("a task that was rejected by its timeout never runs, and the next one does", async (world) => {
  const lock = new AsyncLock();
  const gate = new Gate(1);
  const started = [];
  const visit = (name, options) =>
    outcome(
      lock.acquire(
        "key",
        () => {
          started.push(name);
          return gate.pass(() => world.pause(`${name} inside`));
        },
        options,
      ),
    );
  const answers = await Promise.all([visit("a", {}), visit("b", { timeout: 10 }), visit("c", {})]);
  check(answers[0].startsWith("fulfilled") && answers[2].startsWith("fulfilled"), answers.join());
  check(started.includes("b") === answers[1].startsWith("fulfilled"), `${started}: ${answers}`);
  check(!lock.isBusy(), "the lock is kept");
});

everySchedule("a task of two keys excludes the tasks of either", async (world) => {
  const lock = new AsyncLock();
  const gates = { x: new Gate(1), y: new Gate(1) };
  const inside = (keys, name) =>
    keys.reduce(
      (run, key) => () => gates[key].pass(run),
      () => world.pause(name),
    );
  await Promise.all([
    lock.acquire(["x", "y"], inside(["x", "y"], "both inside")),
    world.pause("x arrives").then(() => lock.acquire("x", inside(["x"], "x inside"))),
    lock.acquire(["y", "x"], inside(["x", "y"], "both again")),
  ]);
  check(!lock.isBusy(), "the lock is kept");
});
