/**
 * Hash-consed formulas in negation normal form, for translation and rewriting: equal formulas are one object; conjunctions and
 * disjunctions have any number of members, sorted and without repetition.
 *
 * The constructors only establish this form; `rewrite.ts` simplifies.
 */
import type { Formula } from "../../../model/index.js";
import { normalForm } from "./normal-form.js";
import { nth } from "../../../model/known.js";

export interface Term {
  /** Discovery order: members are sorted by it. */
  readonly id: number;
  readonly kind: TermKind;
  /** For literals: the proposition, and its sign. */
  readonly proposition: number;
  readonly isPositive: boolean;
  readonly children: readonly Term[];
}

export type TermKind =
  "true" | "false" | "literal" | "and" | "or" | "next" | "eventually" | "always" | "until" | "release";

export class Terms {
  readonly #known = new Map<string, Term>();
  readonly true = this.#term("true", []);
  readonly false = this.#term("false", []);

  literal(proposition: number, isPositive: boolean): Term {
    return this.#term("literal", [], proposition, isPositive);
  }

  unary(kind: "next" | "eventually" | "always", operand: Term): Term {
    return this.#term(kind, [operand]);
  }

  binary(kind: "until" | "release", left: Term, right: Term): Term {
    return this.#term(kind, [left, right]);
  }

  /** Flattened; constant members are resolved. */
  many(kind: "and" | "or", members: readonly Term[]): Term {
    const [neutral, absorbing] = kind === "and" ? [this.true, this.false] : [this.false, this.true]; // sound: test/transforms/ltl/formulas/conditions.test.ts
    const flat = new Set(members.flatMap((member) => (member.kind === kind ? member.children : [member]))); // sound: test/transforms/ltl/formulas/conditions.test.ts
    flat.delete(neutral);
    if (flat.has(absorbing)) return absorbing; // sound: test/transforms/ltl/formulas/conditions.test.ts
    const sorted = [...flat].sort((a, b) => a.id - b.id);
    if (sorted.length <= 1) return sorted[0] ?? neutral; // sound: test/transforms/ltl/formulas/conditions.test.ts
    return this.#term(kind, sorted);
  }

  /** Converts a formula to normal form first. */
  from(formula: Formula): Term {
    return this.#fromNormal(normalForm(formula));
  }

  #fromNormal(formula: Formula): Term {
    switch (formula.kind) {
      case "true":
        return this.true; // sound: test/transforms/ltl/formulas/conditions.test.ts
      case "false":
        return this.false; // sound: test/transforms/ltl/formulas/conditions.test.ts
      case "proposition":
        return this.literal(formula.index, true); // sound: test/transforms/ltl/formulas/conditions.test.ts
      case "not":
        if (formula.operand.kind !== "proposition") throw new Error("not in negation normal form");
        return this.literal(formula.operand.index, false); // sound: test/transforms/ltl/formulas/conditions.test.ts
      case "next":
      case "eventually":
      case "always":
        return this.unary(formula.kind, this.#fromNormal(formula.operand));
      case "and":
      case "or":
        return this.many(formula.kind, [this.#fromNormal(formula.left), this.#fromNormal(formula.right)]);
      case "until":
      case "release":
        return this.binary(formula.kind, this.#fromNormal(formula.left), this.#fromNormal(formula.right));
      default:
        throw new Error(`not in negation normal form: ${formula.kind}`);
    }
  }

  #term(kind: TermKind, children: readonly Term[], proposition = -1, isPositive = true): Term {
    const key = `${kind} ${isPositive ? "" : "!"}${proposition} ${children.map(({ id }) => id).join(",")}`;
    let term = this.#known.get(key);
    // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (!term) {
      term = { id: this.#known.size, kind, proposition, isPositive, children };
      this.#known.set(key, term);
    }
    return term;
  }
}

/** Converts back to a formula, for printing and other users. */
export function toFormula(term: Term): Formula {
  const children = term.children.map(toFormula);
  switch (term.kind) {
    case "true":
    case "false":
      return { kind: term.kind };
    case "literal": {
      const proposition: Formula = { kind: "proposition", index: term.proposition };
      return term.isPositive ? proposition : { kind: "not", operand: proposition }; // sound: test/transforms/ltl/formulas/conditions.test.ts
    }
    case "next":
    case "eventually":
    case "always":
      return { kind: term.kind, operand: nth(children, 0) };
    case "until":
    case "release":
      return { kind: term.kind, left: nth(children, 0), right: nth(children, 1) };
    case "and":
    case "or": {
      const { kind } = term;
      return children.reduceRight((right, left) => ({ kind, left, right }));
    }
  }
}
