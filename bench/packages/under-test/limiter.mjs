import { RateLimiter } from "limiter";
import { everySchedule } from "../../../src/testing/code.js";
import { check } from "./gate.mjs";

everySchedule(
  "no more tokens are removed within an interval than it has, and everyone gets one",
  async (world) => {
    const limiter = new RateLimiter({ tokensPerInterval: 2, interval: 100 });
    const times = [];
    const visit = async (name) => {
      await limiter.removeTokens(1);
      times.push(Date.now());
      await world.pause(`${name} inside`);
    };
    await Promise.all(["a", "b", "c"].map(visit));
    check(
      times.length === 3 && times[2] - times[0] >= 50,
      `begun at ${times.map((time) => time - times[0])}`,
    );
  },
);
