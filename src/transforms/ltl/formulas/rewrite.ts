/**
 * Simplifies formulas, so that translation creates fewer states: the rules of Somenzi and Bloem (CAV 2000) and Etessami and Holzmann
 * (CONCUR 2000) with purely eventual and purely universal formulas, and syntactic implications.
 *
 * A purely eventual formula holds if it holds at some later position (`F f`); a purely universal one, if it holds, holds at all later
 * positions (`G f`). A formula that is both (`G F f`) holds everywhere or nowhere.
 */
import { Implications } from "./implications.js";
import type { Term, Terms } from "./terms.js";
import { nth } from "../../../model/known.js";

export const rewrite = (term: Term, terms: Terms): Term => new Rewriter(terms).rewrite(term);

class Rewriter {
  readonly #terms: Terms;
  readonly #implications: Implications;
  readonly #known = new Map<Term, Term>();

  constructor(terms: Terms) {
    this.#terms = terms;
    this.#implications = new Implications(terms);
  }

  /** Bottom-up; after a rule applies, the result is rewritten again. */
  rewrite(term: Term): Term {
    const known = this.#known.get(term);
    if (known) return known;
    this.#known.set(term, term); // Ends cycles of rules.
    const children = term.children.map((child) => this.rewrite(child));
    const result = this.rewrite(this.#apply(this.#rebuild(term, children)));
    this.#known.set(term, result);
    this.#known.set(result, result);
    return result;
  }

  #rebuild(term: Term, children: readonly Term[]): Term {
    const [first, second] = children as [Term, Term];
    switch (term.kind) {
      case "and":
      case "or":
        return this.#terms.many(term.kind, children);
      case "next":
      case "eventually":
      case "always":
        return this.#terms.unary(term.kind, first);
      case "until":
      case "release":
        return this.#terms.binary(term.kind, first, second);
      default:
        return term;
    }
  }

