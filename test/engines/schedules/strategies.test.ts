/**
 * Delays, preemptions and the guarantees of priorities, on programs whose events request events: beside definitions that are
 * short enough to be trusted by eye.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ScheduleSearch,
  type SearchOptions,
  type SearchResult,
} from "../../../src/engines/schedules/index.js";
import { PlannedChooser, type Offer, type Plan, type ScheduleRun } from "../../../src/model/index.js";
import { whole } from "./whole.js";

/** An event and its requests: the first continues its task. */
interface Event {
  readonly name: string;
  readonly next: readonly Event[];
  /** A timer: by default it comes after all other events. */
  readonly isLate: boolean;
}

interface Waiting extends Offer {
  readonly event: Event;
}

describe("delays", () => {
  test("the schedules within a bound are those of a queue whose first is put last so often", () =>
    fc.assert(
      fc.property(program(false), fc.integer({ min: 0, max: 4 }), (events, bound) => {
        const { seen, result } = search(events, { strategy: "delays", bound });
        expect(new Set(seen)).toEqual(withDelays(events, bound));
        expect(new Set(seen).size).toBe(seen.length);
        expect(result.exhaustedBound).toBe(bound);
      }),
      { numRuns: 300 },
    ));

  test("one delay puts a thing behind all that could happen, not behind what is asked for later", () => {
    const [b, c] = [event("b", [event("d")]), event("c")];
    const { seen } = search([event("a"), b, c], { strategy: "delays", bound: 1 });
    expect(seen).toContain("bcad");
    expect(seen).not.toContain("bcda");
  });

  test("none is the default order, with timers too", () =>
    fc.assert(
      fc.property(program(true), (events) => {
        const { seen } = search(events, { strategy: "delays", bound: 0 });
        expect(seen).toEqual([search(events, { strategy: "deviations", bound: 0 }).seen[0]]);
      }),
    ));
});

test("the schedules within a bound of preemptions are those that leave a task that could go on so often", () =>
  fc.assert(
    fc.property(program(true), fc.integer({ min: 0, max: 3 }), (events, bound) => {
      const { seen } = search(events, { strategy: "preemptions", bound });
      const expected = everySchedule(events).filter(({ preemptions }) => preemptions <= bound);
      expect(seen.toSorted()).toEqual(expected.map(({ names }) => names).toSorted());
    }),
    { numRuns: 300 },
  ));

for (const strategy of ["deviations", "delays", "preemptions", "depth-first"] as const)
  test(`${strategy} without a bound: every schedule, few of what is counted first`, () =>
    fc.assert(
      fc.property(program(true), (events) => {
        const { seen, result } = search(events, { strategy });
        expect(seen.toSorted()).toEqual(
          everySchedule(events)
            .map(({ names }) => names)
            .toSorted(),
        );
        expect(result.isExhausted).toBe(true);
      }),
      { numRuns: 100 },
    ));

describe("priorities that change at random", () => {
  const chain = (letter: string, length: number): Event =>
    Array.from({ length }).reduceRight<Event | undefined>(
      (next, _, i) => event(`${letter}${i + 1}`, next ? [next] : []),
      undefined,
    )!;
  const isOrdered = (schedule: string, ...names: string[]): boolean =>
    names.every((name, i) => i === 0 || schedule.indexOf(names[i - 1]!) < schedule.indexOf(name));
  const frequency = (
    events: readonly Event[],
    changes: number,
    fails: (schedule: string) => boolean,
  ): number => {
    const length = everyEvent(events).length;
    let failures = 0;
    for (let seed = 0; seed < RUNS; seed++)
      if (fails(run(events, { prefix: [], tail: { kind: "pct", seed, changes, length } }).names)) failures++;
    return failures / RUNS;
  };

  test("depth 1: one order of two things, of four tasks", () => {
    const events = ["a", "b", "c", "d"].map((letter) => chain(letter, 4));
    expect(frequency(events, 0, (s) => isOrdered(s, "b4", "a1"))).toBeGreaterThanOrEqual(1 / 4);
  });

  test("depth 2: something between two steps of another task", () => {
    const events = [chain("a", 5), chain("b", 5)];
    const fails = (s: string): boolean => isOrdered(s, "a2", "b3", "a3");
    expect(frequency(events, 1, fails)).toBeGreaterThanOrEqual(1 / (2 * 10));
    expect(frequency(events, 0, fails)).toBe(0);
  });

  test("depth 3: two tasks in turn, and one of three between", () => {
    const events = [chain("a", 4), chain("b", 4)];
    const fails = (s: string): boolean => isOrdered(s, "a2", "b2", "a3", "b3");
    expect(frequency(events, 2, fails)).toBeGreaterThanOrEqual(1 / (2 * 8 ** 2));
    expect(frequency(events, 1, fails)).toBe(0);
    const three = [chain("a", 3), chain("b", 3), chain("c", 3)];
    const order = (s: string): boolean =>
      isOrdered(s, "a1", "c1") && isOrdered(s, "c3", "a2") && isOrdered(s, "a3", "b2");
    expect(frequency(three, 2, order)).toBeGreaterThanOrEqual(1 / (3 * 9 ** 2));
  });

  test("what its runs promise is said, and is not more than what they keep", () => {
    const events = [chain("a", 5), chain("b", 5)];
    const { result } = search(events, { strategy: "pct", depth: 2, maxSchedules: 101 });
    expect(result.chances).toMatchObject({ tasks: 2, turns: 10 });
    expect(result.chances!.of[0]!.chance).toBeCloseTo(1 - (1 - 1 / 2) ** 50);
    expect(result.chances!.of[1]!.chance).toBeCloseTo(1 - (1 - 1 / 20) ** 50);
    expect(result).toMatchObject({ isExhausted: false, spent: ["random"] });
  });
});

