/** The lossy stores as sets: nothing entered is ever denied, and losses match the formulas. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import {
  BitstateStore,
  indexings,
  type BitstateOptions,
} from "../../../src/engines/explicit/stores/bitstate.js";
import { CompactStore, type CompactOptions } from "../../../src/engines/explicit/stores/compact.js";
import { hashNames } from "../../../src/model/index.js";
import { omissionsAmong } from "../../../src/engines/explicit/stores/omissions.js";
import { randomKeys, threeErrors, unlimited } from "./keys.js";

const bitstate = (options: Partial<BitstateOptions>): BitstateStore =>
  BitstateStore.create(
    { bits: 1e6, functions: 3, hash: "murmur", seed: 1, compareFrom: 0, ...options },
    unlimited(),
  )!;

const compact = (options: Partial<CompactOptions>): CompactStore =>
  CompactStore.create(
    { cells: 1000, width: 32, hash: "murmur", seed: 1, compareFrom: 0, ...options },
    unlimited(),
  )!;

describe("as a set", () => {
  const operations = fc.array(fc.tuple(fc.boolean(), fc.nat(300)), { maxLength: 400 });
  const agrees = (
    add: (words: Int32Array) => boolean,
    has: (words: Int32Array) => boolean,
    steps: [boolean, number][],
  ): void => {
    const known = new Set<number>();
    for (const [isAdd, value] of steps) {
      const words = Int32Array.of(value, 0, value >> 2);
      if (isAdd) {
        expect(add(words)).toBe(!known.has(value));
        known.add(value);
      } else expect(has(words)).toBe(known.has(value));
    }
  };

  test.each(indexings)("bitstate with ample room, %s", (indexing) =>
    fc.assert(
      fc.property(operations, fc.constantFrom(...hashNames), (steps, hash) => {
        const store = bitstate({ bits: 4_000_037, functions: 12, indexing, hash });
        agrees(
          (words) => store.addIfNew(words, 0, 3),
          (words) => store.has(words, 0, 3),
          steps,
        );
      }),
      { numRuns: 30 },
    ),
  );

  test("compaction of any width from 33 bits", () =>
    fc.assert(
      fc.property(
        operations,
        fc.integer({ min: 33, max: 64 }),
        fc.integer({ min: 307, max: 900 }),
        fc.constantFrom(...hashNames),
        (steps, width, cells, hash) => {
          const store = compact({ width, cells, hash });
          agrees(
            (words) => store.addIfNew(words, 0, 3) === "new",
            (words) => store.has(words, 0, 3),
            steps,
          );
        },
      ),
      { numRuns: 100 },
    ));

  test("compaction of any width: what was entered is there, up to the last cell", () => {
    for (let width = 4; width <= 64; width++) {
      const store = compact({ width, cells: 211 });
      const keys = randomKeys(1000, width);
      for (let i = 0; i < 1000; i++) {
        const answer = store.addIfNew(keys, 4 * i, 4);
        if (answer === "full") expect(store.count).toBe(211);
        else expect(store.has(keys, 4 * i, 4)).toBe(true);
      }
      // With four bits nearly everything is taken as known before the table is full.
      expect(store.count).toBeGreaterThan(width < 8 ? 60 : 210);
      for (let i = 0; i < 40; i++) expect(store.has(keys, 4 * i, 4)).toBe(true);
    }
  });
});

describe("omissions, with fixed seeds", () => {
  const trials = 40;
  const keys = randomKeys(20_000, 99);

  describe.each(["triple", "enhanced"] as const)("bitstate, %s", (indexing) => {
    test.each([
      [4, 4],
      [8, 7],
      [16, 12],
    ])("%i bits per state", (perState, functions) => {
      const n = 20_000;
      const bits = perState * n;
      let omitted = 0;
      for (let seed = 0; seed < trials; seed++) {
        const store = bitstate({ bits, functions, indexing, seed });
        for (let i = 0; i < n; i++) if (!store.addIfNew(keys, 4 * i, 4)) omitted++;
      }
      const { expected } = omissionsAmong({ kind: "bitstate", bits, functions }, n);
      expect(Math.abs(omitted / trials - expected)).toBeLessThan(threeErrors(expected, trials));
    });
  });

  test.each([16, 15])("compaction to %i bits", (width) => {
    const n = 20_000;
    let omitted = 0;
    for (let seed = 0; seed < trials; seed++) {
      const store = compact({ width, cells: 22_229, seed });
      for (let i = 0; i < n; i++) if (store.addIfNew(keys, 4 * i, 4) === "known") omitted++;
    }
    const { expected } = omissionsAmong(compact({ width, cells: 22_229 }).lossy, n);
    expect(Math.abs(omitted / trials - expected)).toBeLessThan(threeErrors(expected, trials));
  });
});

describe("memory", () => {
  test("any number of bytes is used, and counted", () => {
    const ledger = new Ledger();
    const bytes = 1_234_567;
    const options = { hash: "murmur", seed: 1, compareFrom: 0 } as const;
    BitstateStore.create({ ...options, bits: 8 * bytes, functions: 3 }, ledger);
    expect(ledger.bytes).toBeGreaterThanOrEqual(bytes);
    expect(ledger.bytes).toBeLessThan(bytes + 4);
    for (let width = 4; width <= 64; width++) {
      const before = ledger.bytes;
      const store = CompactStore.create(
        { ...options, cells: Math.floor((8 * bytes) / width), width },
        ledger,
      )!;
      expect((store.cells * width) / 8).toBeGreaterThan(0.999 * bytes);
      expect(ledger.bytes - before).toBeLessThan(bytes + 4 * width + 8);
    }
  });

  test("what the budget does not allow is refused", () => {
    const options = { hash: "murmur", seed: 1, compareFrom: 0 } as const;
    expect(
      BitstateStore.create({ ...options, bits: 8e6, functions: 3 }, new Ledger(999_000)),
    ).toBeUndefined();
    expect(CompactStore.create({ ...options, cells: 1e6, width: 8 }, new Ledger(990_000))).toBeUndefined();
  });

  // Untouched pages cost nothing, so the arrays may exceed the memory.
  test("arrays beyond 2^32 bits are cut into segments, and all of them are used", () => {
    const ledger = new Ledger();
    const options = { hash: "murmur", seed: 1, compareFrom: 0 } as const;
    const bits = BitstateStore.create({ ...options, bits: 9.5 * 2 ** 30, functions: 5 }, ledger)!;
    const cells = CompactStore.create({ ...options, cells: 3e8, width: 33 }, ledger)!;
    const keys = randomKeys(500, 5);
    for (let i = 0; i < 500; i++) {
      expect(bits.addIfNew(keys, 4 * i, 4)).toBe(true);
      expect(cells.addIfNew(keys, 4 * i, 4)).toBe("new");
    }
    for (let i = 0; i < 500; i++) {
      expect(bits.addIfNew(keys, 4 * i, 4)).toBe(false);
      expect(cells.addIfNew(keys, 4 * i, 4)).toBe("known");
    }
  });
});
