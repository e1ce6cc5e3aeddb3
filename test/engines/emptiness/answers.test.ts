/** Foundations of "no accepting run": everything was visited, with every budget and algorithm; quick, for mutation testing. */
import { describe, expect, test } from "vitest";
import {
  EMPTINESS_ALGORITHMS,
  checkEmptiness,
  checkStrongFairness,
  flawOf,
  isWeak,
  refusal,
} from "../../../src/engines/explicit/emptiness/index.js";
import { checkGraph } from "../../../bench/emptiness/check-graph.js";
import { allMarks, type Automaton, type Budget, type System } from "../../../src/model/index.js";
import {
  asGraph,
  isObviouslyEmpty,
  randomGraph,
  randomNumbers,
  reachability,
  type WrittenGraph,
} from "./graphs.js";

/** A chain of `length` states, the last with an arc to itself that carries `marks`. */
const chainTo = (marks: number, length: number): WrittenGraph => ({
  conditions: 1,
  arcs: Array.from({ length }, (_, i) => (i + 1 < length ? [{ to: i + 1, marks: 0 }] : [{ to: i, marks }])),
});

/** State `s` is the word `s`. */
const asSystem = ({ arcs }: WrittenGraph): System => ({
  width: 1,
  compareFrom: 0,
  labels: "marks",
  initial: (out) => {
    out.words[0] = 0;
    out.count = 1;
  },
  successors: (state, at, out) => {
    for (const { to, marks } of arcs[state[at]!]!) {
      if (out.count === out.capacity) out.grow();
      out.words[out.count] = to;
      out.labels[out.count++] = marks;
    }
  },
  status: () => 0,
});

const conditioned = EMPTINESS_ALGORITHMS.filter((name) => refusal(name, 1, true) === undefined);

describe.each(conditioned)("%s", (algorithm) => {
  const answer = async (written: WrittenGraph, budget: Budget) => {
    const options = { algorithm, conditions: written.conditions, isWeak: true, budget, control: {} };
    const { isEmpty, stop, stats } = await checkEmptiness(asSystem(written), options);
    return { isEmpty, stop, states: stats.systemStates };
  };

  test("what lies behind a budget is not held to be absent", async () => {
    for (const marks of [0, 1]) {
      const isEmpty = marks === 0;
      const chain = chainTo(marks, 6);
      expect(await answer(chain, {})).toMatchObject({ isEmpty, stop: undefined, states: 6 });
      expect(await answer(chain, { maxDepth: 5 })).toMatchObject({ isEmpty, stop: undefined });
      expect(await answer(chain, { maxDepth: 4 })).toMatchObject({ isEmpty: undefined, stop: "depth" });
      expect(await answer(chain, { maxDepth: 0 })).toMatchObject({ isEmpty: undefined, stop: "depth" });
      expect(await answer(chain, { maxStates: 6 })).toMatchObject({ isEmpty, stop: undefined });
      expect(await answer(chain, { maxStates: 5 })).toMatchObject({ isEmpty: undefined, stop: "states" });
    }
  });

  test("what is found before a budget is spent is found", async () => {
    const arc = (to: number, marks = 0) => ({ to, marks });
    const fork: WrittenGraph = {
      conditions: 1,
      arcs: [[arc(1), arc(3, 1)], [arc(2)], [arc(2)], [arc(3, 1)]],
    };
    expect(await answer(fork, { maxDepth: 1 })).toMatchObject({ isEmpty: false });
  });

  test("whatever the memory: no answer, or the true one", async () => {
    const long = chainTo(0, 200);
    const stops = new Set<string | undefined>();
    for (let memoryBytes = 0; memoryBytes <= 1 << 16; memoryBytes += 1 << 12) {
      const { isEmpty, stop, states } = await answer(long, { memoryBytes });
      stops.add(stop);
      if (stop === undefined) expect([isEmpty, states]).toEqual([true, 200]);
      else expect(isEmpty).toBeUndefined();
    }
    expect([...stops]).toEqual(["memory", undefined]);
  });

  test("weak graphs: the same as the obvious answer", () => {
    const random = randomNumbers(5);
    let accepting = 0;
    for (let i = 0; i < 80; i++) {
      const written = weakened(randomGraph(random), random);
      if (refusal(algorithm, written.conditions, true) !== undefined) continue;
      const graph = asGraph(written);
      for (const maxDepth of [1, 3, Infinity]) {
        const result = checkGraph(graph, algorithm, { maxDepth });
        if (result.isEmpty === undefined) expect(maxDepth).toBeLessThan(9);
        else expect(result.isEmpty, JSON.stringify(written)).toBe(isObviouslyEmpty(written));
        if (result.isEmpty !== false) continue;
        accepting++;
        expect(flawOf(graph, result.construct().lasso)).toBeUndefined();
      }
    }
    expect(accepting).toBeGreaterThan(20);
  });
});

