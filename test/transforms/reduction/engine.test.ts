/** The search loops under every proviso against the obvious reduced search, figure by figure. */
import { describe, expect, test } from "vitest";
import { obviousReduced } from "./obvious.js";
import { errorsOf, load, plain, plainRandom, search } from "./reducing.js";

const programs = 60;
const perTest = 20;

const searches = [
  { order: "bfs", proviso: "queue" },
  { order: "bfs", proviso: "none" },
  { order: "dfs", proviso: "stack" },
  { order: "dfs", proviso: "none" },
] as const;

describe("random programs", () => {
  for (let first = 1; first <= programs; first += perTest)
    test(`seeds ${first} to ${first + perTest - 1}`, { timeout: 240_000 }, async () => {
      for (let seed = first; seed < first + perTest; seed++) await agreesOn(seed);
    });
});

test("states that get wider while candidates are rejected", async () => {
  const model = plain(
    load(`byte turns;
proctype child(byte n) { byte k; do :: k < n -> k++ :: k == n -> k = 0; turns = 1 - turns :: k > 1 -> break od }
active proctype spinner() { byte k; do :: k = 1 - k od }
init { run child(2); run child(3); turns = 0; run child(1) }`),
  );
  for (const { order, proviso } of searches) {
    const { stats } = await search(model, order, proviso);
    const obvious = obviousReduced(model.system, order, proviso);
    expect([stats.states, stats.transitions + 1]).toEqual([obvious.states, obvious.transitions]);
    if (proviso !== "none") expect(stats.partialOrder!.rejected).toBeGreaterThan(0);
  }
});

test("a second candidate that leads back to the state itself puts the others off forever", async () => {
  const model = plain(
    load(`byte x;
active [2] proctype spinner() { do :: true od }
active proctype setter() { x = 1; assert(x == 0) }`),
  );
  const result = await search(model, "bfs", "queue");
  expect(errorsOf(result)).toHaveLength(1);
  expect(result.stats.partialOrder!.rejected).toBeGreaterThan(1);
});

async function agreesOn(seed: number): Promise<void> {
  const model = plainRandom(seed);
  if (!model) return;
  const full = await search(model, "bfs", undefined, { budget: { maxStates: 1500 } });
  if (!full.isComplete) return;
  for (const { order, proviso } of searches) {
    const result = await search(model, order, proviso);
    const { stats } = result;
    const obvious = obviousReduced(model.system, order, proviso);
    const { reduced, rejected } = stats.partialOrder!;
    const repeat = `seed ${seed}, ${order}, ${proviso}`;
    expect([stats.states, stats.transitions + 1, reduced, rejected], repeat).toEqual([
      obvious.states,
      obvious.transitions,
      obvious.reduced,
      obvious.rejected,
    ]);
    expect(errorsOf(result), repeat).toEqual([...obvious.errors].sort());
  }
}
