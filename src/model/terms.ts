/**
 * Terms of first-order logic: Booleans, unbounded integers, bit-vectors of 1 to 128 bits, uninterpreted functions. Formulas
 * for solvers.
 *
 * `Terms` constructs them, and shares equal ones: two terms of one `Terms` are equal if and only if they are the same object.
 * The constructors simplify. Integer terms are sums with sorted parts; a comparison divides by the gcd of its coefficients and
 * makes the first one positive, so that `x <= y`, `!(y < x)` and `2*x <= 2*y + 1` are one term.
 *
 * Always true: a constructor returns a term with the value of the operation in every assignment (test/model/terms.test.ts).
 */
import { bitOperation, type BitOperation } from "./bit-vectors.js";

/** A number is the width of a bit-vector. */
export type Sort = "bool" | "int" | number;

export type Term =
  | ConstantTerm
  | VariableTerm
  | SumTerm
  | AtomTerm
  | (Identified & { readonly kind: "not"; readonly of: Term })
  | (Identified & { readonly kind: "and" | "or"; readonly all: readonly Term[] })
  | (Identified & { readonly kind: "same"; readonly left: Term; readonly right: Term })
  | (Identified & {
      readonly kind: "ite";
      readonly condition: Term;
      readonly yes: Term;
      readonly no: Term;
    })
  | (Identified & { readonly kind: "apply"; readonly name: string; readonly args: readonly Term[] })
  | (Identified & {
      readonly kind: "bits";
      readonly operation: BitOperation;
      readonly args: readonly Term[];
      /** Lowest extracted bit. */
      readonly low: number;
    });

interface Identified {
  /** Creation order within its `Terms`. */
  readonly id: number;
  readonly sort: Sort;
}

/** Booleans are 0 and 1, bit-vectors unsigned. */
export interface ConstantTerm extends Identified {
  readonly kind: "constant";
  readonly value: bigint;
}

export interface VariableTerm extends Identified {
  readonly kind: "variable";
  readonly name: string;
}

export interface Part {
  readonly coefficient: bigint;
  /** Neither a sum nor a constant. */
  readonly of: Term;
}

export interface SumTerm extends Identified {
  readonly kind: "sum";
  readonly parts: readonly Part[];
  readonly constant: bigint;
}

/** `parts <= bound`, `parts = bound`, or `divisor` divides `parts + bound`. At least one part, the first coefficient positive. */
export interface AtomTerm extends Identified {
  readonly kind: "atMost" | "equal" | "divides";
  readonly parts: readonly Part[];
  readonly bound: bigint;
  /** Of `divides`; otherwise 0. */
  readonly divisor: bigint;
}

export const isAtom = (term: Term): term is AtomTerm =>
  term.kind === "atMost" || term.kind === "equal" || term.kind === "divides";

/** Values of variables and functions. */
export interface Assignment {
  value(variable: VariableTerm): bigint;
  apply?(name: string, args: readonly bigint[]): bigint;
}

export class Terms {
  readonly #known = new Map<string, Term>();
  readonly true = this.constant("bool", 1n);
  readonly false = this.constant("bool", 0n);

  constant(sort: Sort, value: bigint): Term {
    const fitted = typeof sort === "number" ? BigInt.asUintN(sort, value) : value;
    return this.#shared(`c ${sort} ${fitted}`, (id) => ({ id, kind: "constant", sort, value: fitted }));
  }

  int(value: bigint): Term {
    return this.constant("int", value);
  }

  bool(value: boolean): Term {
    return value ? this.true : this.false;
  }

  variable(name: string, sort: Sort): VariableTerm {
    return this.#shared(`v ${sort} ${name}`, (id) => ({ id, kind: "variable", sort, name })) as VariableTerm;
  }

  apply(name: string, sort: Sort, args: readonly Term[]): Term {
    const key = `f ${sort} ${ids(args)} ${name}`;
    return this.#shared(key, (id) => ({ id, kind: "apply", sort, name, args }));
  }

  not(of: Term): Term {
    if (of.kind === "constant") return this.bool(of.value === 0n);
    if (of.kind === "not") return of.of;
    return this.#shared(`n ${of.id}`, (id) => ({ id, kind: "not", sort: "bool", of }));
  }

  and(all: readonly Term[]): Term {
    return this.#junction("and", all);
  }

  or(all: readonly Term[]): Term {
    return this.#junction("or", all);
  }

  implies(left: Term, right: Term): Term {
    return this.or([this.not(left), right]);
  }

