/** Values of expressions, and the names that labels and sets stand for. An index `[1]` of a label is the part `.1` of its name. */
import type { Span } from "../../model/diagnostic.js";
import { nth } from "../../model/known.js";
import { TAU_NAME } from "../../model/lts.js";
import { suggest } from "../toolkit/spelling.js";
import type { Expr, Index, Label, LabelPart, SetTree, Source, Values } from "./ast.js";

/** Numbers, and labels of sets. */
export type Value = number | string;
/** Values of parameters and index variables. */
export type Env = ReadonlyMap<string, Value>;

/** An error in the text, found while it is evaluated. */
export class Mistake extends Error {
  constructor(
    readonly code: string,
    readonly span: Span,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

const MOST_NAMES = 200_000;
const NO_VARIABLES: Env = new Map();

export class Names {
  readonly #constants = new Map<string, Value>();
  readonly #ranges = new Map<string, Value[]>();
  readonly #sets = new Map<string, readonly string[]>();

  /** Declarations in the order of the text; `overrides` replace constants. */
  constructor({ items }: Source, overrides: ReadonlyMap<string, number>) {
    for (const item of items) {
      if (item.kind === "const") {
        this.#isFree(item.name, item.span);
        const value = overrides.get(item.name) ?? this.number(item.value, NO_VARIABLES);
        this.#constants.set(item.name, value);
      } else if (item.kind === "range") {
        this.#isFree(item.name, item.span);
        this.#ranges.set(item.name, this.#between(item.low, item.high, NO_VARIABLES, item.span));
      } else if (item.kind === "set" || item.kind === "menu") {
        this.#isFree(item.name, item.span);
        this.#sets.set(item.name, this.set(item.set, NO_VARIABLES));
      }
    }
  }

  hasSet(name: string): boolean {
    return this.#sets.has(name) || this.#ranges.has(name);
  }

  hasConstant(name: string): boolean {
    return this.#constants.has(name);
  }

  #isFree(name: string, span: Span): void {
    if (this.#constants.has(name) || this.#ranges.has(name) || this.#sets.has(name))
      throw new Mistake("fsp/twice", span, `'${name}' is declared twice`);
  }

  // ---- labels ----

  /** Each name that the label stands for, with the variables that its indices bind. */
  labels(label: Label, env: Env): readonly { readonly name: string; readonly env: Env }[] {
    let found: { readonly name: string; readonly env: Env }[] = [{ name: "", env }];
    for (const part of label.parts) {
      const next: typeof found = [];
      for (const { name, env: own } of found)
        for (const each of this.#part(part, own)) {
          next.push({ name: name === "" ? each.text : `${name}.${each.text}`, env: each.env });
          if (next.length > MOST_NAMES) throw tooMany(label.span);
        }
      found = next;
    }
    if (found.some(({ name }) => name === TAU_NAME))
      throw new Mistake(
        "fsp/reserved",
        label.span,
        `'${TAU_NAME}' is the internal action; hide an action with \\`,
      );
    return found;
  }

  #part(part: LabelPart, env: Env): readonly { readonly text: string; readonly env: Env }[] {
    if (part.kind === "name") return [{ text: part.name, env }];
    if (part.kind === "set") return this.set(part.set, env).map((text) => ({ text, env }));
    return this.indexValues(part, env).map((each) => ({ text: `${each.value}`, env: each.env }));
  }

  indexValues(
    { variable, values, span }: Index,
    env: Env,
  ): readonly { readonly value: Value; readonly env: Env }[] {
    return this.#values(values, env, span).map((value) => ({
      value,
      env: variable === undefined ? env : new Map(env).set(variable, value),
    }));
  }

  /** All combinations of the indices, later ones under the variables of earlier ones. */
  combinations(
    indices: readonly Index[],
    env: Env,
  ): readonly { readonly values: readonly Value[]; readonly env: Env }[] {
    let found: { readonly values: readonly Value[]; readonly env: Env }[] = [{ values: [], env }];
    for (const index of indices) {
      found = found.flatMap(({ values, env: own }) =>
        this.indexValues(index, own).map((each) => ({ values: [...values, each.value], env: each.env })),
      );
      if (found.length > MOST_NAMES) throw tooMany(index.span);
    }
    return found;
  }

  /** Different names, in order. */
  set(tree: SetTree, env: Env): readonly string[] {
    if (tree.kind === "listed")
      return [...new Set(tree.labels.flatMap((label) => this.labels(label, env).map(({ name }) => name)))];
    const known = this.#sets.get(tree.name) ?? this.#ranges.get(tree.name)?.map(String);
    if (known) return known;
    throw this.#unknown("set", tree.name, tree.span, this.#sets.keys());
  }

  #values(values: Values, env: Env, span: Span): readonly Value[] {
    if (values.kind === "range") return this.#between(values.low, values.high, env, span);
    if (values.kind === "set") return this.set(values.set, env);
    const { value } = values;
    if (value.kind === "name") {
      const known = this.#ranges.get(value.name) ?? this.#sets.get(value.name);
      if (known && !env.has(value.name)) return known;
    }
    return [this.value(value, env)];
  }

  #between(low: Expr, high: Expr, env: Env, span: Span): Value[] {
    const [from, to] = [this.number(low, env), this.number(high, env)];
    if (from > to) throw new Mistake("fsp/empty-range", span, `range ${from}..${to} has no values`);
    if (to - from >= MOST_NAMES) throw tooMany(span);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  }

  // ---- expressions ----

  isTrue(expr: Expr, env: Env): boolean {
    return this.number(expr, env) !== 0;
  }

  number(expr: Expr, env: Env): number {
    const value = this.value(expr, env);
    if (typeof value === "number") return value;
    throw new Mistake("fsp/not-a-number", expr.span, `'${value}' is a label, not a number`);
  }

  value(expr: Expr, env: Env): Value {
    switch (expr.kind) {
      case "number":
        return inBounds(expr.value, expr.span);
      case "name":
        return this.#named(expr.name, env, expr.span);
      case "label":
        return this.#single(expr.label, env);
      case "size":
        return this.set(expr.set, env).length;
      case "element":
        return this.#element(expr, env);
      case "unary":
        return unary(expr.operator, this.number(expr.of, env));
      case "binary":
        return this.#binary(expr, env);
    }
  }

  #named(name: string, env: Env, span: Span): Value {
    const value = env.get(name) ?? this.#constants.get(name);
    if (value !== undefined) return value;
    throw this.#unknown("variable or constant", name, span, [...env.keys(), ...this.#constants.keys()]);
  }

  #single(label: Label, env: Env): string {
    const names = this.labels(label, env);
    if (names.length === 1) return nth(names, 0).name;
    throw new Mistake("fsp/not-one-label", label.span, `this stands for ${names.length} labels, not one`);
  }

  #element({ set, index, span }: Extract<Expr, { kind: "element" }>, env: Env): string {
    const [all, at] = [this.set(set, env), this.number(index, env)];
    const found = all[at];
    if (found !== undefined) return found;
    throw new Mistake("fsp/no-element", span, `the set has ${all.length} elements, and none at ${at}`);
  }

  #binary({ operator, left, right, span }: Extract<Expr, { kind: "binary" }>, env: Env): number {
    if (operator === "==" || operator === "!=")
      return Number((this.value(left, env) === this.value(right, env)) === (operator === "=="));
    const a = this.number(left, env);
    // As in C, the second operand may be undefined if the first decides.
    if (operator === "&&") return Number(a !== 0 && this.isTrue(right, env));
    if (operator === "||") return Number(a !== 0 || this.isTrue(right, env));
    const b = this.number(right, env);
    if ((operator === "/" || operator === "%") && b === 0)
      throw new Mistake("fsp/division-by-zero", span, "division by zero");
    return inBounds(arithmetic(operator, a, b), span);
  }

  #unknown(what: string, name: string, span: Span, candidates: Iterable<string>): Mistake {
    return new Mistake("fsp/unknown-name", span, `there is no ${what} '${name}'`, suggest(name, candidates));
  }
}

const tooMany = (span: Span): Mistake =>
  new Mistake("fsp/too-large", span, `this stands for more than ${MOST_NAMES} names`);

const unary = (operator: string, of: number): number =>
  operator === "!" ? Number(of === 0) : operator === "-" ? -of : of;

function inBounds(value: number, span: Span): number {
  if (Math.abs(value) < 2 ** 31) return value === 0 ? 0 : value;
  throw new Mistake("fsp/overflow", span, `${value} does not fit into 32 bits`);
}

function arithmetic(operator: string, a: number, b: number): number {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return Math.trunc(a / b);
    case "%":
      return a % b;
    case "<":
      return Number(a < b);
    case "<=":
      return Number(a <= b);
    case ">":
      return Number(a > b);
    case ">=":
      return Number(a >= b);
    case "<<":
      return a << b;
    case ">>":
      return a >> b;
    case "&":
      return a & b;
    case "|":
      return a | b;
    case "^":
      return a ^ b;
    default:
      throw new Error(`no operator ${operator}`);
  }
}
