/** A search that outgrows WebAssembly's address space continues as JavaScript, with the same results. */
import { describe, expect, test } from "vitest";
import { compile } from "../../../src/compile/index.js";
import { search, type SearchOptions } from "../../../src/engines/explicit/index.js";
import { limitInside } from "../../../src/engines/explicit/settle-code.js";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import { compileRules } from "../../../src/compile/rules/index.js";
import { loadMurphi } from "../../../src/languages/murphi/index.js";
import { loadPromela } from "../../../src/languages/promela/index.js";
import { Sources, type Model } from "../../../src/model/index.js";
import { StepMemory } from "../../../src/step/index.js";

const TEXT = `byte a[4]; byte turn;
active [4] proctype P() {
  byte k;
  do
  :: turn == _pid -> atomic { k = (k + 1) % 7; if :: a[_pid] = k :: a[_pid] = a[(_pid + 1) % 4] fi }
  :: turn = (turn + 1) % 4
  :: a[_pid] < 6 -> a[_pid]++
  :: k > 5 -> assert(a[_pid] < 6); break
  od
}`;

/** Every state has unique pairs of words: a tree needs a node for each, and these fill the memory. */
const NODES = `int x[6]; byte turn;
active [2] proctype P() {
  do
  :: d_step { x[0] = x[0] * 5 + _pid; x[1] = x[1] * 7 + 3; x[2] = x[0] ^ x[1]; x[3] = x[2] - 9; x[4]++; x[5] = x[3] + turn }
  :: d_step { x[5] = x[4] * 3 + 1; x[3] = x[3] + x[5]; x[1] = x[0]; turn = (turn + 1) % 3 }
  :: atomic { if :: x[0] = x[5] :: x[2] = x[4] + 2 fi; x[3] = x[0] + x[2] }
  od
}`;

function modelOf(text: string, invariants: readonly string[] = []): Model {
  const sources = new Sources();
  sources.add("m.pml", text);
  const { program } = loadPromela({
    ...{ file: "m.pml", text, defines: [], readFile: () => undefined, sources, invariants },
  });
  return compile(program!, sources);
}

const model = modelOf(TEXT, ["a[0] + a[1] < 12"]);

function searchWith(
  options: Partial<SearchOptions>,
  stepPages?: number,
  chunkBits = 12,
  searched: Model = model,
) {
  return search(searched, {
    ...{
      order: "bfs",
      control: {},
      maxErrors: Infinity,
      checksDeadlock: true,
      usesStep: stepPages !== undefined,
    },
    ...{ budget: { maxStates: 60_000 }, invariants: searched.invariants.map((_, i) => i) },
    checksSite: searched.sites.map(() => true),
    ...(stepPages === undefined ? {} : { storeSizes: { stepPages, chunkBits } }),
    ...options,
  });
}

describe.each(["bfs", "dfs"] as const)("%s", (order) => {
  test.each(["flat", "tree"] as const)("%s", async (store) => {
    const expected = await searchWith({ order, store });
    const lots = await searchWith({ order, store }, 2000);
    expect(lots.stats.backend).toBe("webassembly");
    for (const [what, found] of [
      ["in its memory", lots],
      ...(await Promise.all(
        [136, 137, 139, 142, 143].map(
          async (pages) => [pages, await searchWith({ order, store }, pages)] as const,
        ),
      )),
    ] as const) {
      if (typeof what === "number") expect(found.stats.backend, `${what} pages`).toBe("javascript");
      const { states, transitions, depth, peakFrontier } = found.stats;
      const { stats } = expected;
      expect({ states, transitions, depth, peakFrontier }, `${what}`).toEqual({
        states: stats.states,
        transitions: stats.transitions,
        depth: stats.depth,
        peakFrontier: stats.peakFrontier,
      });
      expect(found.stop).toBe(expected.stop);
      const told = (all: typeof found.violations) => all.map((v) => [v.cause, v.occurrences, v.path.length]);
      expect(told(found.violations)).toEqual(told(expected.violations));
    }
  });
});

/**
 * 128 pages of the memory are kept for lists: up to there the store has no room from the start, and with few pages the lists
 * have none either.
 */
const FEW_PAGES = [1, 2, 3, 5, 8, 20, 127, 128];

describe("a memory that is spent soon", () => {
  const told = ({ stats, stop, violations }: Awaited<ReturnType<typeof searchWith>>) => ({
    ...{ states: stats.states, transitions: stats.transitions, depth: stats.depth, stop },
    violations: violations.map((v) => [v.cause, v.occurrences, v.path.length]),
  });
  const models = { "few nodes": model, "many nodes": modelOf(NODES) };
  describe.each(Object.entries(models))("%s", (_, searched) => {
    describe.each(["bfs", "dfs"] as const)("%s", (order) => {
      test.each(["flat", "tree"] as const)("%s", async (store) => {
        const options = { order, store, budget: { maxStates: 2500 } };
        const expected = told(await searchWith(options, undefined, 6, searched));
        for (const pages of [...FEW_PAGES, ...Array.from({ length: 14 }, (_, i) => 129 + i)]) {
          const found = await searchWith(options, pages, 6, searched);
          expect(told(found), `${pages} pages`).toEqual(expected);
          if (FEW_PAGES.includes(pages)) expect(found.stats.backend, `${pages} pages`).toBe("javascript");
        }
      });
    });
  });
});

