/** Compares temporal verdicts with Spin's on small models; `npm run conformance:temporal` runs all. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeWithPeers } from "../peers.js";
import { inRepository } from "../repository.js";
import { examplesFolder, hasExamples } from "./spin-examples.js";
import { compareTemporal, renderTemporal } from "./temporal.js";

const folder = inRepository("test/fixtures/promela/temporal");
const own = readdirSync(folder).map((name) => ({ name, file: join(folder, name), defines: [] }));
const examples = [
  "Book_1991/p123.pml",
  "Exercises/ex_3a.pml",
  "Exercises/ex_5.pml",
  "LTL/bakery.pml",
  "LTL/diskhead.pml",
  "LTL/ltl_always_eventually.pml",
].map((name) => ({ name, file: join(examplesFolder, name), defines: [] }));

describeWithPeers("temporal properties against Spin", ["spin", "gcc"], () => {
  for (const model of own)
    test(model.name, { timeout: 240_000 }, async () => {
      const rows = await compareTemporal(model, { timeoutMs: 20_000 });
      expect(rows.filter((row) => row.verdict !== "agree")).toEqual([]);
    });

  if (!hasExamples()) console.warn(`SKIPPED: Spin's examples are not in ${examplesFolder}`);
  for (const model of hasExamples() ? examples : [])
    test(model.name, { timeout: 240_000 }, async () => {
      const rows = await compareTemporal(model, { timeoutMs: 20_000 });
      expect(rows.length).toBeGreaterThan(0);
      expect(
        rows.filter((row) => row.verdict !== "agree"),
        renderTemporal(rows),
      ).toEqual([]);
    });
});