const RUNS = 4000;

const event = (name: string, next: readonly Event[] = [], isLate = false): Event => ({ name, next, isLate });

const everyEvent = (events: readonly Event[]): Event[] => events.flatMap((e) => [e, ...everyEvent(e.next)]);

/** At most seven events, named by letters. */
function program(hasTimers: boolean): fc.Arbitrary<readonly Event[]> {
  const parents = fc.array(fc.tuple(fc.nat(6), fc.boolean()), { minLength: 1, maxLength: 6 });
  return parents.map((all) => {
    const children = all.map((): number[] => []);
    const roots: number[] = [];
    all.forEach(([parent], i) => (parent < i ? children[parent]! : roots).push(i));
    const make = (i: number): Event => event("abcdef"[i]!, children[i]!.map(make), hasTimers && all[i]![1]);
    return roots.map(make);
  });
}

/** Pending events, with the counters for ids and tasks. */
class Pending {
  #ids = 0;
  tasks = 1;
  readonly waiting: Waiting[] = [];

  constructor(events: readonly Event[]) {
    this.#add(events, 0);
  }

  /** In the default order; of the timers only the first. */
  enabled(): Waiting[] {
    const late = this.waiting.filter(({ event: { isLate } }) => isLate);
    return [...this.waiting.filter((one) => !late.includes(one)), ...late.slice(0, 1)];
  }

  fire(one: Waiting): void {
    this.waiting.splice(this.waiting.indexOf(one), 1);
    this.#add(one.event.next, one.task);
  }

  #add(events: readonly Event[], task: number): void {
    events.forEach((e, i) =>
      this.waiting.push({ event: e, id: this.#ids++, task: i === 0 ? task : this.tasks++ }),
    );
  }
}

function run(events: readonly Event[], plan: Plan): { names: string; run: ScheduleRun } {
  const chooser = new PlannedChooser(plan);
  const pending = new Pending(events);
  let names = "";
  for (let enabled = pending.enabled(); enabled.length > 0; enabled = pending.enabled()) {
    const one = enabled[chooser.choose(enabled.length, enabled)]!;
    chooser.turn++;
    names += one.event.name;
    pending.fire(one);
  }
  const { made, turn } = chooser;
  return { names, run: { made, turns: turn, tasks: pending.tasks, end: "passed", fingerprint: 0 } };
}

function search(
  events: readonly Event[],
  options: Partial<SearchOptions>,
): { seen: string[]; result: SearchResult } {
  const all = new ScheduleSearch({ ...whole, strategy: "delays", ...options });
  const seen: string[] = [];
  for (let request = all.next(); request; request = all.next()) {
    const one = run(events, request.plan);
    seen.push(one.names);
    all.record(one.run);
  }
  return { seen, result: all.result() };
}

/** A queue, and two things to do: run its first, or put it last. */
function withDelays(events: readonly Event[], bound: number): Set<string> {
  const found = new Set<string>();
  const visit = (queue: readonly Event[], left: number, names: string): void => {
    if (queue.length === 0) return void found.add(names);
    const [head, ...rest] = queue as [Event, ...Event[]];
    visit([...rest, ...head.next], left, names + head.name);
    if (left > 0) visit([...rest, head], left - 1, names);
  };
  visit(events, bound, "");
  return found;
}

function everySchedule(events: readonly Event[]): { names: string; preemptions: number }[] {
  const found: { names: string; preemptions: number }[] = [];
  const visit = (path: readonly number[]): void => {
    const pending = new Pending(events);
    let names = "";
    let preemptions = 0;
    let last = -1;
    for (const index of path) {
      const enabled = pending.enabled();
      const one = enabled[index]!;
      if (one.task !== last && enabled.some(({ task }) => task === last)) preemptions++;
      last = one.task;
      names += one.event.name;
      pending.fire(one);
    }
    const count = pending.enabled().length;
    if (count === 0) found.push({ names, preemptions });
    for (let i = 0; i < count; i++) visit([...path, i]);
  };
  visit([]);
  return found;
}
