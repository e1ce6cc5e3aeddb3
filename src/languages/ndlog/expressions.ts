/** Lowers expressions to linear sums, and conditions to comparisons of sums; eliminates quantifiers. */
import { eliminate, TooManyCases } from "../../model/eliminate.js";
import {
  sumOfConstant,
  sumOfVariable,
  variableOfSum,
  type NdlogCondition,
  type NdlogSum,
  type NdlogTerm,
} from "../../model/ndlog.js";
import type { Part, Term, VariableTerm } from "../../model/terms.js";
import type { Binary, Tree } from "./ast.js";
import type { Frame, Scope } from "./scope.js";

export const TRUE: NdlogCondition = { kind: "constant", value: true };

export function allOf(all: readonly NdlogCondition[]): NdlogCondition {
  const [only] = all;
  return all.length === 1 && only ? only : { kind: "and", all };
}

const negated = (of: NdlogCondition): NdlogCondition => ({ kind: "not", of });

const added = (left: NdlogSum, right: NdlogSum, factor = 1n): NdlogSum => ({
  parts: [
    ...left.parts,
    ...right.parts.map(({ coefficient, of }) => ({ coefficient: factor * coefficient, of })),
  ],
  constant: left.constant + factor * right.constant,
});

const scaled = (factor: bigint, { parts, constant }: NdlogSum): NdlogSum => ({
  parts: factor === 0n ? [] : parts.map(({ coefficient, of }) => ({ coefficient: factor * coefficient, of })),
  constant: factor * constant,
});

const ZERO = sumOfConstant(0n);

/** An erroneous expression is reported, and counts as 0. */
export function sumOf(tree: Tree, scope: Scope, frame: Frame): NdlogSum {
  switch (tree.kind) {
    case "number":
      return sumOfConstant(scope.integer(tree.value, tree.span));
    case "string":
      return sumOfConstant(scope.string(tree.text));
    case "variable":
      return variable(tree, scope, frame);
    case "call":
      return call(tree, scope, frame);
    case "unary":
      if (tree.operator === "-") return scaled(-1n, sumOf(tree.of, scope, frame));
      break;
    case "binary":
      if (ARITHMETIC.has(tree.operator)) return arithmetic(tree, scope, frame);
      break;
    case "aggregate":
      scope.error(
        "ndlog/aggregate",
        tree.span,
        `the aggregate ${tree.name} is outside the analysed fragment`,
        "replace it by an ordinary variable: this derives at least the same tuples",
      );
      return ZERO;
    default:
  }
  scope.error("ndlog/not-a-number", tree.span, "expected a number, found a condition");
  return ZERO;
}

const ARITHMETIC: ReadonlySet<Binary> = new Set(["+", "-", "*", "/", "%"]);

function variable({ name, span }: Extract<Tree, { kind: "variable" }>, scope: Scope, frame: Frame): NdlogSum {
  const index = frame.find(name);
  if (index !== undefined) {
    const value = frame.constants.get(index);
    return value === undefined ? sumOfVariable(index) : sumOfConstant(value);
  }
  const constant = scope.constants.get(name);
  if (constant !== undefined) return sumOfConstant(constant);
  if (frame.isNews(name))
    scope.error(
      "ndlog/unbound",
      span,
      name === "_" ? "`_` has no value here" : `\`${name}\` is not bound`,
      name === "_"
        ? "give the attribute a name"
        : `use \`${name}\` in a tuple of the body, define it with \`${name} := …\`, or write #define ${name}`,
    );
  return ZERO;
}

function call(tree: Extract<Tree, { kind: "call" }>, scope: Scope, frame: Frame): NdlogSum {
  const args = tree.args.map((arg) => sumOf(arg, scope, frame));
  const [of, by] = args;
  if (tree.name === "f_modulo" && of && by && args.length === 2)
    return divided("modulo", of, by, tree, scope);
  scope.function(tree.name, args.length, tree.span);
  return single({ kind: "apply", name: tree.name, args });
}

const single = (of: NdlogTerm): NdlogSum => ({ parts: [{ coefficient: 1n, of }], constant: 0n });

