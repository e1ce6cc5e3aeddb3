/** The search over schedules, on programs that are functions of their choices. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ScheduleSearch,
  type SearchOptions,
  type SearchResult,
} from "../../../src/engines/schedules/index.js";
import { PlannedChooser, type Chooser, type Offer, type ScheduleRun } from "../../../src/model/index.js";
import { whole } from "./whole.js";

/** A program as a function of its choices; true if it fails. `turn` counts the steps it has taken. */
type Toy = (chooser: Chooser & { turn: number }) => boolean;

describe("every schedule is run once", () => {
  test("k choices with an early end give k + 1 runs, without it 2^k", () => {
    const early: Toy = (chooser) => {
      for (let i = 0; i < 6; i++) if (chooser.choose(2) === 0) return false;
      return false;
    };
    const whole: Toy = (chooser) => {
      for (let i = 0; i < 6; i++) chooser.choose(2);
      return false;
    };
    expect(search(early)).toMatchObject({ schedules: 7, isExhausted: true });
    expect(search(whole)).toMatchObject({ schedules: 64, isExhausted: true });
  });

  for (const strategy of ["deviations", "delays", "preemptions", "depth-first"] as const)
    test(`${strategy}: the leaves of a random tree of choices, each once`, () =>
      fc.assert(
        fc.property(tree(), (root) => {
          const seen: string[] = [];
          const result = search(
            passing((chooser) => walk(root, chooser, seen)),
            { strategy },
          );
          expect(result.isExhausted).toBe(true);
          expect(seen.length).toBe(leaves(root));
          expect(new Set(seen).size).toBe(seen.length);
        }),
        { numRuns: 60 },
      ));
});

describe("a schedule that is refused", () => {
  const refusing = (
    isRefused: (values: string) => boolean,
    isFailing = (_values: string): boolean => false,
  ) => {
    const all = new ScheduleSearch({ ...whole });
    for (let request = all.next(); request; request = all.next()) {
      const run = runToy((chooser) => isFailing(`${chooser.choose(2)}${chooser.choose(2)}`), request.plan, 9);
      const values = run.made.map(({ value }) => value).join("");
      all.record(isRefused(values) ? { ...run, end: "refused" } : run);
    }
    return all.result();
  };

  test("leaves nothing exhausted, whichever it is", () => {
    expect(refusing((values) => values === "11")).toMatchObject({ isExhausted: false, schedules: 4 });
    expect(refusing((values) => values === "11").refused?.prefix).toEqual([1, 1]);
    expect(refusing(() => false).refused).toBeUndefined();
  });

  test("is the last if it is the first", () => {
    expect(refusing(() => true)).toMatchObject({ isExhausted: false, schedules: 1 });
  });

  test("does not hide a failure", () => {
    const { failing } = refusing(
      (values) => values === "01",
      (values) => values === "11",
    );
    expect(failing?.run.made.map(({ value }) => value)).toEqual([1, 1]);
  });
});

test("budgets of processor time and of the clock on the wall are two", () => {
  const program: Toy = (chooser) => chooser.choose(9) + chooser.choose(9) > 99;
  let cpu = 0;
  const busy = search(program, { cpuMs: 10, cpuNow: () => cpu++, now: () => 0 });
  expect(busy.spent).toEqual(["processor"]);
  let wall = 0;
  const late = search(program, { timeMs: 10, now: () => wall++, cpuMs: 10, cpuNow: () => 0 });
  expect(late.spent).toEqual(["time"]);
});

describe("a failing schedule", () => {
  test("is the shortest there is", () =>
    fc.assert(
      fc.property(tree(), (root) => {
        const shortest = shortestFailure(root, 0);
        const result = search((chooser) => walk(root, chooser, []));
        expect(result.failing?.run.turns).toBe(shortest);
        expect(result.isExhausted).toBe(true);
      }),
      { numRuns: 100 },
    ));

  test("is found by every strategy that looks long enough", () => {
    const needle: Toy = (chooser) => {
      const values = [3, 3, 3].map((n) => {
        chooser.turn++;
        return chooser.choose(n, offers(3));
      });
      return values.join("") === "210";
    };
    for (const strategy of ["deviations", "delays", "preemptions", "depth-first", "random"] as const) {
      const result = search(needle, { strategy, maxSchedules: 2000 });
      expect(
        result.failing?.run.made.map(({ value }) => value),
        strategy,
      ).toEqual([2, 1, 0]);
    }
  });
});