  #apply(term: Term): Term {
    const [first, second] = term.children as [Term, Term];
    switch (term.kind) {
      case "next":
        return this.#next(term, first);
      case "eventually":
        return this.#eventually(term, first);
      case "always":
        return this.#always(term, first);
      case "until":
        return this.#until(term, first, second);
      case "release":
        return this.#release(term, first, second);
      case "and":
      case "or":
        return this.#many(term, term.kind);
      default:
        return term;
    }
  }

  #next(term: Term, f: Term): Term {
    if (isEventual(f) && isUniversal(f)) return f; // sound: test/transforms/ltl/formulas/conditions.test.ts
    return term;
  }

  #eventually(term: Term, f: Term): Term {
    const t = this.#terms;
    if (isEventual(f)) return f; // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (f.kind === "until") return t.unary("eventually", nth(f.children, 1)); // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (f.kind === "next") return t.unary("next", t.unary("eventually", nth(f.children, 0))); // sound: test/transforms/ltl/formulas/conditions.test.ts
    // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (f.kind === "or") {
      const [eventual, others] = split(f.children, isEventual);
      return t.many("or", [...eventual, t.unary("eventually", t.many("or", others))]);
    }
    // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (f.kind === "and") {
      const [steady, others] = split(f.children, (g) => isEventual(g) && isUniversal(g)); // sound: test/transforms/ltl/formulas/conditions.test.ts
      return t.many("and", [...steady, t.unary("eventually", t.many("and", others))]);
    }
    return term;
  }

  #always(term: Term, f: Term): Term {
    const t = this.#terms;
    if (isUniversal(f)) return f; // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (f.kind === "release") return t.unary("always", nth(f.children, 1)); // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (f.kind === "next") return t.unary("next", t.unary("always", nth(f.children, 0))); // sound: test/transforms/ltl/formulas/conditions.test.ts
    // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (f.kind === "and") {
      const [universal, others] = split(f.children, isUniversal);
      return t.many("and", [...universal, t.unary("always", t.many("and", others))]);
    }
    // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (f.kind === "or") {
      const [steady, others] = split(f.children, (g) => isEventual(g) && isUniversal(g)); // sound: test/transforms/ltl/formulas/conditions.test.ts
      return t.many("or", [...steady, t.unary("always", t.many("or", others))]);
    }
    return term;
  }

  #until(term: Term, f: Term, g: Term): Term {
    const t = this.#terms;
    const implies = (a: Term, b: Term): boolean => this.#implications.holds(a, b);
    if (isEventual(g) || implies(f, g)) return g; // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (implies(this.#implications.negation(f), g)) return t.unary("eventually", g); // sound: test/transforms/ltl/formulas/conditions.test.ts
    // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (f.kind === "next" && g.kind === "next")
      return t.unary("next", t.binary("until", nth(f.children, 0), nth(g.children, 0)));
    if (g.kind === "until" && implies(f, nth(g.children, 0))) return g; // sound: test/transforms/ltl/formulas/conditions.test.ts
    // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (g.kind === "or") {
      const [eventual, others] = split(g.children, isEventual);
      if (eventual.length > 0) return t.many("or", [...eventual, t.binary("until", f, t.many("or", others))]); // sound: test/transforms/ltl/formulas/conditions.test.ts
      // f U (h | G f) is f W h, which makes no promise.
      const weak = g.children.filter(
        (h) => h.kind === "always" && implies(f, nth(h.children, 0)) && implies(h, f), // sound: test/transforms/ltl/formulas/conditions.test.ts
      );
      // sound: test/transforms/ltl/formulas/conditions.test.ts
      if (weak.length > 0) {
        const rest = t.many(
          "or",
          g.children.filter((h) => !weak.includes(h)), // sound: test/transforms/ltl/formulas/conditions.test.ts
        );
        return t.binary("release", rest, t.many("or", [f, rest]));
      }
    }
    // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (g.kind === "and") {
      const [steady, others] = split(g.children, (h) => isEventual(h) && isUniversal(h)); // sound: test/transforms/ltl/formulas/conditions.test.ts
      if (steady.length > 0) return t.many("and", [...steady, t.binary("until", f, t.many("and", others))]); // sound: test/transforms/ltl/formulas/conditions.test.ts
    }
    if (isUniversal(f)) return t.many("or", [g, t.many("and", [f, t.unary("eventually", g)])]); // sound: test/transforms/ltl/formulas/conditions.test.ts
    return term;
  }

  #release(term: Term, f: Term, g: Term): Term {
    const t = this.#terms;
    const implies = (a: Term, b: Term): boolean => this.#implications.holds(a, b);
    if (isUniversal(g) || implies(g, f)) return g; // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (implies(g, this.#implications.negation(f))) return t.unary("always", g); // sound: test/transforms/ltl/formulas/conditions.test.ts
    // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (f.kind === "next" && g.kind === "next")
      return t.unary("next", t.binary("release", nth(f.children, 0), nth(g.children, 0)));
    if (g.kind === "release" && implies(nth(g.children, 0), f)) return g; // sound: test/transforms/ltl/formulas/conditions.test.ts
    // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (g.kind === "and") {
      const [universal, others] = split(g.children, isUniversal);
      // sound: test/transforms/ltl/formulas/conditions.test.ts
      if (universal.length > 0)
        return t.many("and", [...universal, t.binary("release", f, t.many("and", others))]);
    }
    // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (g.kind === "or") {
      const [steady, others] = split(g.children, (h) => isEventual(h) && isUniversal(h)); // sound: test/transforms/ltl/formulas/conditions.test.ts
      if (steady.length > 0) return t.many("or", [...steady, t.binary("release", f, t.many("or", others))]); // sound: test/transforms/ltl/formulas/conditions.test.ts
    }
    if (isEventual(f)) return t.many("and", [g, t.many("or", [f, t.unary("always", g)])]); // sound: test/transforms/ltl/formulas/conditions.test.ts
    return term;
  }

  /** Removes implied and contradicted members; factors out operators that several members share. */
  #many(term: Term, kind: "and" | "or"): Term {
    const t = this.#terms;
    const isAnd = kind === "and"; // sound: test/transforms/ltl/formulas/conditions.test.ts
    const weaker = (a: Term, b: Term): boolean =>
      isAnd ? this.#implications.holds(a, b) : this.#implications.holds(b, a); // sound: test/transforms/ltl/formulas/conditions.test.ts
    const clash = (a: Term, b: Term): boolean =>
      isAnd
        ? this.#implications.holds(a, this.#implications.negation(b))
        : this.#implications.holds(this.#implications.negation(a), b);
    const { children } = term;
    // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (children.some((a, i) => children.slice(i + 1).some((b) => clash(a, b))))
      return isAnd ? t.false : t.true; // sound: test/transforms/ltl/formulas/conditions.test.ts
    const kept = children.filter(
      (b, j) => !children.some((a, i) => i !== j && weaker(a, b) && (i < j || !weaker(b, a))), // sound: test/transforms/ltl/formulas/conditions.test.ts
    );
    if (kept.length < children.length) return t.many(kind, kept); // sound: test/transforms/ltl/formulas/conditions.test.ts
    const outer = isAnd ? "always" : "eventually"; // sound: test/transforms/ltl/formulas/conditions.test.ts
    const inner = isAnd ? "eventually" : "always"; // sound: test/transforms/ltl/formulas/conditions.test.ts
    return (
      // G f & G g is G(f & g), dually F; FG f & FG g is FG(f & g), dually GF.
      this.#gathered(
        term,
        kind,
        (f) => (f.kind === outer && nth(f.children, 0).kind !== inner ? f.children[0] : undefined), // sound: test/transforms/ltl/formulas/conditions.test.ts
        (f) => t.unary(outer, f),
      ) ??
      this.#gathered(
        term,
        kind,
        (f) =>
          f.kind === inner && nth(f.children, 0).kind === outer ? nth(f.children, 0).children[0] : undefined, // sound: test/transforms/ltl/formulas/conditions.test.ts
        (f) => t.unary(inner, t.unary(outer, f)),
      ) ??
      this.#gathered(
        term,
        kind,
        (f) => (f.kind === "next" ? f.children[0] : undefined), // sound: test/transforms/ltl/formulas/conditions.test.ts
        (f) => t.unary("next", f),
      ) ??
      term
    );
  }

  /** Joins two or more members with this operator into one. */
  #gathered(
    term: Term,
    kind: "and" | "or",
    contentOf: (member: Term) => Term | undefined,
    wrap: (content: Term) => Term,
  ): Term | undefined {
    const contents = term.children.map(contentOf).filter((content) => content !== undefined); // sound: test/transforms/ltl/formulas/conditions.test.ts
    if (contents.length < 2) return undefined; // sound: test/transforms/ltl/formulas/conditions.test.ts
    const others = term.children.filter((member) => contentOf(member) === undefined); // sound: test/transforms/ltl/formulas/conditions.test.ts
    return this.#terms.many(kind, [...others, wrap(this.#terms.many(kind, contents))]);
  }
}