  #junction(kind: "and" | "or", all: readonly Term[]): Term {
    const neutral = this.bool(kind === "and");
    const absorbing = this.bool(kind !== "and");
    const members = new Map<number, Term>();
    const add = (term: Term): void => {
      if (term.kind === kind) term.all.forEach(add);
      else if (term !== neutral) members.set(term.id, term);
    };
    all.forEach(add);
    for (const term of members.values())
      if (term === absorbing || members.has(this.not(term).id)) return absorbing;
    const sorted = [...members.values()].sort((a, b) => a.id - b.id);
    const [only] = sorted;
    if (only === undefined) return neutral;
    if (sorted.length === 1) return only;
    return this.#shared(`${kind} ${ids(sorted)}`, (id) => ({ id, kind, sort: "bool", all: sorted }));
  }

  ite(condition: Term, yes: Term, no: Term): Term {
    if (condition.kind === "constant") return condition.value === 1n ? yes : no;
    if (yes === no) return yes;
    if (condition.kind === "not") return this.ite(condition.of, no, yes);
    if (yes.sort === "bool") return this.and([this.implies(condition, yes), this.or([condition, no])]);
    const key = `i ${condition.id} ${yes.id} ${no.id}`;
    return this.#shared(key, (id) => ({ id, kind: "ite", sort: yes.sort, condition, yes, no }));
  }

  /** Σ coefficient·term + constant. */
  sum(parts: readonly Part[], constant = 0n): Term {
    const { merged, rest } = this.#merge(parts, constant);
    const [only] = merged;
    if (only === undefined) return this.int(rest);
    if (merged.length === 1 && only.coefficient === 1n && rest === 0n) return only.of;
    const key = `s ${partsKey(merged)} ${rest}`;
    return this.#shared(key, (id) => ({ id, kind: "sum", sort: "int", parts: merged, constant: rest }));
  }

  add(left: Term, right: Term): Term {
    return this.sum([times(1n, left), times(1n, right)]);
  }

  subtract(left: Term, right: Term): Term {
    return this.sum([times(1n, left), times(-1n, right)]);
  }

  scale(coefficient: bigint, of: Term): Term {
    return this.sum([times(coefficient, of)]);
  }

  /** Equal parts added up, nested sums opened, zeros dropped, sorted by name. */
  #merge(parts: readonly Part[], constant: bigint): { merged: Part[]; rest: bigint } {
    const found = new Map<number, Part>();
    let rest = constant;
    const add = (coefficient: bigint, of: Term): void => {
      if (of.kind === "constant") rest += coefficient * of.value;
      else if (of.kind === "sum") {
        rest += coefficient * of.constant;
        for (const part of of.parts) add(coefficient * part.coefficient, part.of);
      } else found.set(of.id, { coefficient: (found.get(of.id)?.coefficient ?? 0n) + coefficient, of });
    };
    for (const { coefficient, of } of parts) add(coefficient, of);
    const merged = [...found.values()].filter(({ coefficient }) => coefficient !== 0n);
    merged.sort((a, b) => inOrder(a.of, b.of));
    return { merged, rest };
  }

  atMost(left: Term, right: Term): Term {
    const { merged, rest } = this.#merge([times(1n, left), times(-1n, right)], 0n);
    const [first] = merged;
    if (first === undefined) return this.bool(rest <= 0n);
    const gcd = merged.reduce((so, { coefficient }) => greatestDivisor(so, coefficient), 0n);
    const bound = floorDivide(-rest, gcd);
    if (first.coefficient > 0n) return this.#atom("atMost", scaled(merged, gcd), bound);
    // Over integers, -s <= b is the negation of s <= -b - 1.
    return this.not(this.#atom("atMost", scaled(merged, -gcd), -bound - 1n));
  }

  less(left: Term, right: Term): Term {
    return this.not(this.atMost(right, left));
  }

  /** Both sides have the same sort. */
  equal(left: Term, right: Term): Term {
    if (left === right) return this.true;
    if (left.sort === "int") return this.#equalSums(left, right);
    if (left.kind === "constant" && right.kind === "constant") return this.false;
    const [low, high] = left.id < right.id ? [left, right] : [right, left];
    if (left.sort === "bool") return this.#equivalent(low, high);
    const key = `e ${low.id} ${high.id}`;
    return this.#shared(key, (id) => ({ id, kind: "same", sort: "bool", left: low, right: high }));
  }

  #equivalent(left: Term, right: Term): Term {
    return this.and([this.implies(left, right), this.implies(right, left)]);
  }

  #equalSums(left: Term, right: Term): Term {
    const { merged, rest } = this.#merge([times(1n, left), times(-1n, right)], 0n);
    const [first] = merged;
    if (first === undefined) return this.bool(rest === 0n);
    const gcd = merged.reduce((so, { coefficient }) => greatestDivisor(so, coefficient), 0n);
    if (rest % gcd !== 0n) return this.false;
    const factor = first.coefficient > 0n ? gcd : -gcd;
    return this.#atom("equal", scaled(merged, factor), -rest / factor);
  }

  /** `divisor`, at least 1, divides `of`. */
  divides(divisor: bigint, of: Term): Term {
    const { merged, rest } = this.#merge([times(1n, of)], 0n);
    const parts = merged.flatMap((part) => {
      const coefficient = modulo(part.coefficient, divisor);
      return coefficient === 0n ? [] : [{ coefficient, of: part.of }];
    });
    const offset = modulo(rest, divisor);
    if (parts.length === 0) return this.bool(offset === 0n);
    const gcd = parts.reduce((so, { coefficient }) => greatestDivisor(so, coefficient), divisor);
    if (offset % gcd !== 0n) return this.false;
    const small = scaled(parts, gcd).map((part) => ({ ...part }));
    return this.#atom("divides", small, offset / gcd, divisor / gcd);
  }

  #atom(kind: AtomTerm["kind"], parts: readonly Part[], bound: bigint, divisor = 0n): Term {
    const key = `${kind} ${partsKey(parts)} ${bound} ${divisor}`;
    return this.#shared(key, (id) => ({ id, kind, sort: "bool", parts, bound, divisor }));
  }

  /** A bit-vector operation; of `extract` and the extensions `sort` is the width of the result, `low` the lowest extracted bit. */
  bits(operation: BitOperation, args: readonly Term[], sort: Sort, low = 0): Term {
    const values = args.flatMap((arg) => (arg.kind === "constant" ? [arg.value] : []));
    if (values.length === args.length)
      return this.constant(
        sort,
        bitOperation(operation, values, widthOf(args[0]), widthOf(sort), low, widthOf(args[1])),
      );
    const key = `b ${operation} ${sort} ${low} ${ids(args)}`;
    return this.#shared(key, (id) => ({ id, kind: "bits", sort, operation, args, low }));
  }

  #shared(key: string, make: (id: number) => Term): Term {
    const known = this.#known.get(key);
    if (known) return known;
    const term = make(this.#known.size);
    this.#known.set(key, term);
    return term;
  }

  /** Replaces variables. `found` keeps results for repeated use with one replacement. */
  substitute(
    term: Term,
    replacement: (variable: VariableTerm) => Term,
    found: Map<number, Term> = new Map(),
  ): Term {
    const known = found.get(term.id);
    if (known) return known;
    const inner = (each: Term): Term => this.substitute(each, replacement, found);
    const result = this.#rebuilt(term, inner, replacement);
    found.set(term.id, result);
    return result;
  }

  #rebuilt(term: Term, inner: (each: Term) => Term, replacement: (variable: VariableTerm) => Term): Term {
    switch (term.kind) {
      case "constant":
        return term;
      case "variable":
        return replacement(term);
      case "not":
        return this.not(inner(term.of));
      case "and":
      case "or":
        return this.#junction(term.kind, term.all.map(inner));
      case "same":
        return this.equal(inner(term.left), inner(term.right));
      case "ite":
        return this.ite(inner(term.condition), inner(term.yes), inner(term.no));
      case "apply":
        return this.apply(term.name, term.sort, term.args.map(inner));
      case "bits":
        return this.bits(term.operation, term.args.map(inner), term.sort, term.low);
      case "sum":
        return this.sum(replaced(term.parts, inner), term.constant);
      case "atMost":
        return this.atMost(this.sum(replaced(term.parts, inner)), this.int(term.bound));
      case "equal":
        return this.equal(this.sum(replaced(term.parts, inner)), this.int(term.bound));
      case "divides":
        return this.divides(term.divisor, this.sum(replaced(term.parts, inner), term.bound));
    }
  }
}

