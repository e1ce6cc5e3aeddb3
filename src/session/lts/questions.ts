/** Questions about a network: its own properties, formulas from the command line, and the order of composition. */
import type { LtsProduct } from "../../compile/lts.js";
import {
  END_NAME,
  ERROR_NAME,
  PropertyNames,
  TAU_NAME,
  actionProperty,
  type ActionQuestion,
  type Composition,
  type Diagnostic,
  type FluentQuestion,
  type Hierarchy,
  type LtsNetwork,
  type Model,
  type ProgressQuestion,
  type Property,
  type Sources,
  type Span,
  type StateFormula,
} from "../../model/index.js";
import { suggest } from "../../languages/toolkit/spelling.js";
import { parseStateFormula, type ActionNames } from "../../transforms/actions/index.js";
import { soughtBy } from "../../transforms/ltl/sought.js";
import type { Loaded } from "../contracts.js";
import { readFormulas } from "../formulas.js";
import type { Input, ModelOptions } from "../request.js";
import { fluentQuestion } from "./fluents.js";
import { visibility } from "./labels.js";
import { refutation } from "./refuting.js";

/** Adds the formulas and the order that the options ask for to a loaded network. */
export function asked(
  network: LtsNetwork,
  product: LtsProduct,
  { progress = [], assertions = [], formulas = [], sets }: Declared,
  { readFile = () => undefined }: Input,
  options: ModelOptions & { readonly sources: Sources },
): Pick<Loaded, "model" | "subject" | "diagnostics"> {
  const { model } = product;
  const labels = labelsOf(network);

  const own = [
    ...model.properties,
    ...assertions.map(({ name, span }) => actionProperty(name, span)),
    ...formulas.map(({ name, span }) => actionProperty(name, span)),
  ];
  const stated = stateFormulas(options, own, { labels, ...(sets ? { sets } : {}) });
  const spoken = runFormulas(options, [...own, ...stated.properties], labels);
  const read =
    options.hierarchy === undefined
      ? undefined
      : readHierarchy(options.hierarchy, readFile(options.hierarchy), network, options.sources);
  const declared = assertedIn(assertions, labels);
  const diagnostics = [
    ...declared.diagnostics,
    ...stated.diagnostics,
    ...spoken.diagnostics,
    ...(read?.diagnostics ?? []),
  ];
  if (diagnostics.length > 0) return { model: undefined, diagnostics };
  const questions = new Map([
    ...ownQuestions(network, model, progress),
    ...declared.questions,
    ...formulas.map(({ name, formula }): [string, ActionQuestion] => [name, { kind: "states", formula }]),
    ...stated.questions,
    ...spoken.questions,
  ]);
  const properties = [
    ...model.properties,
    ...declared.properties,
    ...formulas.map(({ name, span }) => actionProperty(name, span)),
    ...stated.properties,
    ...spoken.properties,
  ];
  const subject: Composition = {
    kind: "composition",
    network,
    properties,
    questions,
    hierarchy: read?.hierarchy,
  };
  const refutes = refutation(product, questions);
  return { model: { ...model, properties, refutes }, subject, diagnostics };
}

/** Questions of the text. */
interface Declared {
  readonly progress?: readonly ProgressQuestion[];
  readonly assertions?: readonly FluentQuestion[];
  readonly formulas?: readonly {
    readonly name: string;
    readonly span: Span;
    readonly formula: StateFormula;
  }[];
  /** Sets of actions that formulas may name. */
  readonly sets?: ActionNames["sets"];
}

function assertedIn(assertions: readonly FluentQuestion[], labels: readonly string[]): Read {
  const made = assertions.map((assertion) => ({ assertion, found: fluentQuestion(assertion, labels) }));
  return {
    properties: assertions.map(({ name, span }) => actionProperty(name, span)),
    questions: made.flatMap(({ assertion, found }): [string, ActionQuestion][] =>
      "question" in found ? [[assertion.name, found.question]] : [],
    ),
    diagnostics: made.flatMap(({ found }) => ("diagnostic" in found ? [found.diagnostic] : [])),
  };
}

/** Visible actions of the network. */
export const labelsOf = ({ vectors }: LtsNetwork): string[] =>
  [...new Set(vectors.map(({ label }) => label))].filter(
    (label) => label !== TAU_NAME && label !== END_NAME && label !== ERROR_NAME,
  );

function ownQuestions(
  { parts }: LtsNetwork,
  { properties }: Model,
  progress: readonly ProgressQuestion[],
): [string, ActionQuestion][] {
  return properties.map(({ name, kind }): [string, ActionQuestion] => {
    if (kind === "deadlock") return [name, { kind }];
    const goal = progress.find((each) => each.name === name);
    if (goal) return [name, { kind: "states", formula: staysPossible(goal) }];
    const watcher = parts.findIndex(({ watches }) => watches?.property === name);
    return [name, { kind: "error", watcher: watcher < 0 ? undefined : watcher }];
  });
}

/** In every state from which the premise stays possible, an action of the set does. */
function staysPossible({ premise, has, name }: ProgressQuestion): StateFormula {
  const possible = (isOf: (label: string) => boolean): StateFormula => ({
    kind: "exists-until",
    during: { kind: "true" },
    by: { kind: "any" },
    then: { kind: "diamond", by: { kind: "where", text: name, has: isOf }, of: { kind: "true" } },
  });
  const lost: StateFormula = { kind: "not", of: possible(has) };
  const then: StateFormula = premise ? { kind: "and", left: possible(premise), right: lost } : lost;
  return {
    kind: "not",
    of: { kind: "exists-until", during: { kind: "true" }, by: { kind: "any" }, then },
  };
}

