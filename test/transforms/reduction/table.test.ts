/** Figures of Spin that a search of a second or two reproduces; `npm run bench:reduction` prints them all. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Proviso } from "../../../src/engines/explicit/index.js";
import { columns, table } from "../../../bench/reduction-table.js";
import { inRepository } from "../../repository.js";
import { asSpin, figuresAsSpin, load } from "./reducing.js";

const MOST_STATES = 30_000;

describe("as many states and transitions as Spin", () => {
  for (const { model, defines, isPidGlobal, mode, cells, isLong } of table)
    for (const column of columns) {
      const expected = cells[column];
      if (!expected || isLong || expected.isSpinOnly || expected.states > MOST_STATES) continue;
      const what = [model, ...Object.values(defines ?? {}), mode, isPidGlobal ? "pid global" : "", column];
      test(what.filter((w) => w !== "").join(", "), { timeout: 240_000 }, async () => {
        const text = readFileSync(inRepository(`bench/models/reduction/${model}.pml`), "utf8");
        const [order, proviso] = column.split(" ") as ["bfs" | "dfs", Proviso | "visited" | undefined];
        const searched = asSpin(load(text, defines), mode, order, isPidGlobal);
        const found = await figuresAsSpin(searched, order, proviso);
        expect(found.states).toBe(expected.states);
        if (expected.transitions !== undefined) expect(found.transitions).toBe(expected.transitions);
      });
    }
});
