/**
 * Quantifier elimination for linear integer arithmetic: Cooper's procedure on conjunctions of literals.
 *
 * Exact: the result holds if and only if the eliminated variables have values that satisfy the formula
 * (test/model/eliminate.test.ts). Divisibility atoms appear where coefficients are not 1.
 */
import {
  isAtom,
  greatestDivisor,
  times,
  variablesOf,
  type Part,
  type Term,
  type Terms,
  type VariableTerm,
} from "./terms.js";

/** The formula grows beyond `MOST_CASES` conjunctions. */
export class TooManyCases extends Error {
  constructor() {
    super(`eliminating a variable needs more than ${MOST_CASES} cases`);
    this.name = "TooManyCases";
  }
}

const MOST_CASES = 20_000;

/** `∃ variables. formula`, without quantifiers. The formula is linear. Throws `TooManyCases`. */
export function eliminate(terms: Terms, formula: Term, variables: readonly VariableTerm[]): Term {
  let rest = formula;
  for (const variable of variables) {
    if (!variablesOf(rest).has(variable.id)) continue;
    const cases = casesOf(terms, rest).map((literals) => eliminateOne(terms, literals, variable));
    rest = terms.or(cases);
  }
  return rest;
}

/** Disjunctive normal form: a list of literals per case. */
function casesOf(terms: Terms, formula: Term): readonly (readonly Term[])[] {
  return expand(terms, formula, true);
}

function expand(terms: Terms, formula: Term, isPositive: boolean): readonly (readonly Term[])[] {
  switch (formula.kind) {
    case "constant":
      return (formula.value === 1n) === isPositive ? [[]] : [];
    case "not":
      return expand(terms, formula.of, !isPositive);
    case "and":
    case "or": {
      const parts = formula.all.map((each) => expand(terms, each, isPositive));
      return (formula.kind === "or") === isPositive ? parts.flat() : product(parts);
    }
    default:
      return [[isPositive ? formula : terms.not(formula)]];
  }
}

function product(parts: readonly (readonly (readonly Term[])[])[]): readonly (readonly Term[])[] {
  let found: readonly (readonly Term[])[] = [[]];
  for (const part of parts) {
    if (found.length * part.length > MOST_CASES) throw new TooManyCases();
    found = found.flatMap((left) => part.map((right) => [...left, ...right]));
  }
  return found;
}

/** A literal about the scaled variable: `at least`, `at most` and `is` a term; `divides`, possibly negated, of variable plus term. */
type Bound =
  | { readonly kind: "least" | "most" | "is" | "isNot"; readonly term: Term }
  | { readonly kind: "divides"; readonly divisor: bigint; readonly term: Term; readonly isNegated: boolean };

function eliminateOne(terms: Terms, literals: readonly Term[], variable: VariableTerm): Term {
  const about = literals.filter((literal) => variablesOf(literal).has(variable.id));
  const rest = literals.filter((literal) => !variablesOf(literal).has(variable.id));
  if (about.length === 0) return terms.and(rest);
  // y stands for scale·variable.
  const scale = about.reduce((so, literal) => leastMultiple(so, coefficientIn(literal, variable)), 1n);
  const bounds = about.map((literal) => boundOf(terms, literal, variable, scale));
  if (scale > 1n) bounds.push({ kind: "divides", divisor: scale, term: terms.int(0n), isNegated: false });
  return terms.and([...rest, solveFor(terms, bounds)]);
}