interface Read {
  readonly properties: readonly Property[];
  readonly questions: readonly [string, ActionQuestion][];
  readonly diagnostics: readonly Diagnostic[];
}

function stateFormulas(
  { formulas = [], sources }: ModelOptions & { readonly sources: Sources },
  declared: readonly Property[],
  actions: ActionNames,
): Read {
  const names = new PropertyNames();
  for (const { name } of declared) names.take(name);
  const read = formulas.map((text, index) => {
    const file = index === 0 ? "--formula" : `--formula ${index + 1}`;
    sources.add(file, text);
    const property = actionProperty(names.take(text.trim()), { file, start: 0, end: text.length });
    return { property, parsed: parseStateFormula(text, file, actions) };
  });
  return {
    properties: read.map(({ property }) => property),
    questions: read.flatMap(({ property, parsed }): [string, ActionQuestion][] =>
      "formula" in parsed ? [[property.name, { kind: "states", formula: parsed.formula }]] : [],
    ),
    diagnostics: read.flatMap(({ parsed }) => ("diagnostics" in parsed ? parsed.diagnostics : [])),
  };
}

interface Matching {
  readonly matches: (label: string) => boolean;
}

function runFormulas(
  { ltl = [], sources }: ModelOptions & { readonly sources: Sources },
  declared: readonly Property[],
  labels: readonly string[],
): Read {
  const { formulas, diagnostics } = readFormulas<Matching>(
    ltl,
    (text, span) => {
      const matches = visibility([text]);
      // sound: test/session/compositional.test.ts
      if (labels.some(matches)) return { matches };
      return [
        {
          code: "formula/unknown-action",
          severity: "error",
          message: `the system has no action '${text}'`,
          span,
          hint: suggest(text, labels) ?? `actions: ${labels.slice(0, 8).join(", ")}`,
        },
      ];
    },
    declared,
    sources,
  );
  const made = formulas.map((formula) => ({ formula, automaton: soughtBy(formula) }));
  const tooLarge = made.flatMap(({ formula: { span }, automaton }): Diagnostic[] =>
    automaton || !span
      ? []
      : [
          {
            code: "formula/too-large",
            severity: "error",
            message: "the automaton of the formula is too large",
            span,
          },
        ],
  );
  return {
    properties: formulas.map(({ name, span }) => actionProperty(name, span)),
    questions: made.flatMap(({ formula, automaton }): [string, ActionQuestion][] => {
      const { requirement, conditions, name } = formula;
      if (!automaton || requirement.kind !== "satisfies") return [];
      const letterOf = (label: string): number =>
        conditions.reduce((letter, { matches }, p) => (matches(label) ? letter | (1 << p) : letter), 0);
      return [[name, { kind: "runs", formula: requirement.formula, automaton, letterOf }]];
    }),
    diagnostics: [...diagnostics, ...tooLarge],
  };
}

interface ReadHierarchy {
  readonly hierarchy: Hierarchy | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Every part stands in the hierarchy once. */
function readHierarchy(
  file: string,
  text: string | undefined,
  { parts }: LtsNetwork,
  sources: Sources,
): ReadHierarchy {
  const problem = (message: string, hint?: string): Diagnostic => ({
    code: "composition/hierarchy",
    severity: "error",
    message,
    span: { file, start: 0, end: 0 },
    ...(hint === undefined ? {} : { hint }),
  });
  const failed = (message: string): ReadHierarchy => ({
    hierarchy: undefined,
    diagnostics: [problem(message)],
  });
  if (text === undefined) return failed(`cannot read '${file}'`);
  sources.add(file, text);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return failed(`this is not JSON: ${(error as Error).message}`);
  }
  if (!isHierarchy(json, 0))
    return failed(
      'expected { "name": …, "children": […] }, where a child is such an object or the name of a part',
    );
  const names = leavesOf(json);
  // sound: test/session/compositional.test.ts
  const diagnostics = [
    ...names
      .filter((name) => !parts.some((part) => part.name === name))
      .map((name) =>
        problem(
          `there is no part '${name}'`,
          suggest(
            name,
            parts.map((part) => part.name),
          ),
        ),
      ),
    ...names
      .filter((name, i) => names.indexOf(name) !== i)
      .map((name) => problem(`part '${name}' stands twice`)),
    ...parts
      .filter(({ name }) => !names.includes(name))
      .map(({ name }) => problem(`part '${name}' is missing`, "every part stands in the hierarchy once")),
  ];
  return { hierarchy: diagnostics.length > 0 ? undefined : json, diagnostics };
}

const DEEPEST = 200;

function isHierarchy(json: unknown, depth: number): json is Hierarchy {
  if (typeof json !== "object" || json === null || depth > DEEPEST) return false;
  const { name, children } = json as { readonly name?: unknown; readonly children?: unknown };
  return (
    typeof name === "string" &&
    Array.isArray(children) &&
    children.length > 0 &&
    children.every((child) => typeof child === "string" || isHierarchy(child, depth + 1))
  );
}

const leavesOf = ({ children }: Hierarchy): string[] =>
  children.flatMap((child) => (typeof child === "string" ? [child] : leavesOf(child)));

/** Without the parts that do not count. */
export function withoutParts(hierarchy: Hierarchy, drops: (name: string) => boolean): Hierarchy | undefined {
  const children = hierarchy.children.flatMap((child): (Hierarchy | string)[] => {
    if (typeof child === "string") return drops(child) ? [] : [child];
    const rest = withoutParts(child, drops);
    return rest ? [rest] : [];
  });
  return children.length === 0 ? undefined : { name: hierarchy.name, children };
}
