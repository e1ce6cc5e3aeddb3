/**
 * Negation, and negation normal form: negations only before propositions, and of the operators only `and`, `or`,
 * `next`, `eventually`, `always`, `until` and `release`. Both translations start from it.
 */
import type { Formula } from "../../../model/index.js";

/** The opposite; a double negation disappears. */
export const negate = (formula: Formula): Formula =>
  formula.kind === "not" ? formula.operand : { kind: "not", operand: formula };

export const normalForm = (formula: Formula): Formula => push(formula, false);

/** Does the formula mention the next state? Without `next`, repeating a letter changes nothing. */
export function hasNext(formula: Formula): boolean {
  switch (formula.kind) {
    case "true":
    case "false":
    case "proposition":
      return false;
    case "next":
      return true;
    case "not":
    case "eventually":
    case "always":
      return hasNext(formula.operand);
    default:
      return hasNext(formula.left) || hasNext(formula.right);
  }
}

/** The normal form of the formula, or of its negation. */
function push(formula: Formula, isNegated: boolean): Formula {
  switch (formula.kind) {
    case "true":
    case "false":
      return { kind: (formula.kind === "true") === isNegated ? "false" : "true" };
    case "proposition":
      return isNegated ? { kind: "not", operand: formula } : formula;
    case "not":
      return push(formula.operand, !isNegated);
    case "next":
      return { kind: "next", operand: push(formula.operand, isNegated) };
    case "eventually":
    case "always":
      return {
        kind: (formula.kind === "always") === isNegated ? "eventually" : "always",
        operand: push(formula.operand, isNegated),
      };
    default:
      return pushBinary(formula.kind, formula.left, formula.right, isNegated);
  }
}

type BinaryKind = Extract<Formula, { left: Formula }>["kind"];

function pushBinary(kind: BinaryKind, left: Formula, right: Formula, isNegated: boolean): Formula {
  const binary = (positive: BinaryKind, negative: BinaryKind, a: Formula, b: Formula): Formula => ({
    kind: isNegated ? negative : positive,
    left: a,
    right: b,
  });
  const [f, g] = [push(left, isNegated), push(right, isNegated)];
  switch (kind) {
    case "and":
    case "or":
      return binary(kind, kind === "and" ? "or" : "and", f, g);
    case "implies":
      return binary("or", "and", push(left, !isNegated), g);
    case "equivalent":
    case "xor": {
      // Twice negated is not negated: `xor` is `equivalent` the other way round.
      const isSame = (kind === "equivalent") !== isNegated;
      const [p, notP] = [push(left, false), push(left, true)];
      const [q, notQ] = [push(right, false), push(right, true)];
      return {
        kind: "or",
        left: { kind: "and", left: p, right: isSame ? q : notQ },
        right: { kind: "and", left: notP, right: isSame ? notQ : q },
      };
    }
    case "until":
    case "release":
      return binary(kind, kind === "until" ? "release" : "until", f, g);
    case "weak-until": // f W g = g R (f | g)
      return binary("release", "until", g, binary("or", "and", f, g));
    case "strong-release": // f M g = g U (f & g)
      return binary("until", "release", g, binary("and", "or", f, g));
  }
}
