/**
 * Parameterised behaviours as transition systems: one state for each reachable valuation. An argument of `?` that is the name of no variable is
 * a parameter: it takes every value of the domains that the call is sent with, here those of the variables that it is assigned to.
 */
import { LtsBuilder, TAU, hasErrors, type Diagnostic, type Lts, type Span } from "../../model/index.js";
import { entryOf, nth } from "../../model/known.js";
import { errorsTo, inTextOrder, type ReportError } from "../toolkit/diagnostics.js";
import { MAX_TOKENS, tooDeep, tooManyTokens } from "../toolkit/limits.js";
import { scan } from "../toolkit/scan.js";
import { suggest } from "../toolkit/spelling.js";
import { pltsGrammar, type PltsTree, type TransitionTree, type Tree } from "./plts-grammar.js";
import { SCAN_RULES } from "./plts-vocabulary.js";

const MOST_STATES = 20_000;
const MOST_INSTANCES = 10_000;

export function loadPlts(
  file: string,
  text: string,
): { readonly lts: Lts | undefined; readonly diagnostics: readonly Diagnostic[] } {
  const { tokens, end, diagnostics: unknown } = scan(file, text, SCAN_RULES);
  const diagnostics: Diagnostic[] = [...unknown];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const refused =
    tokens.length > MAX_TOKENS
      ? tooManyTokens("plts/too-many-tokens", end)
      : tooDeep("plts/too-deep", tokens, {
          opening: new Set(["(", "!", "-"]),
          closing: new Set([")"]),
          ending: new Set([";"]),
        });
  if (refused) return { lts: undefined, diagnostics: [refused] };
  const tree = pltsGrammar().parseSource(tokens, end, report);
  if (!tree || hasErrors(diagnostics)) return { lts: undefined, diagnostics: inTextOrder(diagnostics) };
  const lts = new Instance(tree, errorsTo(report), { file, start: 0, end: 0 }).build();
  return { lts: hasErrors(diagnostics) ? undefined : lts, diagnostics: inTextOrder(diagnostics) };
}

type Values = ReadonlyMap<string, number>;

class Instance {
  readonly #tree: PltsTree;
  readonly #error: ReportError;
  readonly #start: Span;
  /** The first failure of an evaluation, once. */
  readonly #failed = new Set<Span>();

  constructor(tree: PltsTree, error: ReportError, start: Span) {
    this.#tree = tree;
    this.#error = error;
    this.#start = start;
  }

