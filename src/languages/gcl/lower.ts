/** Lowers the syntax tree to a `GuardedProgram`: unfolds templates, resolves names, checks variables. */
import type { Span } from "../../model/diagnostic.js";
import type {
  Assign,
  Condition,
  GuardedProgram,
  GuardedProperty,
  GuardedTransition,
  LinearSum,
} from "../../model/guarded.js";
import { PropertyNames } from "../../model/verdict.js";
import { suggest } from "../toolkit/spelling.js";
import type { Item, ProcessTree, Source, TransitionTree, VariableTree } from "./ast.js";
import { conditionOf } from "./conditions.js";
import { OUTSIDE, type Environment, type Scope, type Variable } from "./scope.js";

/** Values of parameters from outside (`-D N=4`), by name. */
export type Overrides = ReadonlyMap<string, bigint>;

interface Instance {
  readonly process: string;
  readonly transition: TransitionTree;
  readonly at: Environment;
}

export function lower(name: string, { items }: Source, scope: Scope, overrides: Overrides): GuardedProgram {
  declareConstants(items, scope, overrides);
  const instances = declareVariables(items, scope);
  const assigned = instances.map((instance) => ({ ...instance, effects: effectsOf(instance, scope) }));
  for (const variable of scope.variables)
    if (variable.type === "pc")
      variable.range = locationsOf(
        variable,
        assigned.flatMap(({ effects }) => effects),
        scope,
      );
  const transitions = assigned.flatMap((each) => transitionsOf(each, scope));
  const names = new PropertyNames();
  return {
    kind: "guarded",
    name,
    variables: scope.variables.map(({ name: written, isExplicit, range, initial }) => ({
      name: written,
      isExplicit,
      range,
      initial,
    })),
    initial: {
      kind: "and",
      all: items.flatMap((item) =>
        item.kind === "init" ? [conditionOf(scope, item.condition, OUTSIDE)] : [],
      ),
    },
    transitions,
    properties: items.flatMap((item) => propertyOf(item, scope, names)),
    predicates: items.flatMap((item) =>
      item.kind === "predicates" ? item.all.map((tree) => conditionOf(scope, tree, OUTSIDE)) : [],
    ),
  };
}

function declareConstants(items: readonly Item[], scope: Scope, overrides: Overrides): void {
  for (const item of items) {
    if (item.kind !== "param" && item.kind !== "const") continue;
    if (scope.constants.has(item.name))
      scope.error("gcl/duplicate-name", item.span, `\`${item.name}\` is declared twice`);
    const given = item.kind === "param" ? overrides.get(item.name) : undefined;
    scope.constants.set(item.name, given ?? scope.constant(item.value, OUTSIDE));
  }
}

function declareVariables(items: readonly Item[], scope: Scope): Instance[] {
  for (const item of items) if (item.kind === "var") declareAll(item, OUTSIDE, scope);
  const instances: Instance[] = [];
  for (const item of items) {
    if (item.kind === "transition") instances.push({ process: "program", transition: item, at: OUTSIDE });
    if (item.kind !== "process") continue;
    for (const at of instancesOf(item, scope)) {
      const process = at.process ?? item.name;
      for (const inner of item.items)
        if (inner.kind === "var") declareAll(inner, at, scope);
        else instances.push({ process, transition: inner, at });
    }
  }
  return instances;
}

function instancesOf({ name, index, span }: ProcessTree, scope: Scope): Environment[] {
  if (!index) return [{ indices: new Map(), process: name }];
  return scope.values(index.range, OUTSIDE, span).map((value) => ({
    indices: new Map([[index.name, value]]),
    process: `${name}[${value}]`,
  }));
}

function declareAll(tree: VariableTree, at: Environment, scope: Scope): void {
  const { type, mode, span } = tree;
  const range =
    type.kind === "range"
      ? scope.range(type.range, at, type.span)
      : type.kind === "bool"
        ? { low: 0n, high: 1n }
        : undefined;
  const isExplicit = mode === undefined ? type.kind !== "int" : mode === "explicit";
  if (isExplicit && type.kind === "int")
    scope.error(
      "gcl/infinite-explicit",
      span,
      "an explicit variable needs finitely many values",
      "give it a range, such as 0..3, or leave `explicit` out",
    );
  const initial = tree.initial && scope.constant(tree.initial, at);
  if (type.kind === "pc" && initial === undefined)
    scope.error("gcl/no-location", span, "a program counter needs an initial value", "write `= 1`");
  if (
    initial !== undefined &&
    range &&
    range.low <= range.high &&
    (initial < range.low || initial > range.high)
  )
    scope.error(
      "gcl/range-left",
      span,
      `the initial value ${initial} is outside ${range.low}..${range.high}`,
    );
  for (const each of tree.names) {
    const indices = each.range ? scope.values(each.range, at, each.span).map((value) => `[${value}]`) : [""];
    for (const index of indices) {
      const own = `${each.name}${index}`;
      const name = at.process === undefined ? own : `${at.process}.${own}`;
      scope.declare({ name, type: type.kind, isExplicit, range, initial, span: each.span });
    }
  }
}

