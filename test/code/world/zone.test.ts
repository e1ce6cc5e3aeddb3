/** Symbolic moments, compared with enumeration. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Zone } from "../../../src/code/world/zone.js";

interface Bound {
  readonly later: number;
  readonly earlier: number;
  readonly most: number;
}

const moments = 4;
const most = 6;

const bound = fc.record({
  later: fc.nat(moments - 1),
  earlier: fc.nat(moments - 1),
  most: fc.integer({ min: -most / 2, max: most / 2 }),
});

/** All monotone assignments of numbers to moments, the first being 0. */
function* assignments(): Generator<number[]> {
  for (let a = 0; a <= 3 * most; a++)
    for (let b = a; b <= 3 * most; b++) for (let c = b; c <= 3 * most; c++) yield [0, a, b, c];
}

test("a set of bounds is possible exactly if numbers fulfil it", () => {
  fc.assert(
    fc.property(fc.array(bound, { maxLength: 6 }), (bounds: Bound[]) => {
      const zone = new Zone();
      for (let i = 1; i < moments; i++) zone.elapse();
      const isPossible = bounds.every(({ later, earlier, most }) => zone.limit(later, earlier, most));
      const fulfilling = [...assignments()].filter((times) =>
        bounds.every(({ later, earlier, most }) => times[later]! - times[earlier]! <= most),
      );
      expect(isPossible).toBe(fulfilling.length > 0);
      if (!isPossible) return;
      const [least, latest] = zone.range(moments - 1);
      expect(least).toBe(Math.min(...fulfilling.map((times) => times.at(-1)!)));
      if (latest < 2 * most) expect(latest).toBe(Math.max(...fulfilling.map((times) => times.at(-1)!)));
    }),
    { seed: 1, numRuns: 300 },
  );
});

test("what is forgotten still bounds the rest", () => {
  const zone = new Zone();
  zone.elapse();
  zone.limit(1, 0, 5);
  zone.elapse();
  zone.limit(2, 1, 5);
  zone.forget(() => false);
  expect(zone.now).toBe(1);
  expect(zone.range(zone.now)).toEqual([0, 10]);
});

test("what is asked for is kept, under a number of its own", () => {
  const zone = new Zone();
  for (let i = 0; i < 3; i++) zone.elapse();
  zone.limit(2, 1, 5);
  zone.limit(1, 2, -5);
  zone.limit(3, 2, 7);
  const renumbered = zone.forget((moment) => moment === 2);
  expect([0, 2, 3].map(renumbered)).toEqual([0, 1, 2]);
  expect(zone.limit(1, 0, 4)).toBe(false);
  expect(zone.limit(1, 0, 5)).toBe(true);
  expect(zone.range(2)).toEqual([5, 12]);
});
