import fc from "fast-check";
import { expect, test } from "vitest";
import { OWN_BITS } from "../../../src/engines/explicit/hash.js";
import { rehome } from "../../../src/engines/explicit/rehome.js";

/** A hash as `hash.ts` makes them: the low bits repeated above the others. */
const hashFrom = (bits: number): number => (bits & ((1 << OWN_BITS) - 1)) | (bits << OWN_BITS);

/** Linear probing, ids from 1. */
function enter(table: Int32Array, hash: number, id: number): void {
  const mask = table.length - 1;
  let slot = hash & mask;
  while (table[slot] !== 0) slot = (slot + 1) & mask;
  table[slot] = (hash & ~mask) | id;
}

function find(table: Int32Array, hash: number, id: number): boolean {
  const mask = table.length - 1;
  for (let slot = hash & mask; table[slot] !== 0; slot = (slot + 1) & mask)
    if (table[slot] === ((hash & ~mask) | id)) return true;
  return false;
}

/** Spread, crowded around the end of the table so that runs wrap around, and piled up in few places. */
const hashes = fc.oneof(
  fc.array(fc.integer()),
  fc.array(fc.integer({ min: -60, max: 60 })),
  fc.array(fc.constantFrom(0, 1, 5, 127, 128, 1 << 7, -1 << 7, 77)),
);

test.each([128, 512])("a doubled table of %i finds every entry, and asks few states for their hash", (size) =>
  fc.assert(
    fc.property(fc.array(hashes, { maxLength: 6 }), fc.integer({ min: 1, max: 3 }), (lists, parts) => {
      const all = [
        0,
        ...lists
          .flat()
          .slice(0, Math.floor(size * 0.9))
          .map(hashFrom),
      ];
      const old = new Int32Array(size);
      const table = new Int32Array(2 * size);
      all.forEach((hash, id) => id > 0 && enter(old, hash, id));
      for (let part = 0; part < parts; part++) rehome(old, table, (id) => all[id]!, part, parts);
      all.forEach((hash, id) => id > 0 && expect(find(table, hash, id)).toBe(true));
      expect(table.filter((entry) => entry !== 0)).toHaveLength(all.length - 1);
    }),
    { numRuns: 300 },
  ),
);

test("in a run longer than the repeated bits tell, states are asked", () => {
  // All want slot 5, in either half of the doubled table in turn.
  const all = Array.from({ length: 40 }, (_, i) => hashFrom(5 | ((i % 2) << 7)));
  const old = new Int32Array(128);
  const table = new Int32Array(256);
  all.forEach((hash, i) => enter(old, hash, i + 1));
  rehome(old, table, (id) => all[id - 1]!);
  all.forEach((hash, i) => expect(find(table, hash, i + 1)).toBe(true));
});

test("at the highest load few states are asked", () => {
  const size = 1 << 14;
  const all = Array.from({ length: Math.floor(size * 0.7) }, (_, i) =>
    hashFrom(Math.imul(i + 1, 0x9e3779b9) ^ (i * i)),
  );
  const old = new Int32Array(size);
  all.forEach((hash, i) => enter(old, hash, i + 1));
  let asked = 0;
  rehome(old, new Int32Array(2 * size), (id) => (asked++, all[id - 1]!));
  expect(asked).toBeLessThan(all.length / 20);
});
