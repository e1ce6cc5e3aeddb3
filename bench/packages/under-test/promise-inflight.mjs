import inflight from "promise-inflight";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

everySchedule(
  "concurrent calls of a key make one call, and a call after its end makes another",
  async (world) => {
    let calls = 0;
    const load = async (key) => {
      const call = ++calls;
      await world.pause(`load ${call}`);
      return `${key} of ${call}`;
    };
    const get = () => inflight("k", () => load("k"));
    const [first, second] = await Promise.all([get(), get()]);
    check(first === second && calls === 1, `${calls} calls`);
    check((await get()) !== first && calls === 2, `${calls} calls`);
  },
);
