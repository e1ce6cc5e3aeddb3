/** The search that omits orders which no race requires: on runs that say themselves which choices race. */
import { expect, test } from "vitest";
import {
  ScheduleSearch,
  type SearchOptions,
  type SearchResult,
} from "../../../src/engines/schedules/index.js";
import type { Made, Race, ScheduleRun } from "../../../src/model/index.js";
import { whole } from "./whole.js";

interface Said extends Partial<Pick<ScheduleRun, "end" | "turns">> {
  /** A text: why not everything could be watched; null: races were not watched. */
  readonly races?: readonly Race[] | string | null;
}

type Choose = (options: number, isTurn?: boolean) => number;

interface Searched extends SearchResult {
  readonly seen: readonly string[];
}

function searched(program: (turn: Choose) => Said, options: Partial<SearchOptions> = {}): Searched {
  const search = new ScheduleSearch({ ...whole, reduces: true, ...options });
  const seen: string[] = [];
  for (let request = search.next(); request; request = search.next()) {
    const made: Made[] = [];
    const { prefix } = request.plan;
    const said = program((count, isTurn = true) => {
      const value = prefix[made.length] ?? 0;
      if (value >= count) throw new Error(`there is no option ${value} of ${count}`);
      made.push({ options: count, value, isTurn, turn: made.length });
      return value;
    });
    seen.push(made.map(({ value }) => value).join(""));
    const { end = "passed", turns = made.length, races = [] } = said;
    const told = typeof races === "string" ? { incomplete: races } : { found: races ?? [] };
    const run = { made, turns, tasks: 2, end, fingerprint: 0 };
    search.record(races === null ? run : { ...run, races: told });
    if (seen.length > 100) throw new Error("it does not end");
  }
  return { ...search.result(), seen };
}

test("orders are not exchanged that nothing asks for", () => {
  const { seen, isExhausted, isReduced } = searched((choose) => {
    choose(3);
    choose(2);
    return {};
  });
  expect([seen, isExhausted, isReduced]).toEqual([["00"], true, true]);
});

test("every value is tried, once, in every combination", () => {
  const { seen, isExhausted } = searched((choose) => {
    choose(2);
    choose(3, false);
    choose(2, false);
    return {};
  });
  expect([...seen].sort()).toEqual(["000", "001", "010", "011", "020", "021"]);
  expect(isExhausted).toBe(true);
});

test("a race asks for one of its options, once", () => {
  const { seen } = searched((choose) => {
    const first = choose(3);
    choose(2);
    return { races: first === 0 ? [{ choice: 0, options: [2, 1] }] : [{ choice: 0, options: [1, 2] }] };
  });
  expect(seen).toEqual(["00", "20"]);
});

test("a race behind another is found by the run that it asked for", () => {
  const { seen } = searched((choose) => {
    const first = choose(2);
    const second = choose(2);
    const races = [{ choice: 0, options: [1 - first] }];
    return { races: first === 1 ? [...races, { choice: 1, options: [1 - second] }] : races };
  });
  expect([...seen].sort()).toEqual(["00", "10", "11"]);
});

const four = (last: (seen: string) => Said) => {
  return (choose: Choose): Said => last(`${choose(2)}${choose(2)}`);
};

test("where not everything was watched, nothing is left out, nor what was before", () => {
  const { seen, isReduced, isExhausted } = searched(
    four((way) => ({ races: way === "10" ? "a getter" : [{ choice: 0, options: [1] }] })),
  );
  expect([...seen].sort()).toEqual(["00", "01", "10", "11"]);
  expect([isReduced, isExhausted]).toEqual(["a getter", true]);
});

test("where nobody watched, nothing is left out", () => {
  expect([...searched(four(() => ({ races: null }))).seen].sort()).toEqual(["00", "01", "10", "11"]);
});

test("only where orders are counted is a bound exhausted", () => {
  const program = four(() => ({}));
  for (const options of [{}, { strategy: "random", maxSchedules: 3 }, { strategy: "depth-first" }] as const)
    expect(
      searched(program, { ...options, reduces: !("strategy" in options) }).exhaustedBound,
    ).toBeUndefined();
});

test("a failure is looked for among all orders, until there is no shorter one", () => {
  const { seen, failing, isExhausted, isReduced } = searched(
    four((way) =>
      way === "00" ? { end: "failed", turns: 2 } : { end: way === "11" ? "failed" : "passed", turns: 1 },
    ),
  );
  expect([...seen].sort()).toEqual(["00", "01", "10", "11"]);
  expect([failing!.run.turns, isExhausted, isReduced]).toEqual([1, true, true]);
});

