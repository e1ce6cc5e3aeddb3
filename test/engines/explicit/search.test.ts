import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { search, type OrderName } from "../../../src/engines/explicit/search.js";
import { narrate } from "../../../src/report/index.js";
import { ORDERS, PLAIN, STORES, chain, check, checkModel, counters } from "./checking.js";
import { obviousSearch } from "./obvious.js";
import { graphToy, toyModel, type Toy, type ToyState, type ToyStep } from "./toys.js";

const SEARCHES = [
  ...ORDERS.flatMap((order) => STORES.map((store) => [order, store] as const)),
  ["random", "flat"],
  ["guided", "flat"],
] as const;

describe.each(SEARCHES)("%s, %s", (order, store) => {
  test("counts states and transitions of independent counters", async () => {
    const { stats, isComplete } = await check(counters(4, 9), { order, store });
    expect(stats.states).toBe(9 ** 4);
    expect(stats.transitions).toBe(4 * 9 ** 4);
    expect(stats.matched).toBe(4 * 9 ** 4 - 9 ** 4 + 1);
    expect(isComplete).toBe(true);
  });

  test("random systems: the same as the obvious search, and every trace replays", () =>
    fc.assert(
      fc.asyncProperty(randomToy(), (toy) => agreesWithObviousSearch(toy, order, store)),
      { numRuns: 300 },
    ));

  test("states that get wider again and again, over many chunks of the store and of the stack", async () => {
    for (const toy of [widening(40, 400), widening(5, 9000)]) {
      const expected = obviousSearch(toy);
      const { stats, stop } = await search(toyModel(toy), {
        ...PLAIN,
        order,
        store,
        storeSizes: { chunkBits: 5 },
      });
      expect(stop).toBeUndefined();
      expect([stats.states, stats.transitions]).toEqual([expected.states, expected.transitions]);
    }
  });

  test("a table too large for its entries to know where they belong", async () => {
    const options = { ...PLAIN, order, store, storeSizes: { homingBits: 11 } };
    const { stats } = await search(toyModel(counters(4, 9)), options);
    expect([stats.states, stats.transitions]).toEqual([9 ** 4, 4 * 9 ** 4]);
  });

  test("a long path", async () => {
    const { stats } = await check(chain(300_000), { order, store });
    expect([stats.states, stats.transitions, stats.depth]).toEqual([300_000, 299_999, 299_999]);
  });

  test("a state with very many successors", async () => {
    const fan: Toy = {
      initial: [0],
      next: ([n = 0]) =>
        n === 0 ? Array.from({ length: 50_000 }, (_, i) => ({ to: [1 + (i >> 1)] })) : [{ to: [1] }],
    };
    const { stats } = await check(fan, { order, store });
    expect([stats.states, stats.transitions]).toEqual([25_001, 75_000]);
  });

  test("two states that differ only in words that do not count are one, and the first of them is kept", async () => {
    const seen: ToyState[] = [];
    const toy: Toy = {
      initial: [5, 0],
      compareFrom: 1,
      next: ([hidden = 0, n = 0]) => {
        seen.push([hidden, n]);
        return [{ to: [hidden + 1, (n + 1) % 3] }, { to: [99, (n + 1) % 3] }];
      },
    };
    const { stats } = await check(toy, { order, store });
    expect([stats.states, stats.transitions]).toEqual([3, 6]);
    expect(seen).toEqual([[5, 0], [6, 1], [7, 2]]); // prettier-ignore
  });

  test("an atomic sequence is one transition, and a loop inside it ends", async () => {
    // 0 -> (10 <-> 11), 11 -> 1, 11 -> 2: two arrivals, by any way through the sequence.
    const steps: Record<number, ToyStep[]> = {
      0: [{ to: [10], intermediate: true }],
      10: [{ to: [11], intermediate: true }],
      11: [{ to: [10], intermediate: true }, { to: [1] }, { to: [2] }],
      1: [{ to: [0] }],
      2: [{ to: [0] }],
    };
    const { stats } = await check({ initial: [0], next: ([n = 0]) => steps[n]! }, { order, store });
    expect([stats.states, stats.transitions]).toEqual([3, 4]);
  });
});

