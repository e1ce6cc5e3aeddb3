/** Timers that may fire next, compared with enumeration of moments: every start and every lateness up to the limit. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Moments } from "../../../src/code/world/moments.js";
import type { Pending } from "../../../src/code/world/world.js";

const latenessMs = 2;
const longestMs = 8;

/**
 * A program without choices: each turn sets the next of these timers. `undefined`: a request, answered at any moment.
 */
type Step = number | undefined;

const program = fc.array(fc.option(fc.integer({ min: 1, max: longestMs }), { nil: undefined }), {
  minLength: 2,
  maxLength: 5,
});

const pending = (delayMs: number): Pending => ({
  lane: "timers",
  label: `${delayMs}`,
  queue: "",
  due: 0,
  delayMs,
  run: () => {},
});

/** The orders in which the first timers fire if each turn executes the next step of the program. */
function ordersBySymbols(steps: readonly Step[]): Set<string> {
  const found = new Set<string>();
  const explore = (choices: readonly number[]): void => {
    const moments = new Moments(latenessMs);
    const waiting: Pending[] = [];
    let at = 0;
    let requests = 0;
    const names = new Map<Pending, string>();
    const go = (): void => {
      const step = steps[at++];
      if (at > steps.length) return;
      if (step === undefined) return void requests++;
      const item = pending(step);
      names.set(item, `${at}`);
      waiting.push(item);
      moments.set(item, step);
    };
    go();
    go();
    const log: string[] = [];
    for (const choice of choices) {
      const timers = moments.next(() => true);
      const options = [...timers.map((item) => names.get(item)!), ...(requests > 0 ? ["r"] : [])];
      if (choice >= options.length) return;
      const item = timers[choice];
      log.push(options[choice]!);
      if (item) waiting.splice(waiting.indexOf(item), 1);
      else requests--;
      moments.begin(item ?? { ...pending(0), due: undefined });
      go();
    }
    const left = moments.next(() => true).length + (requests > 0 ? 1 : 0);
    if (left === 0) return void found.add(log.join());
    for (let choice = 0; choice < left; choice++) explore([...choices, choice]);
  };
  explore([]);
  return found;
}

/** The same by enumeration: turns happen at integral moments, all of which are tried. */
function ordersByNumbers(steps: readonly Step[]): Set<string> {
  const found = new Set<string>();
  interface Set0 {
    readonly name: string;
    readonly start: number;
    readonly delayMs: number;
  }
  const explore = (
    now: number,
    at: number,
    timers: readonly Set0[],
    requests: number,
    log: readonly string[],
    last: number,
  ): void => {
    if (timers.length === 0 && requests === 0) return void found.add(log.join());
    const latest = Math.min(...timers.map((t) => t.start + t.delayMs + latenessMs), now + 2 * longestMs);
    const next = (
      time: number,
      left: readonly Set0[],
      requestsLeft: number,
      name: string,
      delay: number,
    ): void => {
      const step = steps[at];
      const set =
        at < steps.length && step !== undefined ? [{ name: `${at + 1}`, start: time, delayMs: step }] : [];
      const asked = at < steps.length && step === undefined ? 1 : 0;
      explore(time, at + 1, [...left, ...set], requestsLeft + asked, [...log, name], delay);
    };
    for (let time = now; time <= latest; time++) {
      if (requests > 0) next(time, timers, requests - 1, "r", -1);
      for (const timer of timers) {
        const due = timer.start + timer.delayMs;
        const isFirstOfDelay = timers.find(({ delayMs }) => delayMs === timer.delayMs) === timer;
        const isFirst = timers.every((other) => due <= other.start + other.delayMs);
        const follows = time === now && last === timer.delayMs;
        if (due <= time && isFirstOfDelay && (isFirst || follows))
          next(
            time,
            timers.filter((other) => other !== timer),
            requests,
            timer.name,
            timer.delayMs,
          );
      }
    }
  };
  const first = steps.slice(0, 2);
  const timers = first.flatMap((step, i) =>
    step === undefined ? [] : [{ name: `${i + 1}`, start: 0, delayMs: step }],
  );
  explore(0, 2, timers, first.length - timers.length, [], -1);
  return found;
}

test("orders without numbers are those that numbers give", () => {
  fc.assert(
    fc.property(program, (steps) => {
      expect([...ordersBySymbols(steps)].sort()).toEqual([...ordersByNumbers(steps)].sort());
    }),
    { seed: 7, numRuns: 60 },
  );
});

test("the clock stands anywhere up to the next deadline and its lateness", () => {
  const moments = new Moments(latenessMs);
  moments.begin({ ...pending(0), due: undefined });
  expect(moments.readings()).toEqual([0, 86_400_000]);
  moments.fix(0);
  moments.set(pending(100), 100);
  moments.begin({ ...pending(0), due: undefined });
  expect(moments.readings()).toEqual([0, 102]);
  moments.fix(102);
  moments.begin({ ...pending(0), due: undefined });
  expect(moments.readings()).toEqual([102]);
});
