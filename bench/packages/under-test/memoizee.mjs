import memoize from "memoizee";
import { everySchedule } from "../../../src/testing/code.js";
import { check, outcome } from "./gate.mjs";

everySchedule("concurrent calls of a key make one call and get its value", async (world) => {
  let calls = 0;
  const load = async (key) => {
    const call = ++calls;
    await world.pause(`load ${call}`);
    return `${key} of ${call}`;
  };
  const get = memoize(load, { promise: true });
  const answers = await Promise.all([get("k"), world.pause("later").then(() => get("k"))]);
  check(calls === 1 && answers[0] === answers[1], `${calls} calls: ${answers}`);
});

everySchedule("a call that was rejected is made again", async (world) => {
  let calls = 0;
  const load = async () => {
    const call = ++calls;
    await world.pause(`load ${call}`);
    if (call === 1) throw new Error("no");
    return call;
  };
  const get = memoize(load, { promise: true });
  const first = await outcome(get("k"));
  const second = await outcome(get("k"));
  check(first === "rejected no" && second === "fulfilled 2", `${first}, ${second}`);
});

everySchedule("a call after clear never returns a value asked for before the clear", async (world) => {
  let calls = 0;
  const load = async (key) => {
    const call = ++calls;
    await world.pause(`load ${call}`);
    return `${key} of ${call}`;
  };
  const get = memoize(load, { promise: true });
  const before = get("k");
  await world.pause("somebody clears");
  get.clear();
  const after = await get("k");
  check(after !== (await before), `${after} after the clear`);
  check((await get("k")) === after, "the old value came back");
});
