/** Several start states, states to be covered, and states that are always to stay reachable: beside the obvious algorithm. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alwaysReachable } from "../../../src/engines/explicit/index.js";
import { search } from "../../../src/session/engines/explicit.js";
import type { Property } from "../../../src/model/index.js";
import type { EngineOptions, EngineResult } from "../../../src/session/contracts.js";
import { toyModel, type Toy } from "./toys.js";

interface Graph {
  readonly starts: readonly number[];
  readonly arcs: readonly (readonly number[])[];
  readonly covered: readonly number[];
  readonly goals: readonly number[];
}

const SIZE = 12;
const node = fc.nat(SIZE - 1);
const graphs: fc.Arbitrary<Graph> = fc.record({
  starts: fc.uniqueArray(node, { minLength: 1, maxLength: 3 }),
  arcs: fc.array(fc.uniqueArray(node, { maxLength: 2 }), { minLength: SIZE, maxLength: SIZE }),
  covered: fc.uniqueArray(node, { minLength: 1, maxLength: 2 }),
  goals: fc.uniqueArray(node, { maxLength: 4 }),
});

/** Node `n` is the state `n + 1`; the root is zero. */
const toyOf = ({ starts, arcs, covered, goals }: Graph): Toy => ({
  initial: [],
  hasRoot: true,
  next: ([state = 0]) => (state === 0 ? starts : arcs[state - 1]!).map((n) => ({ to: [n + 1] })),
  isValidEnd: () => true,
  invariants: [
    ([state = 0]) => !covered.includes(state - 1),
    ([state = 0]) => state === 0 || goals.includes(state - 1),
  ],
  kinds: ["cover", "agef"],
});

function reachable(from: readonly number[], arcs: Graph["arcs"]): Set<number> {
  const seen = new Set(from);
  for (const n of seen) for (const next of arcs[n]!) seen.add(next);
  return seen;
}

const options = (properties: readonly Property[], more: Partial<EngineOptions> = {}): EngineOptions => ({
  file: "toy",
  properties,
  search: "bfs",
  store: undefined,
  storeRequest: { tableBytes: 1 << 20 },
  seed: 1,
  takesProbable: false,
  budget: {},
  maxErrors: 1,
  fairness: "none",
  emptiness: "auto",
  control: {},
  workers: 1,
  disk: undefined,
  ...more,
});

const verdictOn = ({ findings }: EngineResult, kind: string) =>
  findings.find(({ property }) => property.kind === kind)!.verdict;

describe.each(["bfs", "dfs"] as const)("%s", (order) => {
  test("random graphs: counts without the root, covers and AG EF as the obvious algorithm has them", () =>
    fc.assert(
      fc.asyncProperty(graphs, async (graph) => {
        const model = toyModel(toyOf(graph));
        const result = await search(model, options(model.properties, { search: order }));
        const all = reachable(graph.starts, graph.arcs);
        const safety = result.runs[0]!.stats;
        expect(safety.states).toBe(all.size);
        expect(safety.transitions).toBe([...all].reduce((sum, n) => sum + graph.arcs[n]!.length, 0));
        const isCovered = graph.covered.some((n) => all.has(n));
        expect(verdictOn(result, "cover").kind).toBe(isCovered ? "holds" : "violated");
        const isStuck = (n: number): boolean =>
          ![...reachable([n], graph.arcs)].some((m) => graph.goals.includes(m));
        const goal = verdictOn(result, "agef");
        expect(goal.kind).toBe([...all].some(isStuck) ? "violated" : "holds");
        if (goal.kind === "violated") expect(isStuck(endOf(graph, goal.trace!.choices))).toBe(true);
      }),
      { numRuns: 150 },
    ));
});

/** Where the choices lead; the first chooses the start. */
const endOf = ({ starts, arcs }: Graph, [first, ...rest]: readonly number[]): number =>
  rest.reduce((n, choice) => arcs[n]![choice]!, starts[first!]!);

test("the way to a state that is stuck is a shortest one", async () => {
  const graph = { starts: [0], arcs: [[1, 3], [2], [2], [3], []], covered: [0], goals: [2] };
  const model = toyModel(toyOf({ ...graph, arcs: [...graph.arcs] }));
  const goal = verdictOn(await search(model, options(model.properties)), "agef");
  expect(goal).toMatchObject({ kind: "violated", trace: { choices: [0, 1] } });
});

test("a cover that is met does not end the search, and one that is not says nothing before its end", async () => {
  const model = toyModel(toyOf({ starts: [0], arcs: [[1], [2], [3], []], covered: [1], goals: [3] }));
  const cover = model.properties.filter(({ kind }) => kind === "cover");
  const met = await search(model, options(cover));
  expect(met.stats.states).toBe(4);
  expect(verdictOn(met, "cover")).toMatchObject({ kind: "holds", scope: { by: "witness" } });
  const cut = await search(model, options(cover, { budget: { maxDepth: 0 } }));
  expect(verdictOn(cut, "cover").kind).toBe("unknown");
});

test("a budget is for the states behind the root; a spent one is no answer", async () => {
  const arcs = Array.from({ length: SIZE }, (_, n) => (n + 1 < SIZE ? [n + 1] : []));
  const model = toyModel(toyOf({ starts: [0], arcs, covered: [0], goals: [SIZE - 1] }));
  const found = await alwaysReachable(model, [1], { maxStates: 5 }, {});
  expect(found).toMatchObject({ stop: "states", paths: [] });
  const goals = model.properties.filter(({ kind }) => kind === "agef");
  const result = await search(model, options(goals, { budget: { maxDepth: 3 } }));
  expect(verdictOn(result, "agef").kind).toBe("unknown");
  expect(result.stats.depth).toBe(3);
});
