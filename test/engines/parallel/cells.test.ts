/** The cells of shared hash compaction, at every width, in one thread: entries stay, regardless of their neighbours. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import { CompactTable } from "../../../src/engines/explicit/parallel/tables/compact.js";
import { Cells, cellShape, signatureValues } from "../../../src/engines/explicit/stores/cells.js";
import type { CompactChoice } from "../../../src/engines/explicit/stores/choice.js";

const choice = (width: number): CompactChoice => ({
  kind: "compact",
  cells: 200,
  width,
  hash: "murmur",
  seed: 3,
});

const cellsOf = (width: number): Cells => {
  const table = new CompactTable(choice(width), { width: 1, compareFrom: 0 }, new Ledger());
  const growth = table.grow();
  if (typeof growth === "string") throw new Error(growth);
  const cells = new Cells(choice(width), 0);
  cells.segments = growth.segments;
  return cells;
};

for (let width = 1; width <= 64; width++)
  test(`${width} bits`, () =>
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 150 }), (states) => {
        const cells = cellsOf(width);
        let entered = 0;
        for (const [i, state] of states.entries()) {
          cells.prepare(Int32Array.of(state), 1, 1);
          if (!cells.has(0)) {
            expect(cells.claim()).toBe(true);
            entered++;
          }
          if (i % 10 !== 0) continue;
          cells.prepare(Int32Array.from(states), i + 1, 1);
          for (let k = 0; k <= i; k++) expect(cells.has(k)).toBe(true);
        }
        // At 40 bits one in 10^8 would be lost.
        if (width >= 40) expect(entered).toBe(states.length);
      }),
      { numRuns: width === 1 || width === 64 ? 40 : 4 },
    ));

test("of the signatures two marks are lost, and only where a rest stands apart", () => {
  expect([4, 5, 16, 40, 64].map((width) => signatureValues(cellShape(choice(width))))).toEqual([
    15,
    14 * 2,
    2 ** 16 - 1,
    (2 ** 32 - 2) * 2 ** 8,
    (2 ** 32 - 2) * 2 ** 32,
  ]);
});

test("the table takes no more bits than its cells have", () => {
  for (const width of [4, 20, 33, 64]) {
    const ledger = new Ledger();
    const table = new CompactTable(
      { ...choice(width), cells: 100_003 },
      { width: 1, compareFrom: 0 },
      ledger,
    );
    table.grow();
    expect(ledger.bytes).toBeLessThan(((100_003 + 31) * width) / 8 + 16);
  }
});
