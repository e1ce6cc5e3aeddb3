/** Searches as WebAssembly call no watched function; their states are sampled all the same. */
import { expect, test } from "vitest";
import { compile } from "../../src/compile/index.js";
import { searchCompactly } from "../../src/engines/explicit/compaction.js";
import { search, type SearchOptions } from "../../src/engines/explicit/search.js";
import { loadPromela } from "../../src/languages/promela/index.js";
import { Sources, type Model } from "../../src/model/index.js";
import { Sampler } from "../../src/session/pipeline/sampling.js";

function modelOf(text: string): Model {
  const sources = new Sources();
  sources.add("m.pml", text);
  const { program } = loadPromela({
    ...{ file: "m.pml", text, defines: [], readFile: () => undefined, sources, invariants: [] },
  });
  return compile(program!, sources);
}

const options: SearchOptions = {
  ...{ order: "bfs", control: {}, maxErrors: 1, checksDeadlock: false, budget: {} },
  ...{ invariants: [], checksSite: [] },
};

const counting = (most: number) =>
  `byte x, y; active [2] proctype P() { do :: x < ${most} -> x++ :: y < ${most} -> y++ :: x = 0 od }`;

test.each(["bfs", "dfs"] as const)("takes evenly spaced stored states, %s", async (order) => {
  const sampler = new Sampler(48);
  const { result, model } = await searchCompactly(sampler.watching(modelOf(counting(60))), {
    ...options,
    order,
  });
  expect(result.stats).toMatchObject({ backend: "webassembly" });
  const own = sampler.samples.filter(({ state }) => state.length === model.system.width);
  expect(own.length).toBeGreaterThanOrEqual(30);
  expect(new Set(own.map(({ state }) => state.join())).size).toBe(own.length);
});

test.each(["bfs", "dfs"] as const)("takes states of a tree, %s", async (order) => {
  const sampler = new Sampler(48);
  const { result } = await searchCompactly(sampler.watching(modelOf(counting(60))), {
    ...options,
    order,
    store: "tree",
  });
  // Depth-first search keeps no log of a tree.
  expect(result.stats.backend).toBe(order === "bfs" ? "webassembly" : "javascript");
  expect(sampler.samples.length).toBeGreaterThanOrEqual(24);
});

test("takes every state where all are wanted", async () => {
  const sampler = new Sampler(Infinity);
  const result = await search(sampler.watching(modelOf(counting(9))), { ...options, usesStep: true });
  expect(result.stats).toMatchObject({ backend: "webassembly", states: sampler.samples.length });
});

test("watches the model of the next attempt, too", async () => {
  // Rare large values: neither the first states nor the walks see them.
  const text = `int x, k; active proctype P() {
  do :: k < 5000 -> k++; x = (k == 4900 -> 1000000 : x) :: k > 0 && k < 90 -> k = 0 od }`;
  const sampler = new Sampler(48);
  const { result } = await searchCompactly(sampler.watching(modelOf(text)), options);
  expect(result.stats.backend).toBe("webassembly");
  const last = sampler.samples.at(-1)!;
  expect(last.state.length).toBe(last.model.system.width);
  expect(result.store.count).toBeGreaterThan(4_000);
  expect(sampler.samples.filter(({ model }) => model === last.model).length).toBeGreaterThan(20);
});

test("samples nothing by step code of other functions", async () => {
  const model = modelOf(counting(9));
  const { system } = model;
  const stuck = Object.create(system, { successors: { value: () => undefined } }) as typeof system;
  const sampler = new Sampler(48);
  const result = await search(sampler.watching({ ...model, system: stuck }), { ...options, usesStep: true });
  expect(result.stats).toMatchObject({ backend: "javascript", states: 1 });
});