test("depth-first enters a state when it is first taken from its parent's list", async () => {
  // 0 -> 1, 2;  1 -> 3;  3 -> 2. Depth-first meets 2 below 3, not as the second successor of 0.
  const entered: number[] = [];
  const graph: Record<number, number[]> = { 0: [1, 2], 1: [3], 2: [], 3: [2] };
  const toy: Toy = {
    initial: [0],
    next: ([n = 0]) => {
      entered.push(n);
      return graph[n]!.map((to) => ({ to: [to] }));
    },
  };
  const { stats } = await check(toy, { order: "dfs", checkDeadlock: false });
  expect(entered).toEqual([0, 1, 3, 2]);
  expect(stats.depth).toBe(3);
});

test("many searches in one process do not disturb each other", async () => {
  const results = await Promise.all(
    [3, 4, 5, 6].map((n) => check(counters(n, 5), { order: n % 2 ? "bfs" : "dfs" })),
  );
  expect(results.map(({ stats }) => stats.states)).toEqual([5 ** 3, 5 ** 4, 5 ** 5, 5 ** 6]);
});

/**
 * `breadth` successors at first, then each of them walks on alone, a word wider every few steps, up to `widest` words;
 * now and then it falls back to a narrow state.
 */
const widening = (widest: number, breadth: number): Toy => ({
  initial: [0],
  next: (state) => {
    const [branch = 0] = state;
    if (branch === 0) return Array.from({ length: breadth }, (_, i) => ({ to: [i + 1] }));
    if (state.length >= widest || branch % 7 === 0) return [{ to: [(branch % breadth) + 1] }];
    return [{ to: [...state, 1 + (branch % 2)] }, { to: [...state, 3] }].slice(
      0,
      branch % 50 === 1 && state.length % 9 === 1 ? 2 : 1,
    );
  },
});

async function agreesWithObviousSearch(toy: Toy, order: OrderName, store: "flat" | "tree"): Promise<void> {
  const model = toyModel(toy);
  const expected = obviousSearch(toy);
  const { stats, findings, isComplete } = await checkModel(model, { order, store });
  expect(isComplete).toBe(true);
  expect([stats.states, stats.transitions]).toEqual([expected.states, expected.transitions]);
  if (order === "bfs") expect(stats.depth).toBe(expected.depth);
  const found = new Map<string, number>();
  for (const { property, verdict, occurrences } of findings) {
    if (verdict.kind !== "violated") continue;
    const narration = narrate(model.steps, verdict.trace!);
    if (narration.kind !== "narrated") throw new Error("the trace does not replay");
    const what = errorName(property.kind, property.name, verdict.trace!.fault);
    found.set(what, occurrences);
    // A trace may end inside an atomic sequence: that is a stored step begun.
    const { steps } = narration.narrative;
    const length = steps.filter((step, i) => !step.isIntermediate || i === steps.length - 1).length;
    const excess = length - expected.errors.get(what)!;
    expect(excess).toBeGreaterThanOrEqual(0);
    // A deadlock inside an atomic sequence may be found before one outside on the same level, one step shorter.
    if (order === "bfs") expect(excess).toBeLessThanOrEqual(what === "deadlock" ? 1 : 0);
  }
  expect(found).toEqual(expected.occurrences);
}

function errorName(kind: string, name: string, fault: number): string {
  if (kind === "deadlock") return kind;
  return kind === "invariant" ? `i${name.split(" ")[1]}` : `${fault}`;
}

/** A random graph whose nodes are spread over one to six words; some nodes are inside atomic sequences. */
function randomToy(): fc.Arbitrary<Toy> {
  const edge = fc.record({ to: fc.nat(11), fault: fc.option(fc.nat(2), { freq: 8 }), isDead: fc.boolean() });
  const node = fc.record({
    edges: fc.array(edge, { maxLength: 4 }),
    isIntermediate: fc.boolean(),
    isValidEnd: fc.boolean(),
    words: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 5 }),
    isGood: fc.boolean(),
  });
  return fc.array(node, { minLength: 1, maxLength: 12 }).map(graphToy);
}
