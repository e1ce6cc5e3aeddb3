/** Lowers the syntax tree to an `NdlogProgram`. Rules come first: specifications may mention their predicates alone. */
import type { Diagnostic } from "../../model/diagnostic.js";
import {
  variableOfSum,
  type NdlogAnnotation,
  type NdlogConstraint,
  type NdlogLemma,
  type NdlogProgram,
  type NdlogProperty,
  type NdlogRule,
} from "../../model/ndlog.js";
import { PropertyNames } from "../../model/verdict.js";
import { suggest } from "../toolkit/spelling.js";
import type { Item, Literal, Named, RuleTree } from "./ast.js";
import { clauseOf, sortOfArgument } from "./clauses.js";
import { conditionOf, sumOf } from "./expressions.js";
import { Frame, type Declared, type Scope } from "./scope.js";

/** Values of constants from outside (`-D N=4`), by name. */
export type Overrides = ReadonlyMap<string, bigint>;

export function lower(
  name: string,
  items: readonly Item[],
  scope: Scope,
  overrides: Overrides,
  warn: (diagnostic: Diagnostic) => void,
): NdlogProgram {
  declareConstants(items, scope, overrides);
  const rules = items.filter((item) => item.kind === "rule");
  declarePredicates(items, rules, scope);
  const labels = labelsOf(rules, scope);
  const lowered = rules.flatMap((rule, index) => ruleOf(rule, labels[index] ?? "", scope));
  rules.forEach((rule) => warnLocations(rule, warn));
  const names = new PropertyNames();
  const cut = items.flatMap((item) =>
    item.kind === "cut" ? item.names.flatMap((each) => known(each, scope)?.index ?? []) : [],
  );
  return {
    kind: "ndlog",
    name,
    predicates: [...scope.predicates.values()].map((declared) => ({
      name: declared.name,
      arity: declared.arity,
      isBase: isBase(declared),
      sorts: declared.sorts,
      location: declared.location,
    })),
    rules: lowered,
    constraints: items.flatMap((item) => (item.kind === "constraint" ? constraintOf(item, scope) : [])),
    annotations: annotationsOf(items, scope),
    lemmas: items.flatMap((item, index) => (item.kind === "lemma" ? lemmaOf(item, index, scope) : [])),
    properties: items.flatMap((item) =>
      item.kind === "property" || item.kind === "derivable" ? [propertyOf(item, scope, names)] : [],
    ),
    cut: items.some(({ kind }) => kind === "cut") ? cut : undefined,
    strings: scope.strings,
    definedFunctions: scope.defined,
  };
}

const isBase = ({ hasRule, isDeclaredBase }: Declared): boolean => !hasRule || isDeclaredBase;

function declareConstants(items: readonly Item[], scope: Scope, overrides: Overrides): void {
  for (const item of items) {
    if (item.kind !== "define") continue;
    if (scope.constants.has(item.name))
      scope.error("ndlog/duplicate-name", item.span, `\`${item.name}\` is defined twice`);
    const value = sumOf(item.value, scope, new Frame());
    if (value.parts.length > 0)
      scope.error("ndlog/constant", item.value.span, "the value of a constant is a number or a string");
    scope.constants.set(item.name, overrides.get(item.name) ?? value.constant);
  }
}

function declarePredicates(items: readonly Item[], rules: readonly RuleTree[], scope: Scope): void {
  for (const { head, body = [] } of rules) {
    const declared = scope.predicate(head, true);
    if (declared) declared.hasRule = true;
    for (const literal of body)
      if (literal.kind === "atom" && !literal.isNegated) scope.predicate(literal, true);
  }
  for (const item of items)
    if (item.kind === "base") {
      for (const each of item.names) {
        const declared = known(each, scope);
        if (declared) declared.isDeclaredBase = true;
      }
    } else if (item.kind === "type") {
      const declared = known(item, scope);
      if (declared && declared.arity !== item.sorts.length)
        scope.error(
          "ndlog/arity",
          item.span,
          `\`${item.name}\` has ${declared.arity} attributes elsewhere, here ${item.sorts.length}`,
        );
      else if (declared) declared.sorts = item.sorts;
    }
}

function known({ name, span }: Named, scope: Scope): Declared | undefined {
  const declared = scope.predicates.get(name);
  if (!declared)
    scope.error(
      "ndlog/unknown-predicate",
      span,
      `no rule mentions \`${name}\``,
      suggest(name, scope.predicates.keys()),
    );
  return declared;
}

function labelsOf(rules: readonly RuleTree[], scope: Scope): string[] {
  const taken = new Set<string>();
  return rules.map(({ label, body }, index) => {
    if (label && taken.has(label.name))
      scope.error("ndlog/duplicate-label", label.span, `two rules are called \`${label.name}\``);
    const name = label?.name ?? `${body ? "rule" : "fact"}#${index + 1}`;
    taken.add(name);
    return name;
  });
}

function ruleOf({ head, body = [], deletes, span }: RuleTree, label: string, scope: Scope): NdlogRule[] {
  if (deletes) {
    scope.error(
      "ndlog/delete",
      span,
      "deletion is outside the analysed fragment",
      "leave the rule out: this derives at least the same tuples",
    );
    return [];
  }
  const frame = new Frame();
  const clause = clauseOf(body, scope, frame, { mayDeclare: true, head: head.args });
  const predicate = scope.predicates.get(head.name);
  const args = head.args.map((arg, position) => {
    const sum = sumOf(arg, scope, frame);
    const variable = variableOfSum(sum);
    if (variable !== undefined) sortOfArgument(variable, position, predicate, arg, scope, frame);
    return sum;
  });
  if (!predicate) return [];
  return [{ label, variables: frame.names, head: { predicate: predicate.index, args }, body: clause, span }];
}

