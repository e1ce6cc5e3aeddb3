/** Assumptions that the schedules of a test relied on, as lines of its verdict. */
import { Relied } from "../../code/realm/index.js";
import type { ScheduleOptions } from "./options.js";
import { limitsOf } from "./options.js";

/** `relied`: bits of `Relied`. `caught`: the first assertion that the code under test caught. */
export function scopeLines(relied: number, options: ScheduleOptions, caught: string): string[] {
  const { epochMs, latenessMs, late = 0, random } = limitsOf(options).world;
  const seed = "seed" in random ? random.seed : 0;
  // The number of random values is an option of the test; an endless run is a spent budget.
  const texts: Record<Exclude<keyof typeof Relied, "fewRandoms" | "endless">, string> = {
    late: `bounded. While a request was pending, an interval, or a timer that sets the next one, fired at most ${late === 1 ? "once" : `${late} times`} (late).`,
    seed: `one seed. Random numbers were drawn from seed ${seed} alone; { random: { values: n } } tries several.`,
    date: `one date. The clock began at ${new Date(epochMs).toISOString()}; epochMs is another beginning.`,
    readings:
      "sampled clock. While requests were in transit the clock was read at the earliest and at the latest possible time (one day on where nothing bounds it), at none between.",
    lateness: `timers. They fired at most ${latenessMs} ms late (latenessMs), and turns took no time.`,
    wholeDelays:
      "whole delays. By the clock that was read no timer fired early; Node's may, by less than 1 ms, because its timers count milliseconds from another beginning.",
    wholeSegments:
      "network. Segments were cut, datagrams lost or repeated and connections reset only where world.network was asked for it (maySplit, mayLose, mayDuplicate, mayReset).",
    cuts: "sampled cuts. Long segments were cut near their ends, in the middle and at line ends, nowhere else.",
    interval: "intervals. An interval that the test left running fired once after the end of the test.",
    caught: `caught assertions. The code under test caught an assertion that failed: ${caught}.`,
    wholeWrites: "whole writes. A crash kept each write as a whole or not at all, never a part of one.",
    instantTurns:
      "instant turns. A turn took no time: the clock did not advance within it, and timers that it set fired by their delays.",
    ownConnections:
      "own connections. Each request of node:http had a separate connection, which was not reused.",
    roomOnWire: "room on the wire. Connections accepted all written data, however much of it was unread.",
    ownStreams:
      "own streams. Events of streams came in the order of the world's own ones, and destroyed sockets closed at once; Node's come in another order within a turn, such as data before write returns, buffered writes as one, and a close after other events.",
    uncollected: "no collection. Weak references kept their targets, and finalizers never ran.",
    timersAlone: "punctual clock. Time passed only until the next timer, and requests took none.",
  };
  return (Object.keys(texts) as (keyof typeof texts)[])
    .filter((name) => (relied & Relied[name]) !== 0) // sound: test/testing/scope.test.ts
    .map((name) => `Scope: ${texts[name]}`);
}