interface Effect extends Assign {
  readonly target: Variable;
  readonly span: Span;
}

function effectsOf({ transition, at }: Instance, scope: Scope): Effect[] {
  const found: Effect[] = [];
  for (const { target: place, value: tree } of transition.assignments) {
    const target = scope.variable(place, at);
    const value = tree === "nondet" ? tree : scope.sum(tree, at);
    if (!target || !value) continue;
    if (found.some(({ variable }) => variable === target.number))
      scope.error("gcl/assigned-twice", place.span, `\`${target.name}\` is assigned twice in one step`);
    else
      found.push({
        variable: target.number,
        value,
        target,
        span: tree === "nondet" ? place.span : tree.span,
      });
    if (value !== "nondet") checkExplicit(target, value, tree === "nondet" ? place.span : tree.span, scope);
  }
  return found;
}

function checkExplicit(target: Variable, { parts }: LinearSum, span: Span, scope: Scope): void {
  if (!target.isExplicit) return;
  const abstract = parts
    .map(({ variable }) => scope.variables[variable])
    .find((each) => each?.isExplicit === false);
  if (abstract)
    scope.error(
      "gcl/explicit-from-abstract",
      span,
      `\`${target.name}\` is explicit and cannot take the value of \`${abstract.name}\``,
      "declare it `abstract`",
    );
}

/** Values of a program counter: its first one and the constants assigned to it. */
function locationsOf(variable: Variable, effects: readonly Effect[], scope: Scope): Variable["range"] {
  const values = variable.initial === undefined ? [] : [variable.initial];
  for (const effect of effects) {
    if (effect.target !== variable) continue;
    if (effect.value === "nondet" || effect.value.parts.length > 0)
      scope.error(
        "gcl/location",
        effect.span,
        "a program counter takes constants alone",
        "declare it with a range, such as 1..3",
      );
    else values.push(effect.value.constant);
  }
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return { low: sorted[0] ?? 0n, high: sorted.at(-1) ?? 0n };
}

/** One transition, or one per combination of values where a variable with a range is assigned `nondet`. */
function transitionsOf(
  { process, transition, at, effects }: Instance & { readonly effects: readonly Effect[] },
  scope: Scope,
): GuardedTransition[] {
  const guard = conditionOf(scope, transition.guard, at);
  let choices: readonly (readonly Assign[])[] = [[]];
  for (const { variable, value, target, span } of effects) {
    const values = value === "nondet" && target.range ? valuesOf(target, span, scope) : [value];
    choices = choices.flatMap((before) => values.map((each) => [...before, { variable, value: each }]));
  }
  return choices.map((assignments) => ({
    label: transition.label?.name ?? "",
    process,
    guard,
    assignments,
    span: transition.span,
  }));
}

function valuesOf({ name, range }: Variable, span: Span, scope: Scope): LinearSum[] {
  if (!range) return [];
  const count = range.high - range.low + 1n;
  if (count > 256n) {
    scope.error(
      "gcl/too-large",
      span,
      `\`${name}\` has ${count} values, more than nondet can try one by one`,
      "declare it `int`",
    );
    return [];
  }
  return Array.from({ length: Number(count) }, (_, index) => ({
    parts: [],
    constant: range.low + BigInt(index),
  }));
}

function propertyOf(item: Item, scope: Scope, names: PropertyNames): GuardedProperty[] {
  if (item.kind !== "safety" && item.kind !== "error" && item.kind !== "reach") return [];
  const stated = conditionOf(scope, item.condition, OUTSIDE);
  const condition: Condition = item.kind === "safety" ? stated : { kind: "not", of: stated };
  return [{ kind: "invariant", asks: item.kind, name: names.take(item.name), span: item.span, condition }];
}

export function unknownParameters(
  items: readonly Item[],
  overrides: Overrides,
  scope: Scope,
  end: Span,
): void {
  const known = items.flatMap((item) => (item.kind === "param" ? [item.name] : []));
  for (const name of overrides.keys())
    if (!known.includes(name))
      scope.error(
        "gcl/unknown-constant",
        end,
        `-D ${name} has no effect: there is no \`param ${name}\``,
        suggest(name, known),
      );
}
