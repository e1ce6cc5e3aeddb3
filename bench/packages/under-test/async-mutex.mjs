import { Mutex, Semaphore, withTimeout } from "async-mutex";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate, outcome } from "./gate.mjs";

everySchedule("at most one caller is inside runExclusive, and every caller gets in", async (world) => {
  const mutex = new Mutex();
  const gate = new Gate(1);
  const visit = async (name) => {
    await world.pause(`${name} arrives`);
    await mutex.runExclusive(() => gate.pass(() => world.pause(`${name} inside`)));
  };
  await Promise.all(["a", "b", "c"].map(visit));
  check(gate.passed === 3 && !mutex.isLocked(), "somebody was left out, or the lock is kept");
});

everySchedule("a caller whose withTimeout is over does not keep the lock", async (world) => {
  const mutex = new Mutex();
  const limited = withTimeout(mutex, 10, new Error("timeout"));
  const gate = new Gate(1);
  const holder = mutex.runExclusive(() => gate.pass(() => world.pause("holder inside")));
  const waiter = outcome(limited.runExclusive(() => gate.pass(() => world.pause("waiter inside"))));
  await holder;
  const answer = await waiter;
  check(gate.passed === (answer === "rejected timeout" ? 1 : 2), `${answer}, but ${gate.passed} were inside`);
  await world.sleep(1);
  check(!mutex.isLocked(), "the lock is kept");
  await mutex.runExclusive(() => gate.pass(() => world.pause("last inside")));
});

everySchedule("cancel rejects waiting callers and leaves the holder its lock", async (world) => {
  const mutex = new Mutex();
  const gate = new Gate(1);
  const visit = (name) => outcome(mutex.runExclusive(() => gate.pass(() => world.pause(`${name} inside`))));
  const visits = [visit("a"), visit("b"), visit("c")];
  await world.pause("somebody cancels");
  const wasInside = gate.inside;
  mutex.cancel();
  check(gate.inside === wasInside, "the holder lost its lock");
  const last = visit("d");
  const answers = await Promise.all([...visits, last]);
  check(
    answers.every((answer) => /^fulfilled|request for lock canceled/.test(answer)),
    answers.join(", "),
  );
  check(answers.at(-1).startsWith("fulfilled") && !mutex.isLocked(), "the lock cannot be had any more");
  check(
    answers.filter((answer) => answer.startsWith("fulfilled")).length === gate.passed,
    answers.join(", "),
  );
});

everySchedule("a semaphore of 3 is never overdrawn by weights, and all weights get in", async (world) => {
  const semaphore = new Semaphore(3);
  const gate = new Gate(3);
  const visit = async (weight, index) => {
    await world.pause(`${index} arrives`);
    await semaphore.runExclusive(() => gate.pass(() => world.pause(`${index} inside`), weight), weight);
  };
  await Promise.all([2, 2, 1].map(visit));
  check(gate.passed === 3 && semaphore.getValue() === 3, `the semaphore is left at ${semaphore.getValue()}`);
});
