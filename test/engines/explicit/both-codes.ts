/** The same searches by JavaScript and by WebAssembly, for tests. */
import { expect } from "vitest";
import type { SearchOptions } from "../../../src/engines/explicit/index.js";
import { formOf, load, searchForm, type Asked, type Cell, type Limits } from "./code-comparison.js";

export interface BothCodes {
  /** Searches compared, and the number that ran as WebAssembly. */
  readonly compared: number;
  readonly asStepCode: number;
}

const LIMITS: Limits = { maxStates: 3000, trialStates: 40 };

/** Both orders, both exact stores, with and without partial order, all errors or the first; step code also with `sizes` of the store. */
export async function compareCodes(
  asked: Asked,
  sizes: readonly SearchOptions["storeSizes"][] = [],
  limits = LIMITS,
): Promise<BothCodes> {
  const tally = { compared: 0, asStepCode: 0 };
  const program = load(asked);
  for (const isReduced of program ? [false, true] : []) {
    const form = await formOf(program!, isReduced, limits);
    for (const cell of CELLS) {
      const one = await searchForm(form, cell, limits, { usesStep: false });
      for (const storeSizes of [{}, ...sizes]) {
        const other = await searchForm(form, cell, limits, { usesStep: true, storeSizes });
        const name = `${asked.name} ${Object.values(cell).join(" ")} ${JSON.stringify(storeSizes)}`;
        expect(other.seen, name).toEqual(one.seen);
        tally.compared++;
        if (other.result.stats.backend === "webassembly") tally.asStepCode++;
      }
    }
  }
  return tally;
}

const CELLS: readonly Cell[] = [
  { order: "bfs", store: "flat", maxErrors: Infinity },
  { order: "bfs", store: "tree", maxErrors: 1 },
  { order: "dfs", store: "flat", maxErrors: 1 },
  { order: "dfs", store: "tree", maxErrors: Infinity },
];
