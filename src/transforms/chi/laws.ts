/**
 * The laws of χ with the conditions under which they hold for the congruence under every environment. `docs/languages/chi.md` lists them; a
 * bench checks each on random terms, and that each condition is needed.
 */
import {
  INTEGER,
  chiFree,
  chiVariables,
  chiWords,
  visitChi,
  type ChiExpr,
  type ChiTerm,
  type ChiVariable,
} from "../../model/index.js";
import {
  alt,
  any,
  bound,
  built,
  encap,
  guarded,
  matched,
  par,
  scope,
  seq,
  star,
  type Bindings,
  type Pattern,
} from "./patterns.js";

export interface ChiLaw {
  readonly id: string;
  readonly left: Pattern;
  /** `fresh`: a name that occurs nowhere in the term. */
  right(bindings: Bindings, fresh: string): ChiTerm;
  /** In words; absent: the law always holds. */
  readonly condition?: string;
  isAllowed(bindings: Bindings): boolean;
}

const p = any("p");
const q = any("q");
const r = any("r");
const eps: Pattern = { kind: "eps" };
const delta: Pattern = { kind: "delta" };
const guard = (then: Pattern): Pattern => guarded(["b"], then);

const law = (id: string, left: Pattern, right: Pattern): ChiLaw => ({
  id,
  left,
  right: (bindings) => built(right, bindings),
  isAllowed: () => true,
});

const lawIf = (
  id: string,
  left: Pattern,
  right: Pattern,
  condition: string,
  isAllowed: (bindings: Bindings) => boolean,
): ChiLaw => ({ ...law(id, left, right), condition, isAllowed });

/** No variable of the scope is free in the term. */
const isOutside =
  (name: string) =>
  ({ terms, scopes }: Bindings): boolean => {
    const free = chiFree(bound(terms, name));
    // sound: test/transforms/chi/laws.test.ts
    return bound(scopes, "s").every((variable) => !free.has(variable.name));
  };

const guardOutside = ({ conditions, scopes }: Bindings): boolean => {
  const free = chiVariables(bound(conditions, "b"));
  // sound: test/transforms/chi/laws.test.ts
  return bound(scopes, "s").every(({ name }) => !free.has(name));
};

/** No ε, and every star is followed by a sequel: such a term never terminates at once. */
export function isProper(term: ChiTerm): boolean {
  if (term.kind === "eps" || term.kind === "star") return false;
  if (term.kind === "seq")
    return (
      (term.first.kind === "star" ? isProper(term.first.body) : isProper(term.first)) && isProper(term.then)
    );
  let isAll = true;
  visitChi(term, (part) => {
    // sound: test/transforms/chi/laws.test.ts
    if (part !== term && isAll && (part.kind === "eps" || part.kind === "star" || part.kind === "seq"))
      isAll = isProper(part);
  });
  return isAll;
}

const areProper =
  (...names: readonly string[]) =>
  ({ terms }: Bindings): boolean =>
    names.every((name) => isProper(bound(terms, name)));

/** Inner variables hide outer ones. */
export const hiding = (
  inner: readonly ChiVariable[],
  outer: readonly ChiVariable[],
): readonly ChiVariable[] => [
  ...inner,
  ...outer.filter(({ name }) => !inner.some((own) => own.name === name)),
];

const NOWHERE = { file: "", start: 0, end: 0 };

export const assigned = (name: string, type: ChiVariable["type"], value: ChiExpr): ChiTerm => ({
  kind: "assign",
  to: { kind: "place", name, path: [], type, span: NOWHERE },
  value,
  span: NOWHERE,
});

const reset = ({ name, type, initial, span }: ChiVariable): ChiTerm => ({
  kind: "assign",
  to: { kind: "place", name, path: [], type, span },
  value: { kind: "value", value: initial, type },
  span,
});

const afterwards = (first: ChiTerm, then: ChiTerm): ChiTerm => ({ kind: "seq", first, then });

export const withResets = ({ terms, scopes }: Bindings, resets: boolean): ChiTerm => {
  const variables = bound(scopes, "s").filter(({ type }) => chiWords(type) > 0);
  const body = bound(terms, "p");
  const [last, ...earlier] = variables.map(reset).toReversed();
  const all = last && earlier.reduce((then, first) => afterwards(first, then), last);
  return {
    kind: "scope",
    variables: bound(scopes, "s"),
    body: { kind: "star", body: resets && all ? afterwards(body, all) : body },
  };
};

/** A local that counts ended processes. */
const counter = (name: string): ChiVariable => ({
  name,
  type: { kind: "int", low: 0, high: 2 },
  initial: [0],
  span: NOWHERE,
});

const count = (name: string): ChiExpr => ({
  kind: "place",
  name,
  path: [],
  type: counter(name).type,
  span: NOWHERE,
});
const number = (value: number): ChiExpr => ({ kind: "value", value: [value], type: INTEGER });
const counting = (first: ChiTerm, name: string): ChiTerm =>
  afterwards(
    first,
    assigned(name, counter(name).type, {
      kind: "binary",
      operator: "+",
      left: count(name),
      right: number(1),
      span: NOWHERE,
    }),
  );
const waiting = (name: string, value: number, then: ChiTerm): ChiTerm => ({
  kind: "guard",
  when: { kind: "binary", operator: "=", left: count(name), right: number(value), span: NOWHERE },
  then,
});
const beside = (left: ChiTerm, right: ChiTerm): ChiTerm => ({ kind: "par", left, right });

