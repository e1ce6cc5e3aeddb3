import fc from "fast-check";
import { expect, test } from "vitest";
import { ExploredGroups } from "../../../src/code/system/explored-groups.js";

test("groups are kept as they were added, over several chunks, and only since the last search", () =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.nat(1500), fc.nat(1500), (width, before, count) => {
      const groups = new ExploredGroups(width);
      const stateOf = (i: number): number[] => Array.from({ length: width }, (_, k) => 7 * i + k);
      const add = (i: number): void => groups.add(i ^ 5, Int32Array.of(-1, ...stateOf(i)), 1);
      for (let i = 0; i < before; i++) add(i);
      groups.clear();
      expect([groups.count, groups.bytes]).toEqual([0, 0]);
      for (let i = 0; i < count; i++) add(i);
      const found: number[][] = [];
      groups.every((group, state, at) => found.push([group, ...state.subarray(at, at + width)]) > 0);
      expect(found).toEqual(Array.from({ length: count }, (_, i) => [i ^ 5, ...stateOf(i)]));
      expect(groups.bytes).toBeGreaterThanOrEqual(4 * count * (width + 1));
      expect(groups.every((_, state, at) => state[at] !== 0)).toBe(count === 0);
    }),
    { numRuns: 30 },
  ));
