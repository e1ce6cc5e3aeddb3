/** Syntactic implications between formulas (Somenzi and Bloem, CAV 2000). */
import type { Term, Terms } from "./terms.js";
import { nth } from "../../../model/known.js";

export class Implications {
  readonly #terms: Terms;
  readonly #known = new Map<string, boolean>();
  readonly #negations = new Map<Term, Term>();

  constructor(terms: Terms) {
    this.#terms = terms;
  }

  /** True only if every word that satisfies `f` satisfies `g`. */
  holds(f: Term, g: Term): boolean {
    if (f === g || f.kind === "false" || g.kind === "true") return true; // sound: test/transforms/ltl/formulas/conditions.test.ts
    const key = `${f.id},${g.id}`;
    let known = this.#known.get(key);
    if (known === undefined) {
      known = this.#fromLeft(f, g) || this.#fromRight(f, g) || this.#sameOperator(f, g); // sound: test/transforms/ltl/formulas/conditions.test.ts
      this.#known.set(key, known);
    }
    return known;
  }

  negation(term: Term): Term {
    let negation = this.#negations.get(term);
    if (!negation) {
      negation = this.#negate(term);
      this.#negations.set(term, negation);
      this.#negations.set(negation, term);
    }
    return negation;
  }

  /** A part of `f` implies `g`. */
  #fromLeft(f: Term, g: Term): boolean {
    const [first, second] = f.children as [Term, Term];
    switch (f.kind) {
      case "and":
        return f.children.some((member) => this.holds(member, g)); // sound: test/transforms/ltl/formulas/conditions.test.ts
      case "or":
        return f.children.every((member) => this.holds(member, g)); // sound: test/transforms/ltl/formulas/conditions.test.ts
      case "always":
        return this.holds(first, g);
      case "until":
        return this.holds(first, g) && this.holds(second, g); // sound: test/transforms/ltl/formulas/conditions.test.ts
      case "release":
        return this.holds(second, g);
      default:
        return false; // sound: test/transforms/ltl/formulas/conditions.test.ts
    }
  }

  /** `f` implies a sufficient part of `g`. */
  #fromRight(f: Term, g: Term): boolean {
    const [first, second] = g.children as [Term, Term];
    switch (g.kind) {
      case "and":
        return g.children.every((member) => this.holds(f, member)); // sound: test/transforms/ltl/formulas/conditions.test.ts
      case "or":
        return g.children.some((member) => this.holds(f, member)); // sound: test/transforms/ltl/formulas/conditions.test.ts
      case "eventually":
        return this.holds(f, first) || (f.kind === "until" && this.holds(nth(f.children, 1), g)); // sound: test/transforms/ltl/formulas/conditions.test.ts
      case "until":
        return this.holds(f, second);
      case "release":
        return (
          // sound: test/transforms/ltl/formulas/conditions.test.ts
          (this.holds(f, first) && this.holds(f, second)) || (f.kind === "always" && this.holds(f, second))
        );
      default:
        return false; // sound: test/transforms/ltl/formulas/conditions.test.ts
    }
  }

  #sameOperator(f: Term, g: Term): boolean {
    if (f.kind !== g.kind || f.kind === "and" || f.kind === "or" || f.children.length === 0) return false; // sound: test/transforms/ltl/formulas/conditions.test.ts
    return f.children.every((child, i) => this.holds(child, nth(g.children, i))); // sound: test/transforms/ltl/formulas/conditions.test.ts
  }

  #negate(term: Term): Term {
    const t = this.#terms;
    const children = (): Term[] => term.children.map((child) => this.negation(child));
    switch (term.kind) {
      case "true":
        return t.false; // sound: test/transforms/ltl/formulas/conditions.test.ts
      case "false":
        return t.true; // sound: test/transforms/ltl/formulas/conditions.test.ts
      case "literal":
        return t.literal(term.proposition, !term.isPositive); // sound: test/transforms/ltl/formulas/conditions.test.ts
      case "and":
      case "or":
        return t.many(term.kind === "and" ? "or" : "and", children()); // sound: test/transforms/ltl/formulas/conditions.test.ts
      case "next":
        return t.unary("next", nth(children(), 0));
      case "eventually":
        return t.unary("always", nth(children(), 0));
      case "always":
        return t.unary("eventually", nth(children(), 0));
      case "until":
        return t.binary("release", nth(children(), 0), nth(children(), 1));
      case "release":
        return t.binary("until", nth(children(), 0), nth(children(), 1));
    }
  }
}