/** The value of a term. `known` keeps values of shared parts: without it, terms that double at every step take exponential time. */
export function evaluate(term: Term, assignment: Assignment, known: Map<number, bigint> = new Map()): bigint {
  if (!SHARED.has(term.kind)) return evaluated(term, assignment, known);
  const found = known.get(term.id);
  if (found !== undefined) return found;
  const result = evaluated(term, assignment, known);
  known.set(term.id, result);
  return result;
}

const SHARED: ReadonlySet<Term["kind"]> = new Set(["bits", "ite", "and", "or", "same"]);

function evaluated(term: Term, assignment: Assignment, known: Map<number, bigint>): bigint {
  const value = (each: Term): bigint => evaluate(each, assignment, known);
  const total = (parts: readonly Part[]): bigint =>
    parts.reduce((so, { coefficient, of }) => so + coefficient * value(of), 0n);
  switch (term.kind) {
    case "constant":
      return term.value;
    case "variable":
      return assignment.value(term);
    case "not":
      return 1n - value(term.of);
    case "and":
      return truth(term.all.every((each) => value(each) === 1n));
    case "or":
      return truth(term.all.some((each) => value(each) === 1n));
    case "same":
      return truth(value(term.left) === value(term.right));
    case "ite":
      return value(term.condition) === 1n ? value(term.yes) : value(term.no);
    case "apply":
      if (!assignment.apply) throw new Error(`no value for the function ${term.name}`);
      return assignment.apply(term.name, term.args.map(value));
    case "bits":
      return bitOperation(
        term.operation,
        term.args.map(value),
        widthOf(term.args[0]),
        widthOf(term.sort),
        term.low,
        widthOf(term.args[1]),
      );
    case "sum":
      return total(term.parts) + term.constant;
    case "atMost":
      return truth(total(term.parts) <= term.bound);
    case "equal":
      return truth(total(term.parts) === term.bound);
    case "divides":
      return truth(modulo(total(term.parts) + term.bound, term.divisor) === 0n);
  }
}

