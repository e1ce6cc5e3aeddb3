import { Sema } from "async-sema";
import { everySchedule } from "../../../src/testing/code.js";
import { check, Gate } from "./gate.mjs";

everySchedule("at most 2 hold it at once, in the order of their asking", async (world) => {
  const sema = new Sema(2);
  const gate = new Gate(2);
  const asked = [];
  const entered = [];
  const visit = async (name) => {
    await world.pause(`${name} arrives`);
    asked.push(name);
    const token = await sema.acquire();
    entered.push(name);
    await gate.pass(() => world.pause(`${name} inside`));
    sema.release(token);
  };
  await Promise.all(["a", "b", "c"].map(visit));
  check(asked.join() === entered.join(), `asked ${asked}, entered ${entered}`);
  check(sema.nrWaiting() === 0 && gate.passed === 3, "somebody was left out");
});

everySchedule("after drain it is free, and it can be taken again when released", async (world) => {
  const sema = new Sema(2);
  const gate = new Gate(2);
  const visit = async (name) => {
    const token = await sema.acquire();
    await gate.pass(() => world.pause(`${name} inside`));
    sema.release(token);
  };
  const visits = Promise.all(["a", "b", "c"].map(visit));
  await world.pause("somebody drains");
  const tokens = await sema.drain();
  check(gate.inside === 0 && tokens.length === 2, `${gate.inside} are inside after drain`);
  const late = visit("d");
  await world.pause("released");
  check(gate.inside === 0, "somebody got in while it was drained");
  for (const token of tokens) sema.release(token);
  await visits;
  await late;
});
