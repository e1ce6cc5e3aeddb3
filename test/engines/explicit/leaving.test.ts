/** A search that outgrows what WebAssembly can address goes on as JavaScript, and finds what it would have found. */
import { describe, expect, test } from "vitest";
import { compile } from "../../../src/compile/index.js";
import { search, type SearchOptions } from "../../../src/engines/explicit/index.js";
import { loadPromela } from "../../../src/languages/promela/index.js";
import { Sources } from "../../../src/model/index.js";

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

const sources = new Sources();
sources.add("m.pml", TEXT);
const { program } = loadPromela({
  ...{ file: "m.pml", text: TEXT, defines: [], readFile: () => undefined, sources },
  invariants: ["a[0] + a[1] < 12"],
});
const model = compile(program!, sources);

function searchWith(options: Partial<SearchOptions>, stepPages?: number) {
  return search(model, {
    ...{
      order: "bfs",
      control: {},
      maxErrors: Infinity,
      checksDeadlock: true,
      usesStep: stepPages !== undefined,
    },
    ...{ budget: { maxStates: 60_000 }, invariants: [0], checksSite: model.sites.map(() => true) },
    ...(stepPages === undefined ? {} : { storeSizes: { stepPages, chunkBits: 12 } }),
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

test("a store that is full when a batch begins stops the search by its own reason", async () => {
  const text = "byte x; active proctype P() { do :: x++ od }";
  const texts = new Sources();
  texts.add("line.pml", text);
  const loaded = loadPromela({
    ...{ file: "line.pml", text, defines: [], readFile: () => undefined, sources: texts },
  });
  const line = compile(loaded.program!, texts);
  const { stop, stats } = await search(line, {
    ...{ order: "bfs", control: {}, maxErrors: 1, checksDeadlock: true, usesStep: true },
    ...{ budget: { maxStates: 50 }, invariants: [], checksSite: line.sites.map(() => true) },
  });
  expect({ stop, states: stats.states, backend: stats.backend }).toEqual({
    ...{ stop: "states", states: 50, backend: "webassembly" },
  });
});