/** Tuples at two locations need a tuple that mentions both, such as a link. */
function warnLocations({ body = [], label, span }: RuleTree, warn: (diagnostic: Diagnostic) => void): void {
  const atoms = body.filter((literal) => literal.kind === "atom");
  const names = atoms.map(
    ({ args }) => new Set(args.flatMap((arg) => (arg.kind === "variable" ? arg.name : []))),
  );
  const places = new Set(
    atoms.flatMap(({ args, location }) => {
      const arg = args[location];
      return arg?.kind === "variable" && arg.name !== "_" ? [arg.name] : [];
    }),
  );
  const [first, ...others] = places;
  if (first === undefined) return;
  const reached = new Set([first]);
  for (let size = 0; size < reached.size;) {
    size = reached.size;
    for (const each of names)
      if ([...reached].some((place) => each.has(place)))
        for (const place of others) if (each.has(place)) reached.add(place);
  }
  const apart = others.find((place) => !reached.has(place));
  if (apart !== undefined)
    warn({
      code: "ndlog/locations",
      severity: "warning",
      message: `${label ? `${label.name}: ` : ""}no tuple connects the locations \`${first}\` and \`${apart}\``,
      span,
    });
}

function constraintOf(item: Extract<Item, { kind: "constraint" }>, scope: Scope): NdlogConstraint[] {
  const frame = new Frame();
  for (const literal of item.when) {
    const declared = literal.kind === "atom" ? scope.predicates.get(literal.name) : undefined;
    if (declared && !isBase(declared))
      scope.error(
        "ndlog/constraint-of-derived",
        literal.span,
        `a constraint is about base tuples, and \`${declared.name}\` has none`,
        `write \`base ${declared.name}.\`, or state a property`,
      );
  }
  if (!item.when.some(({ kind }) => kind === "atom"))
    scope.error("ndlog/no-tuple", item.span, `\`${item.name}\` is about no tuple`);
  const when = clauseOf(item.when, scope, frame, { mayDeclare: false });
  const then = conditionOf(item.then, scope, frame);
  return [{ name: item.name, variables: frame.names, when, then, span: item.span }];
}

function annotationsOf(items: readonly Item[], scope: Scope): NdlogAnnotation[] {
  const found: NdlogAnnotation[] = [];
  for (const item of items) {
    if (item.kind !== "annotation") continue;
    const { atom, span } = item;
    const frame = new Frame();
    const { atoms } = clauseOf([atom], scope, frame, { mayDeclare: false });
    const [lowered] = atoms;
    const condition = conditionOf(item.condition, scope, frame);
    const declared = scope.predicates.get(atom.name);
    if (!lowered || !declared) continue;
    if (lowered.args.some((arg, index) => variableOfSum(arg) !== index))
      scope.error("ndlog/annotation", atom.span, "the attributes of an annotation are distinct variables");
    else if (!declared.hasRule)
      scope.error("ndlog/annotation", atom.span, `\`${atom.name}\` has no rule`, "write a constraint");
    else if (found.some(({ predicate }) => predicate === declared.index))
      scope.error("ndlog/annotation", atom.span, `\`${atom.name}\` has two annotations`, "join them with &&");
    else found.push({ predicate: declared.index, condition, span });
  }
  return found;
}

function lemmaOf(item: Extract<Item, { kind: "lemma" }>, index: number, scope: Scope): NdlogLemma[] {
  const frame = new Frame();
  const when = clauseOf([item.atom], scope, frame, { mayDeclare: false });
  const then = alternativeOf(item.then, scope, frame);
  const name = `lemma#${index + 1} of ${item.atom.name}`;
  return when.atoms.length === 1 ? [{ name, variables: frame.names, when, then, span: item.span }] : [];
}

function alternativeOf(
  { exists, all }: { readonly exists: readonly Named[]; readonly all: readonly Literal[] },
  scope: Scope,
  frame: Frame,
): NdlogLemma["then"] {
  const taken = exists.find(({ name }) => frame.find(name) !== undefined);
  if (taken)
    scope.error("ndlog/duplicate-name", taken.span, `\`${taken.name}\` already has a value`, "rename it");
  const binds = new Set(exists.map(({ name }) => name));
  return clauseOf(all, scope, frame, { mayDeclare: false, binds, exists });
}

function propertyOf(
  item: Extract<Item, { kind: "property" | "derivable" }>,
  scope: Scope,
  names: PropertyNames,
): NdlogProperty {
  const frame = new Frame();
  const when = clauseOf(item.when, scope, frame, { mayDeclare: false });
  if (when.atoms.length === 0 && !item.when.some(({ kind }) => kind === "atom"))
    scope.error("ndlog/no-tuple", item.span, `\`${item.name}\` is about no tuple`);
  const unused = item.forall.find(({ name }) => frame.find(name) === undefined);
  if (unused)
    scope.error("ndlog/unbound", unused.span, `\`${unused.name}\` is not bound`, "use it in a tuple");
  const alternatives = item.alternatives.map((alternative) => {
    const result = alternativeOf(alternative, scope, frame);
    // Alternatives do not share their variables.
    for (const { name } of alternative.exists) frame.release(name, undefined);
    return result;
  });
  const asks = item.kind === "property" ? "always" : "derivable";
  return {
    kind: asks === "always" ? "invariant" : "cover",
    asks,
    name: names.take(item.name),
    span: item.span,
    variables: frame.names,
    when,
    alternatives,
  };
}
