import async from "async";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate } from "./gate.mjs";

everySchedule("at most 2 tasks of a queue run at once, and drain comes after the last", async (world) => {
  const gate = new Gate(2);
  const queue = async.queue(async (name) => gate.pass(() => world.pause(`${name} inside`)), 2);
  for (const name of ["a", "b", "c"]) void queue.push(name);
  await queue.drain();
  check(gate.passed === 3 && queue.idle(), `${gate.passed} were done`);
});

everySchedule("mapLimit runs at most 2 at once and keeps the order", async (world) => {
  const gate = new Gate(2);
  const found = await async.mapLimit(["a", "b", "c"], 2, async (name) => {
    await gate.pass(() => world.pause(`${name} inside`));
    return name;
  });
  check(found.join() === "a,b,c", found.join());
});

everySchedule("auto runs a task after all it depends on", async (world) => {
  const over = [];
  const task = (name, needs) => async () => {
    check(
      needs.every((need) => over.includes(need)),
      `${name} began after ${over}`,
    );
    await world.pause(name);
    over.push(name);
  };
  await async.auto({
    a: task("a", []),
    b: task("b", []),
    c: ["a", task("c", ["a"])],
    d: ["b", "c", task("d", ["b", "c"])],
  });
  check(over.length === 4, over.join());
});