  build(): Lts | undefined {
    const { states, variables, transitions } = this.#tree;
    const initial = states.filter(({ isInitial }) => isInitial);
    if (initial.length !== 1)
      this.#report(
        "plts/initial",
        initial[1]?.span ?? this.#start,
        "one state is initial",
        "states s init, t;",
      );
    for (const { name, low, high, initial: value = low, span } of variables)
      if (high < low || value < low || value > high)
        this.#report("plts/range", span, `'${name}' has no initial value between ${low} and ${high}`);
    this.#distinct(states, "state");
    this.#distinct(variables, "variable");
    if (this.#isWrong()) return undefined;
    const parameters = new Map(transitions.map((each) => [each, this.#parameters(each)]));
    if (this.#isWrong()) return undefined;
    return this.#unfolded(nth(initial, 0).name, parameters);
  }

  #count = 0;

  #isWrong(): boolean {
    return this.#count > 0;
  }

  #report(code: string, span: Span, message: string, hint?: string): void {
    this.#count++;
    this.#error(code, span, message, hint);
  }

  #distinct(named: readonly { readonly name: string; readonly span: Span }[], what: string): void {
    const seen = new Set<string>();
    for (const { name, span } of named) {
      if (seen.has(name)) this.#report("plts/duplicate", span, `a second ${what} '${name}'`);
      seen.add(name);
    }
  }

  /** Names of the parameters of `?` and their domains. */
  #parameters({
    action,
    guard,
    assignments,
    from,
    to,
    span,
  }: TransitionTree): ReadonlyMap<string, readonly [number, number]> {
    const { states, variables } = this.#tree;
    for (const name of [from, to])
      if (!states.some((state) => state.name === name))
        this.#report(
          "plts/unknown-state",
          span,
          `there is no state '${name}'`,
          suggest(
            name,
            states.map((s) => s.name),
          ),
        );
    const found = new Map<string, readonly [number, number]>();
    if (action.sign === "?")
      for (const argument of action.arguments) {
        if (argument.kind !== "name" || variables.some(({ name }) => name === argument.name)) continue;
        const assigned = assignments.find(
          ({ value }) => value.kind === "name" && value.name === argument.name,
        );
        const variable = variables.find(({ name }) => name === assigned?.name);
        if (variable) found.set(argument.name, [variable.low, variable.high]);
        else
          this.#report(
            "plts/domain",
            argument.span,
            `the parameter '${argument.name}' has no domain`,
            "assign it to a variable: its values are those of the variable",
          );
      }
    const instances = [...found.values()].reduce((all, [low, high]) => all * (high - low + 1), 1);
    if (instances > MOST_INSTANCES)
      this.#report("plts/too-large", span, `the transition has more than ${MOST_INSTANCES} instances`);
    const received = action.sign === "?" ? action.arguments : [];
    const names = new Set([
      ...variables.map(({ name }) => name),
      ...received.flatMap((argument) => (argument.kind === "name" ? [argument.name] : [])),
    ]);
    for (const tree of [
      ...action.arguments,
      ...(guard ? [guard] : []),
      ...assignments.map(({ value }) => value),
    ])
      this.#names(tree, names);
    for (const { name, span: at } of assignments)
      if (!variables.some((variable) => variable.name === name))
        this.#report("plts/unknown-name", at, `there is no variable '${name}'`, suggest(name, names));
    return found;
  }

  #names(tree: Tree, names: ReadonlySet<string>): void {
    if (tree.kind === "unary") this.#names(tree.of, names);
    if (tree.kind === "binary") for (const side of [tree.left, tree.right]) this.#names(side, names);
    if (tree.kind === "name" && !names.has(tree.name))
      this.#report(
        "plts/unknown-name",
        tree.span,
        `there is no variable '${tree.name}'`,
        suggest(tree.name, names),
      );
  }

  #unfolded(
    start: string,
    parameters: ReadonlyMap<TransitionTree, ReadonlyMap<string, readonly [number, number]>>,
  ): Lts | undefined {
    const { variables, transitions } = this.#tree;
    const builder = new LtsBuilder();
    const spans: Span[] = [];
    const first = {
      at: start,
      values: new Map(variables.map(({ name, low, initial }) => [name, initial ?? low])),
    };
    const keyOf = (at: string, values: Values): string =>
      `${at} ${variables.map(({ name }) => values.get(name)).join()}`;
    const numbers = new Map([[keyOf(first.at, first.values), 0]]);
    const states: { readonly at: string; readonly values: Values }[] = [first];
    for (let s = 0; s < states.length; s++) {
      if (states.length > MOST_STATES || builder.transitions > 20 * MOST_STATES) {
        this.#error("plts/too-large", this.#start, `the behaviour has more than ${MOST_STATES} states`);
        return undefined;
      }
      const { at, values } = nth(states, s);
      for (const transition of transitions) {
        if (transition.from !== at) continue;
        for (const bound of valuations(values, [...entryOf(parameters, transition)])) {
          if (transition.guard && this.#value(transition.guard, bound) === 0) continue;
          const next = this.#assigned(transition, bound, values);
          if (!next) return undefined;
          const key = keyOf(transition.to, next);
          const target = numbers.get(key) ?? states.push({ at: transition.to, values: next }) - 1;
          numbers.set(key, target);
          const label = this.#label(transition, bound);
          builder.add(s, label === "tau" ? TAU : builder.labels.of(label), target);
          spans.push(transition.span);
        }
      }
    }
    const { lts, order } = builder.finishWithOrder(states.length, [0]);
    const of = new Int32Array(order.length);
    for (let i = 0; i < order.length; i++) of[order[i]] = i;
    return { ...lts, origins: { numbers: of, spansOf: (number) => [nth(spans, number)] } };
  }

  #label({ action: { sign = "", name, arguments: list } }: TransitionTree, bound: Values): string {
    const written = list.map((tree) => this.#value(tree, bound)).join(",");
    return list.length === 0 ? `${sign}${name}` : `${sign}${name}(${written})`;
  }

  /** All right sides are evaluated first. */
  #assigned({ assignments }: TransitionTree, bound: Values, values: Values): Values | undefined {
    const next = new Map(values);
    for (const { name, value, span } of assignments) {
      const found = this.#value(value, bound);
      const variable = this.#tree.variables.find((each) => each.name === name);
      // sound: test/languages/fractal.test.ts
      if (!variable || found < variable.low || found > variable.high) {
        if (!this.#failed.has(span))
          this.#error(
            "plts/out-of-range",
            span,
            `${name} := ${found} is outside of its range`,
            "add a guard",
          );
        this.#failed.add(span);
        return undefined;
      }
      next.set(name, found);
    }
    return next;
  }

  #value(tree: Tree, values: Values): number {
    switch (tree.kind) {
      case "number":
        return tree.value;
      case "name":
        return entryOf(values, tree.name);
      case "unary": {
        const of = this.#value(tree.of, values);
        return tree.operator === "Not" ? Number(of === 0) : -of;
      }
      case "binary":
        return computed(tree.operator, this.#value(tree.left, values), this.#value(tree.right, values));
    }
  }
}

function computed(operator: string, left: number, right: number): number {
  switch (operator) {
    case "Or":
      return Number(left !== 0 || right !== 0);
    case "And":
      return Number(left !== 0 && right !== 0);
    case "Equal":
      return Number(left === right);
    case "NotEqual":
      return Number(left !== right);
    case "AtMost":
      return Number(left <= right);
    case "AtLeast":
      return Number(left >= right);
    case "Less":
      return Number(left < right);
    case "Greater":
      return Number(left > right);
    case "Plus":
      return left + right;
    case "Minus":
      return left - right;
    default:
      return left * right;
  }
}

function* valuations(
  values: Values,
  [first, ...rest]: readonly (readonly [string, readonly [number, number]])[],
): Generator<Values> {
  if (!first) return void (yield values);
  const [name, [low, high]] = first;
  for (let value = low; value <= high; value++) yield* valuations(new Map([...values, [name, value]]), rest);
}
