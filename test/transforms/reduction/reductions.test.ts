/** A reduction keeps the verdict, and its traces translate to the original program. */
import { describe, expect, test } from "vitest";
import { compareReductions, compareText } from "./compare.js";
import { asSpin, errorsOf, load, plain, reduced, search } from "./reducing.js";

/** `npm run fuzz:reduction` runs more. */
const programs = 60;
const perTest = 20;

describe("random programs with and without reductions", () => {
  for (let first = 1001; first <= 1000 + programs; first += perTest)
    test(`seeds ${first} to ${first + perTest - 1}`, { timeout: 240_000 }, async () => {
      for (let seed = first; seed < first + perTest; seed++) {
        const outcome = await compareReductions(seed);
        const repeat = `npm run fuzz:reduction -- --from ${seed} --count 1`;
        if (outcome.kind === "compared") expect(outcome.differences, repeat).toEqual([]);
      }
    });
});

const spinner = "active proctype Spinner() { byte k; do :: k = 1 - k od }";
const bad = "byte x; active proctype Bad() { x = 1; assert(false) }";

describe("a process that spins does not hide another one's error", () => {
  test.each([
    ["bfs", "queue", 6, 10],
    ["dfs", "stack", 6, 9],
  ] as const)(
    "%s, %s: as many states and transitions as Spin",
    async (order, proviso, states, transitions) => {
      const result = await search(asSpin(load(`bit b; ${spinner} ${bad}`), "plain", order), order, proviso);
      expect(errorsOf(result)).toHaveLength(1);
      expect([result.stats.states, result.stats.transitions + 1]).toEqual([states, transitions]);
    },
  );

  test.each([
    ["bfs", "queue"],
    ["dfs", "stack"],
  ] as const)("%s, %s: found, with the spinner preferred", async (order, proviso) => {
    expect(errorsOf(await search(plain(load(`${bad} ${spinner}`)), order, proviso))).toHaveLength(1);
  });

  // The proviso finds it: without one the comparison above would fail.
  test.each(["bfs", "dfs"] as const)("%s without a proviso: missed", async (order) => {
    expect(errorsOf(await search(plain(load(`${bad} ${spinner}`)), order, "none"))).toEqual([]);
  });

  test("found where every candidate leads back to the state itself", async () => {
    const idle = (name: string): string => `active proctype ${name}() { do :: skip od }`;
    const text = `${bad} ${idle("A")} ${idle("B")}`;
    expect(errorsOf(await search(plain(load(text)), "bfs", "queue"))).toHaveLength(1);
    expect(errorsOf(await search(plain(load(text)), "dfs", "stack"))).toHaveLength(1);
  });

  test("the comparison of random programs would see it", async () => {
    const outcome = await compareText(`${bad} ${spinner}`);
    expect(outcome).toEqual({ kind: "compared", isSmaller: true, differences: [] });
  });
});

test("a second receiver of an exclusive channel is an error", async () => {
  const loaded = load(`chan q = [2] of { byte };
active proctype A() { byte v; xr q; q?v }
active proctype B() { byte v; q?v }
active proctype S() { q!1; q!2 }`);
  const [site] = errorsOf(await search(reduced(loaded).model, "bfs", "queue"));
  expect(loaded.program.sites[Number(site)]!.fault).toBe("exclusive-access");
});

test("what an invariant looks at is written in every order", async () => {
  const text = `byte x, y;
active proctype A() { x = 1; x = 0 }
active proctype B() { y = 1; y = 2 }`;
  const seen = load(text, {}, ["!(x == 1 && y == 1)"]);
  expect(errorsOf(await search(reduced(seen).model, "bfs", "queue"))).toHaveLength(1);
  const unseen = await search(reduced(load(text)).model, "bfs", "queue");
  expect(unseen.stats.states).toBeLessThan(9);
});

test("assertions that fail one after the other are told one by one", async () => {
  const outcome = await compareText(
    `byte x; active proctype P() { byte own; x = 1; own = 2; assert(own == 1); assert(own == 3); own = 0 }`,
  );
  expect(outcome).toMatchObject({ kind: "compared", isSmaller: true, differences: [] });
});
