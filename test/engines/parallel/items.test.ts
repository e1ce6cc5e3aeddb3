import fc from "fast-check";
import { expect, test } from "vitest";
import {
  controlWords,
  rangesLength,
  resetShares,
  split,
  takeItem,
} from "../../../src/engines/explicit/parallel/items.js";

const workers = fc.integer({ min: 1, max: 8 });

test("every item of a level is taken once, whoever is faster", () => {
  fc.assert(
    fc.property(workers, fc.nat(200), fc.infiniteStream(fc.nat(7)), (count, items, turns) => {
      const control = new Int32Array(new SharedArrayBuffer(4 * controlWords(count)));
      for (let level = 0; level < 2; level++) {
        resetShares(control, count);
        const taken: number[] = [];
        const isDone = new Set<number>();
        while (isDone.size < count) {
          const worker = turns.next().value! % count;
          const item = takeItem(control, items, worker, count);
          if (item < 0) isDone.add(worker);
          else taken.push(item);
        }
        expect(taken.sort((a, b) => a - b)).toEqual(Array.from({ length: items }, (_, item) => item));
      }
    }),
  );
});

test("a worker takes its own share from the front, and then others' from the back", () => {
  const control = new Int32Array(new SharedArrayBuffer(4 * controlWords(2)));
  const take = (worker: number): number => takeItem(control, 6, worker, 2);
  expect([take(0), take(1), take(0), take(0), take(0), take(1), take(1)]).toEqual([0, 3, 1, 2, 5, 4, -1]);
});

test("an item that another worker has just taken is not taken again", () => {
  type Exchange = (words: Int32Array, at: number, expected: number, value: number) => number;
  const { compareExchange } = Atomics as { compareExchange: Exchange };
  const control = new Int32Array(new SharedArrayBuffer(4 * controlWords(2)));
  const taken: number[] = [];
  let racing = false;
  const raced: Exchange = (words, at, expected, value) => {
    if (!racing) {
      racing = true;
      for (let i = 0; i < 2; i++) taken.push(takeItem(control, 40, 1, 2));
      racing = false;
    }
    return compareExchange(words, at, expected, value);
  };
  Object.assign(Atomics, { compareExchange: raced });
  try {
    for (let item = 0; item >= 0;) taken.push((item = takeItem(control, 40, 0, 2)));
  } finally {
    Object.assign(Atomics, { compareExchange });
  }
  const items = taken.filter((item) => item >= 0);
  expect(items.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, item) => item));
});

test("no item is empty", () => {
  expect([...split([1, 33, 40, 45, 50, 66], 1)]).toEqual([1, 17, 17, 33, 40, 45, 50, 66]);
});

test("items cover the ranges, and are not more than a word can count", () => {
  const ranges = fc
    .array(fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 5000 })), { minLength: 1, maxLength: 20 })
    .map((gaps) => {
      let at = 1;
      return gaps.flatMap(([gap, length]) => [(at += gap), (at += length)]);
    });
  fc.assert(
    fc.property(ranges, workers, (level, count) => {
      const items = split(level, count);
      const ids = (of: ArrayLike<number>): number[] => {
        const all: number[] = [];
        for (let i = 0; i < of.length; i += 2) for (let id = of[i]!; id < of[i + 1]!; id++) all.push(id);
        return all;
      };
      expect(ids(items)).toEqual(ids(level));
      expect(rangesLength(items)).toBe(rangesLength(level));
    }),
  );
  expect(split([1, 1_000_000_001], 2).length / 2).toBeLessThanOrEqual(0xffff);
});
