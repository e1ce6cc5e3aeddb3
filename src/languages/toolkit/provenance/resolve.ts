/** Resolves the names in properties and policies. */
import type { Diagnostic, Span } from "../../../model/diagnostic.js";
import type { Principal, ProvenanceProperty } from "../../../model/messages.js";
import type { Policy, ProvenanceDomain, WordExpression } from "../../../model/provenance.js";
import { isInPolicy, nowhere } from "../../../model/provenance.js";
import type { Named, PolicyNode, PropertyNode, WordsNode } from "./ast.js";
import { nth } from "../../../model/known.js";

export interface PolicyScope {
  readonly messages: readonly string[];
  readonly principals: readonly Pick<Principal, "name" | "variables">[];
  readonly domain: ProvenanceDomain;
  /** Source text of a span, for messages. */
  textOf(span: Span): string;
  report(diagnostic: Diagnostic): void;
}

/** Undefined if a name does not resolve. */
export function resolveProperty(node: PropertyNode, scope: PolicyScope): ProvenanceProperty | undefined {
  const observed = variableOf(node.principal, node.variable, scope);
  const policy = resolvePolicy(node.policy, scope);
  const when = node.when && resolveWhen(node.when, scope);
  if (!observed || !policy || (node.when && !when)) return undefined;
  const property: ProvenanceProperty = {
    kind: "provenance",
    name: node.name.text,
    span: node.span,
    ...observed,
    policy,
    isAllowed: node.isAllowed,
    when,
    text: scope.textOf(node.policy.span).replace(/\s+/g, " "),
  };
  if (isForbiddenAtFirst(property))
    scope.report({
      code: "provenance/initially-forbidden",
      severity: "warning",
      message: `\`${node.name.text}\` forbids the empty provenance, which every variable has at first`,
      span: node.policy.span,
      hint: node.isAllowed ? "add `eps |` to the policy" : "leave `eps` out of the policy",
    });
  return property;
}

function resolveWhen(
  { principal, variable, message: name }: NonNullable<PropertyNode["when"]>,
  scope: PolicyScope,
): ProvenanceProperty["when"] {
  const place = variableOf(principal, variable, scope);
  const message = indexOf(name, scope.messages, "message", scope);
  return place && message !== undefined ? { ...place, message } : undefined;
}

/** Initially every variable has the value `none` with empty provenance. */
const isForbiddenAtFirst = ({ policy, isAllowed, when }: ProvenanceProperty): boolean =>
  isInPolicy(policy, nowhere) !== isAllowed && (when === undefined || when.message === 0);

export function resolvePolicy(node: PolicyNode, scope: PolicyScope): Policy | undefined {
  const wanted =
    node.kind === "classes"
      ? "declared"
      : node.kind === "subset" || node.kind === "contains"
        ? "any"
        : "language";
  if (wanted === "any" ? scope.domain.kind === "declared" : scope.domain.kind !== wanted) {
    scope.report({
      code: "provenance/wrong-domain",
      severity: "error",
      message: `${POLICY_NAMES[node.kind]} does not apply to provenances that are ${DOMAIN_NAMES[scope.domain.kind]}`,
      span: node.span,
      hint: DOMAIN_HINTS[scope.domain.kind],
    });
    return undefined;
  }
  const principals = (names: readonly Named[]): number[] | undefined => lettersOf(names, scope);
  switch (node.kind) {
    case "words": {
      const expression = wordsOf(node.expression, scope);
      return expression && { kind: "words", expression };
    }
    case "subset": {
      const found = principals(node.names);
      return found && { kind: "subset", principals: found };
    }
    case "contains": {
      const sets = node.sets.map(principals);
      return sets.every((set) => set !== undefined) ? { kind: "contains", sets } : undefined;
    }
    case "classes": {
      const { domain } = scope;
      const known = domain.kind === "declared" ? domain.classes : [];
      const classes = node.names.map((name) => indexOf(name, known, "class", scope));
      return classes.every((each) => each !== undefined) ? { kind: "classes", classes } : undefined;
    }
    case "automaton":
      return automatonOf(node, scope);
  }
}

const POLICY_NAMES = {
  words: "an expression over words",
  automaton: "an automaton",
  subset: "`subset`",
  contains: "`contains`",
  classes: "`classes`",
} as const;
const DOMAIN_NAMES = { language: "words", set: "sets", declared: "classes of a declared domain" } as const;
const DOMAIN_HINTS = {
  language: "write an expression, an automaton, `subset` or `contains`",
  set: "write `subset {…}` or `contains {…}`, or choose `provenance language;`",
  declared: "write `classes {…}`",
} as const;

