/**
 * Loops, quantifiers and conditions over scalarsets whose order of elements is visible. Refused ones give other states or
 * errors in renamed states; the kept ones are compared orbit by orbit.
 */
import { describe, expect, test } from "vitest";
import { planSymmetry } from "../../../src/transforms/symmetry/index.js";
import { programOf } from "../../compile/rules/differential.js";
import { compareModes, compareOrbits } from "../../languages/murphi/modes.js";
import { KEPT, REFUSED, modelOf } from "./orders.js";

describe("the order of elements shows", () => {
  for (const [name, given] of Object.entries(REFUSED))
    test(name, async () => {
      const text = modelOf(given);
      expect(planSymmetry(programOf(text)).scalarsets, text).toEqual([]);
      expect((await compareModes(text, { deadlock: "off" })).differences).toEqual([]);
    });
});

describe("the order of elements does not show", () => {
  for (const [name, given] of Object.entries(KEPT))
    test(name, async () => {
      const text = modelOf(given);
      expect(planSymmetry(programOf(text)).refused.map(({ why }) => why)).toEqual([]);
      expect(compareOrbits(programOf(text), 5000)).toEqual({ isReduced: true, difference: undefined });
      expect((await compareModes(text, { deadlock: "off" })).differences).toEqual([]);
    });
});