test("random graphs: no answer behind a limit on depth, else the obvious one; and the figures", () => {
  const figures: Record<string, number[]> = {};
  const random = randomNumbers(3);
  for (let i = 0; i < 250; i++) {
    const written = randomGraph(random);
    const graph = asGraph(written);
    const isEmpty = isObviouslyEmpty(written);
    for (const algorithm of EMPTINESS_ALGORITHMS) {
      if (refusal(algorithm, written.conditions, false) !== undefined) continue;
      const sums = (figures[algorithm] ??= [0, 0, 0, 0]);
      for (const [at, maxDepth] of [Infinity, 2].entries()) {
        const result = checkGraph(graph, algorithm, { maxDepth });
        const about = `${algorithm} to depth ${maxDepth}: ${JSON.stringify(written)}`;
        if (result.isEmpty !== undefined || at === 0) expect(result.isEmpty, about).toBe(isEmpty);
        if (result.isEmpty === false) expect(flawOf(graph, result.construct().lasso), about).toBeUndefined();
        sums[2 * at]! += result.states;
        sums[2 * at + 1]! += result.transitions;
      }
    }
  }
  const lines = Object.entries(figures).map(([algorithm, sums]) => `${algorithm} ${sums.join(" ")}`);
  expect(lines).toEqual([
    "cou99 604 724 560 721",
    "cou99-norem 604 1171 560 1247",
    "cou99-lazy 650 858 574 792",
    "cou99-shy- 581 855 549 805",
    "cou99-shy 581 852 568 829",
    "gv04 757 875 639 819",
    "cvwy90 762 1150 639 918",
    "se05 758 907 639 841",
    "tau03opt 604 1310 560 1328",
    "tau03 554 2580 491 2207",
  ]);
});

test("strong fairness: what lies behind a budget is not held to be absent", async () => {
  const fair = { conditions: 1, agents: 1, control: {} };
  for (const marks of [2, 3]) {
    const chain = chainTo(marks, 6);
    const answer = async (budget: Budget) => {
      const { isEmpty, stop } = await checkStrongFairness(asSystem(chain), { ...fair, budget });
      return [isEmpty, stop];
    };
    const isEmpty = marks === 2;
    expect(await answer({})).toEqual([isEmpty, undefined]);
    expect(await answer({ maxDepth: 5 })).toEqual([isEmpty, undefined]);
    expect(await answer({ maxDepth: 4 })).toEqual([undefined, "depth"]);
    expect(await answer({ maxStates: 5 })).toEqual([undefined, "states"]);
    expect(await answer({ memoryBytes: 512 })).toEqual([undefined, "memory"]);
  }
});

test("a search that may not be what the automaton needs is refused", async () => {
  const options = { conditions: 1, budget: {}, control: {} };
  const system = asSystem(chainTo(1, 2));
  const strong = await checkEmptiness(system, { ...options, algorithm: "dfs" });
  expect([strong.isEmpty, strong.refused]).toEqual([undefined, expect.stringContaining("weak")]);
  const chosen = async (weak: boolean) => {
    const { stats, isEmpty } = await checkEmptiness(system, { ...options, algorithm: "auto", isWeak: weak });
    return [stats.algorithm, isEmpty];
  };
  expect([await chosen(true), await chosen(false)]).toEqual([["dfs", false], ["cou99", false]]); // prettier-ignore
  await expect(
    checkEmptiness({ ...system, labels: "agents" }, { ...options, algorithm: "auto" }),
  ).rejects.toThrow("not acceptance marks");
  const unmarked = { ...options, algorithm: "auto", conditions: 0 } as const;
  expect((await checkEmptiness({ ...system, labels: "agents" }, unmarked)).isEmpty).toBe(false);
});

test("an automaton is weak if no component has both arcs with all marks and others on its accepting cycles", () => {
  const weak = (written: WrittenGraph): boolean =>
    isWeak({
      conditions: written.conditions,
      initial: 0,
      states: written.arcs.map((out) => out.map(({ to, marks }) => ({ to, marks, guard: [] }))),
    } as unknown as Automaton);
  const two = (there: number, back: number, conditions = 1): WrittenGraph => ({
    conditions,
    arcs: [[{ to: 1, marks: there }], [{ to: 0, marks: back }]],
  });
  expect(weak(two(1, 1))).toBe(true);
  expect(weak(two(0, 0))).toBe(true);
  expect(weak(two(1, 0))).toBe(false);
  expect(weak(two(1, 2, 2))).toBe(false);
  expect(weak(two(1, 1, 2))).toBe(true);
  // Arcs between components do not count.
  expect(
    weak({
      conditions: 1,
      arcs: [
        [
          { to: 0, marks: 1 },
          { to: 1, marks: 0 },
        ],
        [{ to: 1, marks: 0 }],
      ],
    }),
  ).toBe(true);
});

/** In each component all arcs carry all marks, or none. */
function weakened({ conditions, arcs }: WrittenGraph, random: () => number): WrittenGraph {
  const reach = reachability(arcs.map((out) => out.map(({ to }) => to)));
  const isAccepting = arcs.map(() => random() < 0.4);
  const owner = (state: number): number =>
    arcs.findIndex((_, other) => reach[state]![other] && reach[other]![state]);
  return {
    conditions,
    arcs: arcs.map((out, from) =>
      out.map(({ to, marks }) => ({
        to,
        marks: owner(from) !== owner(to) ? marks : isAccepting[owner(from)] ? allMarks(conditions) : 0,
      })),
    ),
  };
}