test("a list that outgrows the memory in the middle of a step begins the search again as JavaScript", async () => {
  const text = `int x, y; active proctype P() {
    atomic { do :: x < 600 -> x++ :: y < 300 -> y++ :: break od; assert(x + y < 900); x = x & 7; y = 0 }; x = 9
  }`;
  const wide = modelOf(text);
  const by = async (order: "bfs" | "dfs", pages?: number) => {
    const { stats, violations } = await searchWith({ order }, pages, 6, wide);
    const { states, transitions, backend } = stats;
    return { states, transitions, backend, occurrences: violations.map((v) => v.occurrences) };
  };
  for (const order of ["bfs", "dfs"] as const) {
    const expected = await by(order);
    expect(await by(order, 1000)).toEqual({ ...expected, backend: "webassembly" });
    expect(await by(order, 160)).toEqual(expected);
  }
});

test("small arrays must be in the memory until the search has left it", () => {
  const ledger = new Ledger(Infinity, () => 0, StepMemory.create(1));
  expect(ledger.small(100).length).toBe(100);
  expect(() => ledger.small(20_000)).toThrow("spent");
  ledger.hasLeft = true;
  expect(ledger.small(20_000).length).toBe(20_000);
});

test.each([
  ["many", "int x, y; active proctype P() { atomic { do :: x++ :: y++ :: break od }; x = 0 }"],
  ["wide", "int x, a[300]; active proctype P() { atomic { do :: x++; a[x & 255] = x :: break od }; x = 0 }"],
])("an atomic sequence without end, %s states, is given up by both codes", async (_, text) => {
  const endless = modelOf(text);
  for (const pages of [undefined, 20_000]) {
    const { stats, stop } = await searchWith({ order: "bfs" }, pages, 6, endless);
    const backend = pages ? "webassembly" : "javascript";
    expect({ states: stats.states, stop, backend: stats.backend }).toEqual({
      states: 1,
      stop: "step",
      backend,
    });
  }
});

test("an atomic sequence may have half a million intermediate states", () => {
  expect(() => limitInside(2 ** 19, 31)).not.toThrow();
  expect(() => limitInside(2 ** 19, 32)).toThrow("intermediate states");
  expect(() => limitInside(2 ** 20 - 1, 1)).not.toThrow();
  expect(() => limitInside(2 ** 20, 1)).toThrow("intermediate states");
});

test("a store that is full when a batch begins stops the search by its own reason", async () => {
  const line = modelOf("byte x; active proctype P() { do :: x++ od }");
  const { stop, stats } = await search(line, {
    ...{ order: "bfs", control: {}, maxErrors: 1, checksDeadlock: true, usesStep: true },
    ...{ budget: { maxStates: 50 }, invariants: [], checksSite: line.sites.map(() => true) },
  });
  expect({ stop, states: stats.states, backend: stats.backend }).toEqual({
    ...{ stop: "states", states: 50, backend: "webassembly" },
  });
});

test("rules that fired before a search began again are not counted", { timeout: 240_000 }, async () => {
  // The first states are searched as JavaScript; the last of them has more successors than the memory has room for.
  const text = `var x: 0..500010; y: 0..1300; startstate begin x := 0; y := 0; end;
rule "count" x = 0 & y < 1300 ==> begin y := y + 1; end;
rule "set" y = 1300 & x = 0 ==> begin x := 1; end;
ruleset a: 0..700; b: 0..700 do rule "spread" x = 1 ==> begin x := a * 701 + b + 2; end; end;`;
  const sources = new Sources();
  sources.add("m.m", text);
  const { program } = loadMurphi({ file: "m.m", text, defines: [], sources });
  const rules = compileRules(program!);
  const fired = async (stepPages: number | undefined) => {
    rules.coverage.times!.fill(0);
    const { stats } = await searchWith(
      { budget: { maxStates: 2000 }, ...(stepPages ? { usesStep: "when large" } : {}) },
      stepPages,
      12,
      rules,
    );
    return [stats.backend, ...rules.coverage.times!];
  };
  const [, ...expected] = await fired(undefined);
  expect(expected.slice(0, 2)).toEqual([1300, 1]);
  expect(await fired(4000)).toEqual(["webassembly", ...expected]);
  expect(await fired(150)).toEqual(["javascript", ...expected]);
});
