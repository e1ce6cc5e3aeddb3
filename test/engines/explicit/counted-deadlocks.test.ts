/** Deadlocks that loops count inside WebAssembly: as many as the host counts, without valid ends, and up to a limit. */
import { expect, test } from "vitest";
import { compile } from "../../../src/compile/index.js";
import { search, type SearchOptions } from "../../../src/engines/explicit/index.js";
import { loadPromela } from "../../../src/languages/promela/index.js";
import { Sources, type Model } from "../../../src/model/index.js";

/** 40 values of x from 10 to 49, half of them odd, and 4 of y: 80 valid ends and 80 deadlocks. */
const TEXT = `byte x, y;
active proctype P() {
  do
  :: x < 49 -> x++
  :: y < 3 -> y++
  :: x >= 10 && x % 2 == 1 -> goto odd
  :: x >= 10 && x % 2 == 0 -> goto even
  od;
odd: end: false;
even: false
}`;
const sources = new Sources();
sources.add("m.pml", TEXT);
const { program } = loadPromela({
  file: "m.pml",
  text: TEXT,
  defines: [],
  readFile: () => undefined,
  sources,
});
const model: Model = compile(program!, sources, {});

const found = async (by: Partial<SearchOptions>, searched = model) => {
  const { violations, stats, stop } = await search(searched, {
    ...{ order: "bfs", control: {}, maxErrors: Infinity, checksDeadlock: true, budget: {} },
    ...{ invariants: [], checksSite: [] },
    ...by,
  });
  return [stats.backend, stop, ...violations.map((v) => [v.cause.kind, v.occurrences])];
};

for (const order of ["bfs", "dfs"] as const)
  for (const store of ["flat", "tree"] as const) {
    test(`${order}, ${store}: every deadlock is counted, and no valid end`, async () => {
      for (const usesStep of [false, true] as const)
        expect(await found({ order, store, usesStep })).toEqual([
          usesStep ? "webassembly" : "javascript",
          undefined,
          ["deadlock", 80],
        ]);
    });
    test(`${order}, ${store}: a search stops at its last error`, async () => {
      expect(await found({ order, store, usesStep: true, maxErrors: 7 })).toEqual([
        "webassembly",
        "errors",
        ["deadlock", 7],
      ]);
    });
    test(`${order}, ${store}: a wrapper decides which ends are valid`, async () => {
      const status = (): number => 1;
      const system = Object.defineProperties(
        {},
        { ...Object.getOwnPropertyDescriptors(model.system), status: { value: status } },
      ) as Model["system"];
      const wrapped = { ...model, system };
      expect(await found({ order, store, usesStep: true }, wrapped)).toEqual(["webassembly", undefined]);
    });
  }
