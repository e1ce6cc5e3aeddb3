import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UniversalHash, derivedSeed, stateHash } from "../../../src/engines/explicit/stores/hashing.js";
import { reduce, reduceTwo } from "../../../src/engines/explicit/stores/hash-words.js";
import { hashNames, type Words } from "../../../src/model/index.js";
import { generator } from "./keys.js";

const state = fc.array(fc.oneof(fc.integer(), fc.constant(0)), { minLength: 1, maxLength: 20 });

describe.each(hashNames)("%s", (name) => {
  const words = (of: readonly number[], seed = 7, compareFrom = 0): number[] => {
    const hash = stateHash(name, seed, compareFrom);
    hash.hash(Int32Array.from(of), 0, of.length);
    return [...hash.out];
  };

  test("extended by zeros a state has the same hash", () =>
    fc.assert(
      fc.property(state, fc.nat(9), (of, zeros) => {
        expect(words([...of, ...new Array<number>(zeros).fill(0)])).toEqual(words(of));
      }),
    ));

  test("words that do not count do not count", () =>
    fc.assert(
      fc.property(state, fc.integer(), (of, hidden) => {
        expect(words([hidden, ...of], 7, 1)).toEqual(words([0, ...of], 7, 1));
      }),
    ));

  test("each bit of a state changes about half of the bits of each word", () => {
    const random = generator(3);
    const changes = [0, 0, 0];
    const trials = 4000;
    for (let trial = 0; trial < trials; trial++) {
      const of = Array.from({ length: 7 }, () => random());
      const bit = trial % (7 * 32);
      const other = of.map((word, k) => (k === bit >> 5 ? word ^ (1 << (bit & 31)) : word));
      const [before, after] = [words(of), words(other)];
      for (let k = 0; k < 3; k++) changes[k]! += bitsIn(before[k]! ^ after[k]!);
    }
    for (const sum of changes) expect(Math.abs(sum / trials - 16)).toBeLessThan(0.5);
  });

  test("another seed is another function", () => {
    expect(words([1, 2, 3], 1)).not.toEqual(words([1, 2, 3], 2));
    expect(derivedSeed(1, 0)).not.toBe(derivedSeed(1, 1));
  });
});

test("jenkins is LOOKUP2 of the state's bytes, mixed once more", () =>
  fc.assert(
    fc.property(state, fc.integer(), (of, seed) => {
      const hash = stateHash("jenkins", seed, 0);
      hash.hash(Int32Array.from(of), 0, of.length);
      let length = of.length;
      while (length > 0 && of[length - 1] === 0) length--;
      const bytes = new Uint8Array(Int32Array.from(of.slice(0, length)).buffer);
      expect([...hash.out]).toEqual(lookup2(bytes, seed));
    }),
  ));

test("h3: the hash of a successor from its differences is its hash", () => {
  const random = generator(11);
  const width = 9;
  const stepwise = new UniversalHash(5, 1);
  const whole = new UniversalHash(5, 1);
  const at: Words = Int32Array.from({ length: width }, random);
  stepwise.hash(at, 0, width);
  for (let step = 0; step < 100_000; step++) {
    const k = (random() >>> 8) % width;
    const difference = step % 3 === 0 ? 1 << (random() & 31) : random();
    at[k]! ^= difference;
    stepwise.update(k, difference);
    whole.hash(at, 0, width);
    if (whole.out.join() !== stepwise.out.join()) throw new Error(`different after ${step} steps`);
  }
});

test("h3: tables of wide states are small, and continue those of narrow ones", () => {
  const wide = new UniversalHash(5, 0);
  const narrow = new UniversalHash(5, 0);
  const of = Int32Array.of(1, -1, 0x12345678);
  narrow.hash(of, 0, 3);
  wide.hash(new Int32Array(300).fill(3), 0, 300);
  wide.hash(of, 0, 3);
  expect([...wide.out]).toEqual([...narrow.out]);
  expect(wide.tableBytes).toBe(300 * 8 * 16 * 12);
});

test("reductions stay in range, at its ends too", () => {
  for (const range of [1, 3, 1000, 2 ** 31 + 11, 2 ** 32 - 1, 2 ** 32]) {
    expect(reduce(-1, range)).toBe(range - 1);
    expect(reduce(0, range)).toBe(0);
  }
  for (const range of [5, 2 ** 32 + 1, 2 ** 34, 14_680_064_000, 2 ** 53 - 1]) {
    expect(reduceTwo(-1, -1, range)).toBe(range - 1);
    expect(reduceTwo(0, 0, range)).toBe(0);
  }
});

const bitsIn = (word: number): number => {
  let bits = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) bits++;
  return bits;
};

/** As Jenkins wrote it, byte by byte. */
function lookup2(k: Uint8Array, seed: number): number[] {
  let [a, b, c] = [0x9e3779b9 | 0, 0x9e3779b9 | 0, seed | 0];
  const mix = (): void => {
    a = (a - b - c) ^ (c >>> 13);
    b = (b - c - a) ^ (a << 8);
    c = (c - a - b) ^ (b >>> 13);
    a = (a - b - c) ^ (c >>> 12);
    b = (b - c - a) ^ (a << 16);
    c = (c - a - b) ^ (b >>> 5);
    a = (a - b - c) ^ (c >>> 3);
    b = (b - c - a) ^ (a << 10);
    c = (c - a - b) ^ (b >>> 15);
  };
  const byte = (i: number, shift: number): number => (k[i] ?? 0) << shift;
  const four = (i: number): number => byte(i, 0) + byte(i + 1, 8) + byte(i + 2, 16) + byte(i + 3, 24);
  let i = 0;
  for (; k.length - i >= 12; i += 12) {
    a = (a + four(i)) | 0;
    b = (b + four(i + 4)) | 0;
    c = (c + four(i + 8)) | 0;
    mix();
  }
  a = (a + four(i)) | 0;
  b = (b + four(i + 4)) | 0;
  c = (c + k.length + byte(i + 8, 8) + byte(i + 9, 16) + byte(i + 10, 24)) | 0;
  mix();
  mix();
  return [a | 0, b | 0, c | 0];
}