function automatonOf(
  node: PolicyNode & { readonly kind: "automaton" },
  scope: PolicyScope,
): Policy | undefined {
  const states: string[] = [];
  const state = ({ text }: Named): number => {
    const known = states.indexOf(text);
    return known < 0 ? states.push(text) - 1 : known;
  };
  if (node.initial.length !== 1) {
    scope.report({
      code: "provenance/initial-state",
      severity: "error",
      message: `an automaton has one initial state, this one has ${node.initial.length}`,
      span: node.initial[1]?.span ?? node.span,
      hint: "write `init STATE;` once",
    });
    return undefined;
  }
  const initial = state(nth(node.initial, 0));
  const steps = node.steps.flatMap(({ from, letter, to }) => {
    const principal = principalOf(letter, scope);
    return principal === undefined ? [] : [{ from: state(from), letter: principal, to: state(to) }];
  });
  const known = states.length;
  const accepting = node.accepting.map(state);
  node.accepting
    .filter((_, index) => nth(accepting, index) >= known)
    .forEach(({ text, span }) =>
      scope.report({
        code: "provenance/unknown-state",
        severity: "error",
        message: `no step of the automaton leads to \`${text}\``,
        span,
        hint: `its states are: ${states.slice(0, known).join(", ")}`,
      }),
    );
  if (steps.length < node.steps.length) return undefined;
  return { kind: "automaton", automaton: { states: states.length, initial, accepting, steps } };
}

function wordsOf(node: WordsNode, scope: PolicyScope): WordExpression | undefined {
  const all = scope.principals.map((_, index) => index);
  switch (node.kind) {
    case "empty":
      return { kind: "empty" };
    case "any":
      return { kind: "letters", principals: all };
    case "letters": {
      const found = lettersOf(node.names, scope);
      if (!found) return undefined;
      const principals = node.isNegated ? all.filter((each) => !found.includes(each)) : found;
      return { kind: "letters", principals };
    }
    case "sequence":
    case "choice": {
      const nodes = node.kind === "sequence" ? node.parts : node.options;
      const parts = nodes.map((part) => wordsOf(part, scope));
      if (!parts.every((part) => part !== undefined)) return undefined;
      if (node.kind === "choice") return { kind: "choice", options: parts };
      return parts.reduceRight((second, first) => ({ kind: "sequence", first, second }));
    }
    case "repeated": {
      const body = wordsOf(node.body, scope);
      if (!body) return undefined;
      const repeat: WordExpression = { kind: "repeat", body };
      if (node.how === "*") return repeat;
      return node.how === "+"
        ? { kind: "sequence", first: body, second: repeat }
        : { kind: "choice", options: [{ kind: "empty" }, body] };
    }
  }
}

function lettersOf(names: readonly Named[], scope: PolicyScope): number[] | undefined {
  const found = names.map((name) => principalOf(name, scope));
  return found.every((each) => each !== undefined) ? found : undefined;
}

const principalOf = (name: Named, scope: PolicyScope): number | undefined =>
  indexOf(
    name,
    scope.principals.map((principal) => principal.name),
    "principal",
    scope,
  );

function variableOf(
  principal: Named,
  variable: Named,
  scope: PolicyScope,
): { readonly principal: number; readonly variable: number } | undefined {
  const owner = principalOf(principal, scope);
  if (owner === undefined) return undefined;
  const { variables } = nth(scope.principals, owner);
  const index = indexOf(variable, variables, "variable", scope);
  // sound: test/languages/promela/messages.test.ts
  if (variables.indexOf(variable.text) !== variables.lastIndexOf(variable.text))
    scope.report({
      code: "provenance/ambiguous-variable",
      severity: "error",
      message: `several variables are called \`${variable.text}\``,
      span: variable.span,
      hint: "give the variables of a process different names",
    });
  return index === undefined ? undefined : { principal: owner, variable: index };
}

type Thing = "principal" | "variable" | "message" | "class";

function indexOf(
  { text, span }: Named,
  names: readonly string[],
  thing: Thing,
  { report }: PolicyScope,
): number | undefined {
  const index = names.indexOf(text);
  if (index >= 0) return index;
  report({
    code: UNKNOWN[thing],
    severity: "error",
    message: `there is no ${thing} \`${text}\``,
    span,
    hint: names.length === 0 ? `no ${thing} is declared` : `there are: ${names.join(", ")}`,
  });
  return undefined;
}

const UNKNOWN: Readonly<Record<Thing, string>> = {
  principal: "provenance/unknown-principal",
  variable: "provenance/unknown-variable",
  message: "provenance/unknown-message",
  class: "provenance/unknown-class",
};
