/** Elimination agrees with trying values. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { eliminate } from "../../src/model/eliminate.js";
import { evaluate, Terms, times, variablesOf, type Term } from "../../src/model/terms.js";

const small = fc.integer({ min: -3, max: 3 });
const literal = fc.record({
  kind: fc.constantFrom("atMost", "equal", "divides"),
  x: small,
  y: small,
  z: small,
  constant: fc.integer({ min: -6, max: 6 }),
  divisor: fc.integer({ min: 2, max: 3 }),
  isNegated: fc.boolean(),
});

test("the result holds if and only if some value satisfies the formula", () => {
  fc.assert(
    fc.property(fc.array(literal, { minLength: 1, maxLength: 4 }), small, small, (literals, y, z) => {
      const t = new Terms();
      const names = { x: t.variable("x", "int"), y: t.variable("y", "int"), z: t.variable("z", "int") };
      const built = literals.map((each): Term => {
        const sum = t.sum(
          [times(BigInt(each.x), names.x), times(BigInt(each.y), names.y), times(BigInt(each.z), names.z)],
          BigInt(each.constant),
        );
        const atom =
          each.kind === "divides"
            ? t.divides(BigInt(each.divisor), sum)
            : each.kind === "equal"
              ? t.equal(sum, t.int(0n))
              : t.atMost(sum, t.int(0n));
        return each.isNegated ? t.not(atom) : atom;
      });
      const formula = t.and(built);
      const result = eliminate(t, formula, [names.x]);
      expect(variablesOf(result).has(names.x.id)).toBe(false);
      const at = (x: number): boolean =>
        evaluate(formula, { value: ({ name }) => BigInt(name === "x" ? x : name === "y" ? y : z) }) === 1n;
      // Bounds are at most 3·3 + 3·3 + 6 away, and a period of all divisors and coefficients is at most 36.
      const exists = Array.from({ length: 161 }, (_, i) => i - 80).some(at);
      const found = evaluate(result, { value: ({ name }) => BigInt(name === "y" ? y : z) }) === 1n;
      expect(found).toBe(exists);
    }),
    { numRuns: 4000 },
  );
});