function arithmetic(tree: Extract<Tree, { kind: "binary" }>, scope: Scope, frame: Frame): NdlogSum {
  const left = sumOf(tree.left, scope, frame);
  const right = sumOf(tree.right, scope, frame);
  switch (tree.operator) {
    case "+":
      return added(left, right);
    case "-":
      return added(left, right, -1n);
    case "*":
      if (left.parts.length === 0) return scaled(left.constant, right);
      if (right.parts.length === 0) return scaled(right.constant, left);
      scope.error(
        "ndlog/non-linear",
        tree.span,
        "a product of two variables is not linear",
        "multiply by a constant",
      );
      return ZERO;
    case "/":
      return divided("quotient", left, right, tree, scope);
    default:
      return divided("modulo", left, right, tree, scope);
  }
}

function divided(
  kind: "modulo" | "quotient",
  of: NdlogSum,
  by: NdlogSum,
  { span }: Tree,
  scope: Scope,
): NdlogSum {
  if (by.parts.length > 0 || by.constant <= 0n) {
    scope.error("ndlog/modulus", span, "the divisor must be a positive constant"); // sound: test/languages/ndlog/meaning.test.ts
    return ZERO;
  }
  return single({ kind, of, by: by.constant });
}

/** An erroneous condition is reported, and counts as true. */
export function conditionOf(tree: Tree, scope: Scope, frame: Frame): NdlogCondition {
  const inner = (each: Tree): NdlogCondition => conditionOf(each, scope, frame);
  switch (tree.kind) {
    case "truth":
      return { kind: "constant", value: tree.value };
    case "unary":
      if (tree.operator === "!") return negated(inner(tree.of));
      break;
    case "exists":
      return quantified(tree, scope, frame);
    case "forall":
      return negated(quantified(tree, scope, frame));
    case "binary":
      switch (tree.operator) {
        case "&&":
          return { kind: "and", all: [inner(tree.left), inner(tree.right)] };
        case "||":
          return { kind: "or", all: [inner(tree.left), inner(tree.right)] };
        case "=>":
          return { kind: "or", all: [negated(inner(tree.left)), inner(tree.right)] };
        default:
          if (!ARITHMETIC.has(tree.operator)) return comparison(tree, scope, frame);
      }
      break;
    default:
  }
  scope.error("ndlog/not-a-condition", tree.span, "expected a condition, found a number");
  return TRUE;
}

function comparison(tree: Extract<Tree, { kind: "binary" }>, scope: Scope, frame: Frame): NdlogCondition {
  const left = sumOf(tree.left, scope, frame);
  const right = sumOf(tree.right, scope, frame);
  checkSorts(left, right, tree, scope, frame);
  const difference = added(left, right, -1n);
  switch (tree.operator) {
    case "==":
    case "=":
      return { kind: "zero", sum: difference };
    case "!=":
      return negated({ kind: "zero", sum: difference });
    case "<=":
      return { kind: "atMost", sum: difference };
    case ">":
      return negated({ kind: "atMost", sum: difference });
    case ">=":
      return { kind: "atMost", sum: scaled(-1n, difference) };
    default:
      return negated({ kind: "atMost", sum: scaled(-1n, difference) });
  }
}

/** Values of different sorts are different entities, even if their integers agree: comparing them has no meaning. */
function checkSorts(left: NdlogSum, right: NdlogSum, { span }: Tree, scope: Scope, frame: Frame): void {
  const sorts = [left, right].map((sum) => {
    const index = variableOfSum(sum);
    return index === undefined ? undefined : frame.sort(index);
  });
  const [first, second] = sorts;
  if (first !== undefined && second !== undefined && first !== second)
    scope.error("ndlog/sorts", span, `a ${first} is compared with a ${second}`);
}

/** `exists`, or the negation of `forall`. */
function quantified(
  tree: Extract<Tree, { kind: "exists" | "forall" }>,
  scope: Scope,
  frame: Frame,
): NdlogCondition {
  const before = tree.names.map(({ name }) => frame.find(name));
  const bound = tree.names.map(({ name }) => frame.bind(name));
  const body = conditionOf(tree.body, scope, frame);
  tree.names.forEach(({ name }, index) => frame.release(name, before[index]));
  return eliminated(tree.kind === "exists" ? body : negated(body), bound, tree, scope);
}