test("a bound that left something out is said, and so are spent budgets", () => {
  const program: Toy = (chooser) => {
    for (let i = 0; i < 4; i++) chooser.choose(3);
    return false;
  };
  expect(search(program, { bound: 1 })).toMatchObject({
    schedules: 9,
    isExhausted: false,
    spent: ["bound"],
    exhaustedBound: 1,
  });
  expect(search(program, { maxSchedules: 80 })).toMatchObject({
    isExhausted: false,
    spent: ["schedules"],
    exhaustedBound: 3,
  });
  expect(search(program, { maxSchedules: 9 })).toMatchObject({ spent: ["schedules"], exhaustedBound: 1 });
  expect(search(program, { maxSchedules: 8 })).toMatchObject({ spent: ["schedules"], exhaustedBound: 0 });
  expect(search(program, { maxSchedules: 81 })).toMatchObject({
    schedules: 81,
    isExhausted: true,
    spent: [],
  });
  expect(search(program, { strategy: "random", maxSchedules: 200 })).toMatchObject({
    isExhausted: false,
    spent: ["random"],
  });
});

test("a program that runs otherwise the second time is found out", () => {
  let runs = 0;
  const result = search(
    (chooser) => {
      if (runs++ % 2 === 1) chooser.choose(2);
      return false;
    },
    { replayEvery: 1 },
  );
  expect(result.unstable).toBeDefined();
});

function search(program: Toy, options: Partial<SearchOptions> = {}): SearchResult {
  const all = new ScheduleSearch({ ...whole, ...options });
  for (let request = all.next(); request; request = all.next())
    all.record(runToy(program, request.plan, request.maxTurns));
  return all.result();
}

const passing =
  (program: Toy): Toy =>
  (chooser) => {
    program(chooser);
    return false;
  };

class OutOfTurns extends Error {}

function runToy(
  program: Toy,
  plan: ConstructorParameters<typeof PlannedChooser>[0],
  maxTurns: number,
): ScheduleRun {
  const chooser = new PlannedChooser(plan);
  const counted = {
    choose: (options: number, offered?: readonly Offer[]) => chooser.choose(options, offered),
    get turn() {
      return chooser.turn;
    },
    set turn(value: number) {
      if (value > maxTurns) throw new OutOfTurns();
      chooser.turn = value;
    },
  };
  let end: ScheduleRun["end"];
  try {
    end = program(counted) ? "failed" : "passed";
  } catch (error) {
    if (!(error instanceof OutOfTurns)) throw error;
    end = "spent";
  }
  if (chooser.diverged !== undefined) end = "stuck";
  return { made: chooser.made, turns: chooser.turn, tasks: 1, end, fingerprint: chooser.made.length };
}

type Tree = { readonly fails: boolean } | { readonly children: readonly Tree[] };

function tree(): fc.Arbitrary<Tree> {
  const { root } = fc.letrec<{ root: Tree; leaf: Tree; inner: Tree }>((tie) => ({
    leaf: fc.record({ fails: fc.integer({ min: 0, max: 5 }).map((n) => n === 0) }),
    inner: fc.record({ children: fc.array(tie("root"), { minLength: 1, maxLength: 3 }) }),
    root: fc.oneof({ maxDepth: 5, withCrossShrink: true }, tie("leaf"), tie("inner"), tie("inner")),
  }));
  return root;
}

function walk(node: Tree, chooser: Chooser & { turn: number }, seen: string[], path = ""): boolean {
  if ("fails" in node) {
    seen.push(path);
    return node.fails;
  }
  const value = chooser.choose(node.children.length, offers(node.children.length));
  chooser.turn++;
  return walk(node.children[value]!, chooser, seen, `${path}.${value}`);
}

const offers = (count: number): Offer[] => Array.from({ length: count }, (_, i) => ({ id: i, task: i }));

const leaves = (node: Tree): number =>
  "fails" in node ? 1 : node.children.reduce((sum, child) => sum + leaves(child), 0);

function shortestFailure(node: Tree, depth: number): number | undefined {
  if ("fails" in node) return node.fails ? depth : undefined;
  const all = node.children.flatMap((child) => shortestFailure(child, depth + 1) ?? []);
  return all.length > 0 ? Math.min(...all) : undefined;
}
