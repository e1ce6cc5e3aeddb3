import DataLoader from "dataloader";
import { everySchedule } from "../../../src/testing/code.js";
import { check, outcome } from "./gate.mjs";

everySchedule("a key is requested once, and every load gets the value of its key", async (world) => {
  const asked = [];
  const loader = new DataLoader(async (keys) => {
    asked.push(...keys);
    await world.pause(`answer for ${keys.join(" ")}`);
    return keys.map((key) => `${key}!`);
  });
  const load = async (key, name) => {
    await world.pause(`${name} arrives`);
    return loader.load(key);
  };
  const answers = await Promise.all([load("x", 1), load("y", 2), load("x", 3)]);
  check(answers.join() === "x!,y!,x!", answers.join());
  check(asked.toSorted().join() === "x,y", `asked for ${asked}`);
});

everySchedule("a load after clear never returns a value read before the clear", async (world) => {
  let stored = "old";
  const loader = new DataLoader(async (keys) => {
    const read = stored;
    await world.pause("answer");
    return keys.map(() => read);
  });
  const first = loader.load("x");
  await world.pause("somebody writes");
  stored = "new";
  loader.clear("x");
  check((await loader.load("x")) === "new", "what was read before the clear is given");
  await first;
  check((await loader.load("x")) === "new", "what was read before the clear has come back");
});

everySchedule(
  "a key that failed gives its error to each who loads it, and others their values",
  async (world) => {
    const loader = new DataLoader(async (keys) => {
      await world.pause(`answer for ${keys.join(" ")}`);
      return keys.map((key) => (key === "bad" ? new Error("bad key") : `${key}!`));
    });
    const load = async (key, name) => {
      await world.pause(`${name} arrives`);
      return loader.load(key);
    };
    const answers = await Promise.all([load("bad", 1), load("x", 2), load("bad", 3)].map(outcome));
    check(answers.join() === "rejected bad key,fulfilled x!,rejected bad key", answers.join());
  },
);