function isEventual(term: Term): boolean {
  const [first, second] = term.children as [Term, Term];
  switch (term.kind) {
    case "true":
    case "false":
    case "eventually":
      return true; // sound: test/transforms/ltl/formulas/conditions.test.ts
    case "literal":
      return false; // sound: test/transforms/ltl/formulas/conditions.test.ts
    case "until":
      return isEventual(second) || first.kind === "true"; // sound: test/transforms/ltl/formulas/conditions.test.ts
    case "release":
      return isEventual(first) && isEventual(second); // sound: test/transforms/ltl/formulas/conditions.test.ts
    default:
      return term.children.every(isEventual); // sound: test/transforms/ltl/formulas/conditions.test.ts
  }
}

function isUniversal(term: Term): boolean {
  const [first, second] = term.children as [Term, Term];
  switch (term.kind) {
    case "true":
    case "false":
    case "always":
      return true; // sound: test/transforms/ltl/formulas/conditions.test.ts
    case "literal":
      return false; // sound: test/transforms/ltl/formulas/conditions.test.ts
    case "release":
      return isUniversal(second) || first.kind === "false"; // sound: test/transforms/ltl/formulas/conditions.test.ts
    case "until":
      return isUniversal(first) && isUniversal(second); // sound: test/transforms/ltl/formulas/conditions.test.ts
    default:
      return term.children.every(isUniversal); // sound: test/transforms/ltl/formulas/conditions.test.ts
  }
}

const split = (terms: readonly Term[], test: (term: Term) => boolean): [Term[], Term[]] => [
  terms.filter(test),
  terms.filter((term) => !test(term)), // sound: test/transforms/ltl/formulas/conditions.test.ts
];