test("options behind the last turn of the shortest failure are not tried", () => {
  const { seen, isExhausted } = searched(
    four((way) => (way === "00" ? { end: "failed", turns: 1 } : {})),
    { reduces: false },
  );
  expect([seen, isExhausted]).toEqual([["00", "10"], true]);
});

test("a failure before the first turn ends the search, and all of it", () => {
  const { seen, isExhausted } = searched(four(() => ({ end: "failed", turns: 0 })));
  expect([seen, isExhausted]).toEqual([["00"], true]);
});

test("a run that was given up leaves nothing exhausted, and no bound", () => {
  const result = searched(
    four((way) => ({ end: way === "01" ? "spent" : "passed" })),
    { reduces: false },
  );
  expect(result).toMatchObject({ schedules: 4, isExhausted: false, spent: ["turns"] });
  expect(result.exhaustedBound).toBeUndefined();
  expect(
    searched(
      four(() => ({ end: "passed" })),
      { reduces: false },
    ).exhaustedBound,
  ).toBe(Infinity);
});

test("what is given up while a shorter failure is sought says nothing", () => {
  const result = searched(
    four((way) => (way === "00" ? { end: "failed", turns: 9 } : { end: "spent" })),
    { reduces: false },
  );
  expect(result).toMatchObject({ schedules: 4, isExhausted: true, spent: [] });
});

test("after a run that was given up, races are not enough", () => {
  const { seen } = searched(four((way) => ({ end: way === "00" ? "spent" : "passed" })));
  expect([...seen].sort()).toEqual(["00", "01", "10", "11"]);
});

test("a plan that asks for something that is not there ends the search without an answer", () => {
  const result = searched(
    four((way) => ({ end: way === "00" ? "passed" : "stuck" })),
    { reduces: false },
  );
  expect(result.schedules).toBe(2);
  expect(result.unstable).toBeDefined();
  expect(result.isExhausted).toBe(false);
});

test("with a bound, or at random, nothing is left out for want of races", () => {
  const program = four(() => ({}));
  expect(searched(program, { bound: 1 })).toMatchObject({
    schedules: 3,
    isReduced: "there is a bound",
    isExhausted: false,
    spent: ["bound"],
  });
  expect(searched(program, { bound: Number.MAX_SAFE_INTEGER }).isReduced).toBe(true);
  expect(searched(program, { strategy: "random", maxSchedules: 3 })).toMatchObject({
    schedules: 3,
    isReduced: "schedules are drawn at random",
    isExhausted: false,
  });
});

test("a bound that left something out is not said where the budget was spent before", () => {
  const three = (choose: Choose): Said => {
    for (let i = 0; i < 3; i++) choose(2);
    return {};
  };
  const result = searched(three, { reduces: false, bound: 1, maxSchedules: 3 });
  expect(result).toMatchObject({ spent: ["schedules"], exhaustedBound: 0, isExhausted: false });
});

test("a second run that is longer or ends otherwise is another", () => {
  for (const [fingerprint, length] of [
    [1, 0],
    [0, 1],
  ] as const) {
    const search = new ScheduleSearch({ ...whole, replayEvery: 1 });
    const run = (isAgain: boolean): ScheduleRun => ({
      made: isAgain && length === 1 ? [{ options: 1, value: 0, isTurn: true, turn: 0 }] : [],
      turns: 1,
      tasks: 1,
      end: "passed",
      fingerprint: isAgain ? fingerprint : 0,
    });
    for (let request = search.next(), i = 0; request; request = search.next()) search.record(run(i++ > 0));
    expect(search.result().unstable).toBeDefined();
  }
});

test("a second run that is the same is not told", () => {
  const result = searched(
    four(() => ({})),
    { reduces: false, replayEvery: 1 },
  );
  expect(result).toMatchObject({ unstable: undefined, isExhausted: true, schedules: 4, replays: 4 });
});

test("a budget that is spent before the first run leaves everything open", () => {
  const result = searched(
    four(() => ({})),
    { reduces: false, maxSchedules: 0 },
  );
  expect(result).toMatchObject({ schedules: 0, isExhausted: false, spent: ["schedules"] });
});

test("random runs exhaust nothing, whatever ends them", () => {
  let now = 0;
  const result = searched(
    four(() => ({})),
    { reduces: false, strategy: "random", timeMs: 3, now: () => now++ },
  );
  expect(result).toMatchObject({ isExhausted: false, spent: ["time"] });
});
