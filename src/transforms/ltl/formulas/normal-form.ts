/**
 * Negation normal form: negations only before propositions, and only the operators `and`, `or`, `next`, `eventually`, `always`,
 * `until` and `release`. Both translations start from it.
 */
import type { Formula } from "../../../model/index.js";

/** Negates; a double negation cancels. */
export const negate = (formula: Formula): Formula =>
  formula.kind === "not" ? formula.operand : { kind: "not", operand: formula }; // sound: test/transforms/ltl/formulas/conditions.test.ts

export const normalForm = (formula: Formula): Formula => push(formula, false); // sound: test/transforms/ltl/formulas/conditions.test.ts

/** Does the formula contain `next`? Without it, satisfaction is stutter-invariant. */
export function hasNext(formula: Formula): boolean {
  switch (formula.kind) {
    case "true":
    case "false":
    case "proposition":
      return false; // sound: test/transforms/ltl/formulas/conditions.test.ts
    case "next":
      return true; // sound: test/transforms/ltl/formulas/conditions.test.ts
    case "not":
    case "eventually":
    case "always":
      return hasNext(formula.operand);
    default:
      return hasNext(formula.left) || hasNext(formula.right); // sound: test/transforms/ltl/formulas/conditions.test.ts
  }
}

/** The normal form of the formula, or of its negation. */
function push(formula: Formula, isNegated: boolean): Formula {
  switch (formula.kind) {
    case "true":
    case "false":
      return { kind: (formula.kind === "true") === isNegated ? "false" : "true" }; // sound: test/transforms/ltl/formulas/conditions.test.ts
    case "proposition":
      return isNegated ? { kind: "not", operand: formula } : formula; // sound: test/transforms/ltl/formulas/conditions.test.ts
    case "not":
      return push(formula.operand, !isNegated); // sound: test/transforms/ltl/formulas/conditions.test.ts
    case "next":
      return { kind: "next", operand: push(formula.operand, isNegated) };
    case "eventually":
    case "always":
      return {
        kind: (formula.kind === "always") === isNegated ? "eventually" : "always", // sound: test/transforms/ltl/formulas/conditions.test.ts
        operand: push(formula.operand, isNegated),
      };
    default:
      return pushBinary(formula.kind, formula.left, formula.right, isNegated);
  }
}

type BinaryKind = Extract<Formula, { left: Formula }>["kind"];

function pushBinary(kind: BinaryKind, left: Formula, right: Formula, isNegated: boolean): Formula {
  const binary = (positive: BinaryKind, negative: BinaryKind, a: Formula, b: Formula): Formula => ({
    kind: isNegated ? negative : positive, // sound: test/transforms/ltl/formulas/conditions.test.ts
    left: a,
    right: b,
  });
  const [f, g] = [push(left, isNegated), push(right, isNegated)];
  switch (kind) {
    case "and":
    case "or":
      return binary(kind, kind === "and" ? "or" : "and", f, g); // sound: test/transforms/ltl/formulas/conditions.test.ts
    case "implies":
      return binary("or", "and", push(left, !isNegated), g); // sound: test/transforms/ltl/formulas/conditions.test.ts
    case "equivalent":
    case "xor": {
      // A double negation cancels; `xor` is negated `equivalent`.
      const isSame = (kind === "equivalent") !== isNegated; // sound: test/transforms/ltl/formulas/conditions.test.ts
      const [p, notP] = [push(left, false), push(left, true)]; // sound: test/transforms/ltl/formulas/conditions.test.ts
      const [q, notQ] = [push(right, false), push(right, true)]; // sound: test/transforms/ltl/formulas/conditions.test.ts
      return {
        kind: "or",
        left: { kind: "and", left: p, right: isSame ? q : notQ }, // sound: test/transforms/ltl/formulas/conditions.test.ts
        right: { kind: "and", left: notP, right: isSame ? notQ : q }, // sound: test/transforms/ltl/formulas/conditions.test.ts
      };
    }
    case "until":
    case "release":
      return binary(kind, kind === "until" ? "release" : "until", f, g); // sound: test/transforms/ltl/formulas/conditions.test.ts
    case "weak-until": // f W g = g R (f | g)
      return binary("release", "until", g, binary("or", "and", f, g));
    case "strong-release": // f M g = g U (f & g)
      return binary("until", "release", g, binary("and", "or", f, g));
  }
}