/** `∃ y. bounds`. */
function solveFor(terms: Terms, bounds: readonly Bound[]): Term {
  const at = (value: Term, all = bounds): Term => terms.and(all.map((bound) => holdsAt(terms, bound, value)));
  const exact = bounds.find((bound) => bound.kind === "is");
  if (exact) return at(exact.term);
  const apart = bounds.find((bound) => bound.kind === "isNot");
  if (apart) {
    const others = bounds.filter((bound) => bound !== apart);
    const below: Bound = { kind: "most", term: terms.add(apart.term, terms.int(-1n)) };
    const above: Bound = { kind: "least", term: terms.add(apart.term, terms.int(1n)) };
    return terms.or([solveFor(terms, [...others, below]), solveFor(terms, [...others, above])]);
  }
  const least = bounds.flatMap((bound) => (bound.kind === "least" ? [bound.term] : []));
  const most = bounds.flatMap((bound) => (bound.kind === "most" ? [bound.term] : []));
  const divisible = bounds.filter((bound) => bound.kind === "divides");
  const period = divisible.reduce((so, { divisor }) => leastMultiple(so, divisor), 1n);
  if (divisible.length === 0)
    return terms.and(least.flatMap((low) => most.map((high) => terms.atMost(low, high))));
  if (period > BigInt(MOST_CASES)) throw new TooManyCases();
  const shifts = Array.from({ length: Number(period) }, (_, shift) => BigInt(shift));
  if (least.length === 0 || most.length === 0)
    return terms.or(shifts.map((shift) => at(terms.int(shift), divisible)));
  // A solution exists only if one lies within a period above some lower bound, or below some upper one.
  const [from, sign] = least.length <= most.length ? [least, 1n] : [most, -1n];
  return terms.or(
    from.flatMap((bound) => shifts.map((shift) => at(terms.add(bound, terms.int(sign * shift))))),
  );
}

function holdsAt(terms: Terms, bound: Bound, value: Term): Term {
  switch (bound.kind) {
    case "least":
      return terms.atMost(bound.term, value);
    case "most":
      return terms.atMost(value, bound.term);
    case "is":
      return terms.equal(value, bound.term);
    case "isNot":
      return terms.not(terms.equal(value, bound.term));
    case "divides": {
      const atom = terms.divides(bound.divisor, terms.add(value, bound.term));
      return bound.isNegated ? terms.not(atom) : atom;
    }
  }
}

function boundOf(terms: Terms, literal: Term, variable: VariableTerm, scale: bigint): Bound {
  const isNegated = literal.kind === "not";
  const atom = literal.kind === "not" ? literal.of : literal;
  if (!isAtom(atom)) throw new Error("a literal is not linear");
  const coefficient = coefficientIn(literal, variable);
  const factor = scale / magnitude(coefficient);
  const sign = coefficient > 0n ? 1n : -1n;
  const others: Part[] = atom.parts.filter(({ of }) => of !== variable);
  const otherSum = terms.sum(others);
  if (atom.kind === "divides") {
    // d | c·x + s holds iff factor·d | ±y + factor·s; the sign moves to the sum.
    const term = terms.scale(sign * factor, terms.add(otherSum, terms.int(atom.bound)));
    return { kind: "divides", divisor: atom.divisor * factor, term, isNegated };
  }
  // c·x (<= or =) bound - others, multiplied by the factor: ±y (<= or =) right.
  const offset = atom.kind === "atMost" && isNegated ? 1n : 0n;
  const right = terms.sum([times(factor, terms.int(atom.bound + offset)), times(-factor, otherSum)]);
  const term = terms.scale(sign, right);
  if (atom.kind === "equal") return { kind: isNegated ? "isNot" : "is", term };
  return { kind: isNegated === (sign === 1n) ? "least" : "most", term };
}

function coefficientIn(literal: Term, variable: VariableTerm): bigint {
  const atom = literal.kind === "not" ? literal.of : literal;
  if (!isAtom(atom)) throw new Error("a literal is not linear");
  const part = atom.parts.find(({ of }) => of === variable);
  // The variable inside a function or a condition cannot be eliminated here.
  if (!part) throw new Error("a literal is not linear");
  return part.coefficient;
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
const leastMultiple = (a: bigint, b: bigint): bigint => (magnitude(a) / greatestDivisor(a, b)) * magnitude(b);