/** `∃ bound. condition`, without a quantifier. */
export function eliminated(
  condition: NdlogCondition,
  bound: readonly number[],
  { span }: { readonly span: Tree["span"] },
  scope: Scope,
): NdlogCondition {
  const bridge = new Bridge(scope, new Set(bound));
  try {
    const formula = bridge.condition(condition);
    if (bridge.hidesBound) {
      scope.error(
        "ndlog/quantifier",
        span,
        "a quantified variable is an argument of a function, a modulo or a division",
        "give the value a name in a tuple of the program",
      );
      return TRUE;
    }
    const rest = eliminate(
      scope.terms,
      formula,
      bound.map((index) => bridge.variable(index)),
    );
    return bridge.back(rest);
  } catch (error) {
    if (!(error instanceof TooManyCases)) throw error;
    scope.error("ndlog/quantifier", span, `the quantifier cannot be eliminated: ${error.message}`);
    return TRUE;
  }
}

/** Conditions as terms and back; terms that are not linear become variables. */
class Bridge {
  readonly #scope: Scope;
  readonly #bound: ReadonlySet<number>;
  readonly #meanings = new Map<string, NdlogTerm>();
  /** A bound variable occurs inside a term that is not linear. */
  hidesBound = false;

  constructor(scope: Scope, bound: ReadonlySet<number>) {
    this.#scope = scope;
    this.#bound = bound;
  }

  variable(index: number): VariableTerm {
    return this.#named(`x${index}`, { kind: "variable", variable: index });
  }

  #named(name: string, meaning: NdlogTerm): VariableTerm {
    this.#meanings.set(name, meaning);
    return this.#scope.terms.variable(name, "int");
  }

  condition(condition: NdlogCondition): Term {
    const { terms } = this.#scope;
    switch (condition.kind) {
      case "constant":
        return terms.bool(condition.value);
      case "not":
        return terms.not(this.condition(condition.of));
      case "and":
        return terms.and(condition.all.map((each) => this.condition(each)));
      case "or":
        return terms.or(condition.all.map((each) => this.condition(each)));
      case "atMost":
        return terms.atMost(this.#sum(condition.sum), terms.int(0n));
      case "zero":
        return terms.equal(this.#sum(condition.sum), terms.int(0n));
      case "divides":
        return terms.divides(condition.divisor, this.#sum(condition.sum));
    }
  }

  #sum({ parts, constant }: NdlogSum): Term {
    return this.#scope.terms.sum(
      parts.map(({ coefficient, of }) => ({ coefficient, of: this.#term(of) })),
      constant,
    );
  }

  #term(term: NdlogTerm): Term {
    if (term.kind === "variable") return this.variable(term.variable);
    if (variablesIn(term).some((index) => this.#bound.has(index))) this.hidesBound = true; // sound: test/languages/ndlog/meaning.test.ts
    const name = JSON.stringify(term, (_, value: unknown) =>
      typeof value === "bigint" ? `${value}` : value,
    ).replaceAll("|", "");
    return this.#named(name, term);
  }

  back(term: Term): NdlogCondition {
    switch (term.kind) {
      case "constant":
        return { kind: "constant", value: term.value === 1n };
      case "not":
        return negated(this.back(term.of));
      case "and":
      case "or":
        return { kind: term.kind, all: term.all.map((each) => this.back(each)) };
      case "atMost":
        return { kind: "atMost", sum: this.#sumBack(term.parts, -term.bound) };
      case "equal":
        return { kind: "zero", sum: this.#sumBack(term.parts, -term.bound) };
      case "divides":
        return { kind: "divides", divisor: term.divisor, sum: this.#sumBack(term.parts, term.bound) };
      default:
        throw new Error(`no condition: ${term.kind}`);
    }
  }

  #sumBack(parts: readonly Part[], constant: bigint): NdlogSum {
    return {
      parts: parts.map(({ coefficient, of }) => {
        const meaning = of.kind === "variable" ? this.#meanings.get(of.name) : undefined;
        if (!meaning) throw new Error("a variable without meaning");
        return { coefficient, of: meaning };
      }),
      constant,
    };
  }
}

export function variablesIn(term: NdlogTerm): number[] {
  if (term.kind === "variable") return [term.variable];
  return (term.kind === "apply" ? term.args : [term.of]).flatMap(variablesOfSum);
}

export const variablesOfSum = ({ parts }: NdlogSum): number[] => parts.flatMap(({ of }) => variablesIn(of));
