/** Depth-first, siblings that were visited while they waited are removed from a large stack: nothing but memory changes. */
import { describe, expect, test } from "vitest";
import { compile } from "../../../src/compile/index.js";
import { search, type SearchOptions } from "../../../src/engines/explicit/search.js";
import { loadPromela } from "../../../src/languages/promela/index.js";
import { Sources } from "../../../src/model/index.js";

/** A step turns one of five digits on: a path through most states, with several successors at each. */
const TEXT = `byte a, b, c, d, e;
active proctype P() {
  do
  :: a = (a + 1) % 8
  :: b = (b + 1) % 8
  :: c = (c + 1) % 8
  :: d = (d + 1) % 8
  :: atomic { if :: e = (e + 1) % 4 :: e = (e + 3) % 4 fi; skip }
  od
}
active proctype Q() { do :: skip od }`;

/** States become wider while others wait. */
const GROWING = `bool made;
${TEXT.replace(":: a =", ":: !made && d == 5 -> made = 1; run R() :: a =")}
proctype R() { byte x[8]; x[1] = 5; false }`;

function searchWith(text: string, options: Partial<SearchOptions>) {
  const sources = new Sources();
  const { program } = loadPromela({
    file: "m.pml",
    text,
    defines: [],
    readFile: () => undefined,
    sources,
  });
  const model = compile(program!, sources);
  return search(model, {
    ...{ order: "dfs", control: {}, maxErrors: Infinity, checksDeadlock: true, budget: {}, invariants: [] },
    checksSite: model.sites.map(() => true),
    ...options,
  });
}

describe.each(["flat", "tree", { kind: "delta", distance: 20 }] as const)("%j", (store) => {
  test.each([
    [false, TEXT],
    [true, TEXT],
    [false, GROWING],
  ])("WebAssembly: %s", async (usesStep, text) => {
    const [kept, purged] = [
      await searchWith(text, { store, usesStep, storeSizes: { purgeAt: Infinity } }),
      await searchWith(text, { store, usesStep, storeSizes: { purgeAt: 1 } }),
    ];
    const figures = ({ stats, stop }: typeof kept) => {
      const { states, depth, peakFrontier, transitions } = stats;
      // A search that stops leaves siblings that are counted or not.
      return [stop, states, depth, peakFrontier, ...(stop ? [] : [transitions])];
    };
    expect(figures(purged)).toEqual(figures(kept));
    expect(kept.stats.states).toBeGreaterThan(15_000);
    if (text === TEXT) expect(purged.stats.peakBytes).toBeLessThan(kept.stats.peakBytes);
  });
});
