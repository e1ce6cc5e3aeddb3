/** Options under which nothing is omitted. */
import type { SearchOptions } from "../../../src/engines/schedules/index.js";

export const whole: SearchOptions = {
  strategy: "deviations",
  maxSchedules: 100_000,
  timeMs: Infinity,
  maxTurns: 1000,
  bound: Infinity,
  depth: 3,
  seed: 1,
  replayEvery: 0,
  maxShortening: 100_000,
  shorteningMs: Infinity,
  now: () => 0,
};