export const chiLaws: readonly ChiLaw[] = [
  lawIf("7.1", guard(scope("s", p)), scope("s", guard(p)), "no variable of s is in b", guardOutside),
  lawIf("7.2", seq(scope("s", p), q), scope("s", seq(p, q)), "no variable of s is free in q", isOutside("q")),
  lawIf("7.3", seq(p, scope("s", q)), scope("s", seq(p, q)), "no variable of s is free in p", isOutside("p")),
  lawIf("7.4", alt(scope("s", p), q), scope("s", alt(p, q)), "no variable of s is free in q", isOutside("q")),
  lawIf("7.5", par(scope("s", p), q), scope("s", par(p, q)), "no variable of s is free in q", isOutside("q")),
  {
    ...law("7.6", scope("t", scope("s", p)), scope("s", p)),
    right: ({ terms, scopes }) => ({
      kind: "scope",
      variables: hiding(bound(scopes, "s"), bound(scopes, "t")),
      body: bound(terms, "p"),
    }),
  },
  law("7.7", scope("s", encap(p)), encap(scope("s", p))),
  {
    ...lawIf("8", star(scope("s", p)), p, "p has no ε, and each star in it a sequel", areProper("p")),
    right: (bindings) => withResets(bindings, true),
  },
  law("9.1", guarded([], p), p),
  law("9.2", guard(guarded(["c"], p)), guarded(["b", "c"], p)),
  law("9.3", guard(seq(p, q)), seq(guard(p), q)),
  law("9.4", guard(alt(p, q)), alt(guard(p), guard(q))),
  law("9.5", guard(star(p)), alt(seq(guard(p), star(p)), guard(eps))),
  law("9.6", guard(encap(p)), encap(guard(p))),
  {
    ...lawIf(
      "10.1",
      seq(par(p, q), r),
      p,
      "p, q and r have no ε, and each star in them a sequel",
      areProper("p", "q", "r"),
    ),
    right: ({ terms }, w) => ({
      kind: "scope",
      variables: [counter(w)],
      body: beside(
        counting(bound(terms, "p"), w),
        beside(counting(bound(terms, "q"), w), waiting(w, 2, bound(terms, "r"))),
      ),
    }),
  },
  {
    ...lawIf(
      "10.2",
      seq(p, par(q, r)),
      p,
      "p, q and r have no ε, and each star in them a sequel",
      areProper("p", "q", "r"),
    ),
    right: ({ terms }, w) => ({
      kind: "scope",
      variables: [counter(w)],
      body: beside(
        counting(bound(terms, "p"), w),
        beside(waiting(w, 1, bound(terms, "q")), waiting(w, 1, bound(terms, "r"))),
      ),
    }),
  },
  law("eps;p", seq(eps, p), p),
  law("p;eps", seq(p, eps), p),
  law("p[]p", alt(p, p), p),
  law("delta[]p", alt(delta, p), p),
  law("p[]delta", alt(p, delta), p),
  law("delta;p", seq(delta, p), delta),
  law("p||eps", par(p, eps), p),
  law("eps||p", par(eps, p), p),
  law("(p[]eps);q", seq(alt(p, eps), q), alt(seq(p, q), q)),
  law("p*;q", seq(star(p), q), alt(seq(p, seq(star(p), q)), q)),
  law("(p[]q);r", seq(alt(p, q), r), alt(seq(p, r), seq(q, r))),
  law("encap(p;q)", encap(seq(p, q)), seq(encap(p), encap(q))),
  law("encap(p[]q)", encap(alt(p, q)), alt(encap(p), encap(q))),
  law("encap(p*)", encap(star(p)), star(encap(p))),
  law("encap(encap(p))", encap(encap(p)), encap(p)),
  law("encap(x:=e)", encap(any("p", "assign")), any("p", "assign")),
  law("encap(skip)", encap(any("p", "skip")), any("p", "skip")),
  law("encap(m!e)", encap(any("p", "send")), delta),
  law("encap(m?x)", encap(any("p", "receive")), delta),
  law("associative ;", seq(seq(p, q), r), seq(p, seq(q, r))),
  law("associative []", alt(alt(p, q), r), alt(p, alt(q, r))),
  law("associative ||", par(par(p, q), r), par(p, par(q, r))),
  law("commutative []", alt(p, q), alt(q, p)),
  law("commutative ||", par(p, q), par(q, p)),
];

/** Equations that look like laws and do not hold. */
export const brokenLaws: readonly ChiLaw[] = [
  {
    ...law("7.6 in the printed order", scope("t", scope("s", p)), scope("s", p)),
    right: ({ terms, scopes }) => ({
      kind: "scope",
      variables: hiding(bound(scopes, "t"), bound(scopes, "s")),
      body: bound(terms, "p"),
    }),
  },
  { ...law("8 without resets", star(scope("s", p)), p), right: (bindings) => withResets(bindings, false) },
  law("guard over ||", guard(par(p, q)), par(guard(p), guard(q))),
  law("r;(p[]q)", seq(r, alt(p, q)), alt(seq(r, p), seq(r, q))),
];

/** The law applied to the whole term; undefined: it does not fit, or its condition fails. */
export function applied(chosen: ChiLaw, term: ChiTerm, fresh: () => string): ChiTerm | undefined {
  const bindings = matched(chosen.left, term);
  return bindings && chosen.isAllowed(bindings) ? chosen.right(bindings, fresh()) : undefined;
}
