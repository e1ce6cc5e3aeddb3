import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkExplicit, type ExplicitOptions } from "../../../src/engines/explicit/index.js";
import { replay, type Model } from "../../../src/model/index.js";
import { obviousSearch } from "./obvious.js";
import { toyModel, type Toy, type ToyStep } from "./toys.js";

const DEFAULTS: ExplicitOptions = { order: "bfs", checkDeadlock: true, errors: "all", budget: {}, control: {} };
const ORDERS = ["bfs", "dfs"] as const;

const check = (model: Model, options: Partial<ExplicitOptions> = {}) =>
  checkExplicit(model, { ...DEFAULTS, ...options });

/** `N` counters modulo `limit`, one word each. */
const counters = (n: number, limit: number): Toy => ({
  initial: new Array<number>(n).fill(0),
  width: n,
  next: (state) => Array.from({ length: n }, (_, i) => ({ to: at(state, n, i, (v) => (v + 1) % limit) })),
});

const at = (state: readonly number[], n: number, i: number, f: (v: number) => number): number[] =>
  Array.from({ length: n }, (_, k) => (k === i ? f(state[k] ?? 0) : (state[k] ?? 0)));

describe.each(ORDERS)("%s", (order) => {
  test("counts states and transitions of independent counters", async () => {
    const { stats, isComplete } = await check(toyModel(counters(4, 9)), { order });
    expect(stats.states).toBe(9 ** 4);
    expect(stats.transitions).toBe(4 * 9 ** 4);
    expect(stats.matched).toBe(4 * 9 ** 4 - 9 ** 4 + 1);
    expect(isComplete).toBe(true);
  });

  test("random systems: the same as the obvious search, and every trace replays", () =>
    fc.assert(
      fc.asyncProperty(randomToy(), async (toy) => {
        const model = toyModel(toy);
        const expected = obviousSearch(toy);
        const { stats, findings, isComplete } = await check(model, { order });
        expect(isComplete).toBe(true);
        expect(stats.states).toBe(expected.states);
        expect(stats.transitions).toBe(expected.transitions);
        if (order === "bfs") expect(stats.depth).toBe(expected.depth);
        const found = new Map<string, number>();
        for (const { property, verdict, occurrences } of findings) {
          if (verdict.kind !== "violated") continue;
          const replayed = replay(model.steps, model.steps, verdict.trace);
          if (replayed.kind !== "replayed") throw new Error("the trace does not replay");
          const nominal = replayed.trace.steps.filter((step) => !step.isIntermediate).length;
          const isInside = replayed.trace.steps.at(-1)?.isIntermediate ? 1 : 0;
          const what = errorName(property.kind, property.name, verdict.trace.fault);
          found.set(what, occurrences);
          const shortest = expected.errors.get(what)!;
          if (order === "bfs") expect(nominal + isInside).toBe(shortest);
          else expect(nominal + isInside).toBeGreaterThanOrEqual(shortest);
        }
        expect(found).toEqual(new Map(expected.occurrences));
      }),
      { numRuns: 300 },
    ));
});

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
  return fc.array(node, { minLength: 1, maxLength: 12 }).map((nodes) => {
    const words = nodes.map((n, i) => [i, ...n.words]);
    const next = (state: readonly number[]): ToyStep[] =>
      nodes[state[0] ?? 0]!.edges.map(({ to, fault, isDead }) => {
        const target = to % nodes.length;
        if (fault !== null && isDead) return { fault };
        const isInside = nodes[target]!.isIntermediate && target !== 0;
        return { to: words[target]!, intermediate: isInside, ...(fault === null ? {} : { fault }) };
      });
    return {
      initial: words[0]!,
      next,
      isValidEnd: (state) => nodes[state[0] ?? 0]!.isValidEnd,
      sites: ["assertion", "division-by-zero", "assertion"],
      invariants: [(state) => nodes[state[0] ?? 0]!.isGood],
    };
  });
}