/** Variables of a term, and applications of functions, whose arguments count as well. */
export function variablesOf(
  term: Term,
  found = new Map<number, Term>(),
  seen = new Set<number>(),
): Map<number, Term> {
  if (seen.has(term.id)) return found;
  seen.add(term.id);
  if (term.kind === "variable" || term.kind === "apply") found.set(term.id, term);
  for (const part of childrenOf(term)) variablesOf(part, found, seen);
  return found;
}

export function childrenOf(term: Term): readonly Term[] {
  switch (term.kind) {
    case "constant":
    case "variable":
      return [];
    case "not":
      return [term.of];
    case "and":
    case "or":
      return term.all;
    case "same":
      return [term.left, term.right];
    case "ite":
      return [term.condition, term.yes, term.no];
    case "apply":
    case "bits":
      return term.args;
    case "sum":
    case "atMost":
    case "equal":
    case "divides":
      return term.parts.map(({ of }) => of);
  }
}

/** Atoms of a formula: its parts that are neither constants nor made by `not`, `and`, `or`. */
export function atomsOf(term: Term, found = new Set<Term>()): Set<Term> {
  if (term.kind === "not") return atomsOf(term.of, found);
  if (term.kind === "and" || term.kind === "or") for (const each of term.all) atomsOf(each, found);
  else if (term.kind !== "constant") found.add(term);
  return found;
}

export const times = (coefficient: bigint, of: Term): Part => ({ coefficient, of });

const replaced = (parts: readonly Part[], inner: (each: Term) => Term): Part[] =>
  parts.map(({ coefficient, of }) => ({ coefficient, of: inner(of) }));
const truth = (value: boolean): bigint => (value ? 1n : 0n);
const ids = (all: readonly Term[]): string => all.map(({ id }) => id).join(",");
const partsKey = (parts: readonly Part[]): string =>
  parts.map(({ coefficient, of }) => `${coefficient}*${of.id}`).join("+");
const scaled = (parts: readonly Part[], by: bigint): Part[] =>
  parts.map(({ coefficient, of }) => ({ coefficient: coefficient / by, of }));
const widthOf = (of: Term | Sort | undefined): number => {
  const sort = typeof of === "object" ? of.sort : of;
  return typeof sort === "number" ? sort : 1;
};

/** Variables by name, then everything else by age. */
function inOrder(a: Term, b: Term): number {
  if (a.kind === "variable" && b.kind === "variable") return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
  if (a.kind === "variable" || b.kind === "variable") return a.kind === "variable" ? -1 : 1;
  return a.id - b.id;
}

export const modulo = (value: bigint, by: bigint): bigint => ((value % by) + by) % by;
export const floorDivide = (value: bigint, by: bigint): bigint => (value - modulo(value, by)) / by;

export function greatestDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
