/**
 * Lowers a checked Promela model to a `Program`.
 *
 * First outlines every process (`template.ts`: nodes, automaton, variables), then lowers statements, because they may
 * refer to places of any process. Reading order: `nodes.ts`, `build.ts`, `transitions.ts` for control; `places.ts`,
 * `expressions.ts`, `statements.ts` for data; `steps.ts` for `d_step`.
 *
 * Invariant: each automaton equals Spin's without optimisations (`spin -o1 -o2 -o3`), edge by edge. Properties are in
 * `temporal.ts` (formulas), `claims.ts` (never claims) and `events.ts` (traces).
 */
import type { Diagnostic, Sources, Span } from "../../../model/diagnostic.js";
import type { Expr, Program, Rules, Variable } from "../../../model/program.js";
import { PropertyNames, type PropertyKind } from "../../../model/verdict.js";
import type { Expression, PromelaModel, Unit } from "../ast.js";
import type { LabelSymbol, ModelInfo, ProcessSymbol } from "../check.js";
import { Context } from "./context.js";
import { constant, lowerExpression, type Names } from "./expressions.js";
import { globalInitialisers } from "./initialisers.js";
import { revealRead } from "./hidden.js";
import { EndlessJumps } from "./joints.js";
import { declare, type Slots } from "./places.js";
import { withEvents } from "./events.js";
import { temporalProperties, type NamedFormula } from "./temporal.js";
import { locationOf, lowerTemplate, outline, type Skeleton } from "./template.js";
import { statementsIn } from "./walk.js";
import { nth } from "../../../model/known.js";

export interface LowerOptions {
  readonly rules: Rules;
  /** Conditions over globals, parsed and checked. */
  readonly invariants: readonly { readonly name: string; readonly condition: Expression }[];
  /** Formulas in addition to the model's, parsed and checked. */
  readonly formulas: readonly NamedFormula[];
  /** Texts of the model, for the labels of statements. */
  readonly sources: Sources;
}

export interface LowerResult {
  /** Absent if a diagnostic is an error. */
  readonly program: Program | undefined;
  /** Declared properties that are not supported. */
  readonly unsupported: readonly UnsupportedProperty[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface UnsupportedProperty {
  readonly kind: PropertyKind;
  readonly name: string;
  readonly span: Span;
}

export function lowerPromela(model: PromelaModel, info: ModelInfo, options: LowerOptions): LowerResult {
  const rules = {
    ...options.rules,
    usesPriorities: options.rules.usesPriorities || usesPriorities(model, info),
  };
  const context = new Context(model, info, rules, options.sources);
  const unsupported = model.units.flatMap(unsupportedProperty);
  try {
    const { program, diagnostics } = revealRead(lowerProgram(model, context, options));
    const refused = prioritisedRendezvous(program);
    return { program, unsupported, diagnostics: [...context.diagnostics, ...diagnostics, ...refused] };
  } catch (error) {
    if (!(error instanceof EndlessJumps)) throw error;
    return { program: undefined, unsupported, diagnostics: [...context.diagnostics, endlessJumps(error)] };
  }
}

function lowerProgram(model: PromelaModel, context: Context, options: LowerOptions): Program {
  const { info } = context;
  const slots: Slots = new Map();
  const globals: Variable[] = [];
  declare(info.globals, globals, slots, context);
  const processes = info.processes.filter((p) => p.unit.kind === "proctype" || p.unit.kind === "init");
  const skeletons = new Map(processes.map((p) => [p, outline(p, observedLabels(p, info), slots, context)]));
  const names: Names = {
    context,
    slots,
    templates: new Map(processes.map((process, index) => [process, index])),
    locationsOf: (label) => locationOf(label, skeletonOf(label.process, skeletons)),
  };
  const initialisers = globalInitialisers(names);
  const templates = [...skeletons.values()].map((skeleton) => lowerTemplate(skeleton, names));
  const propertyNames = new PropertyNames();
  const named = <Item extends { readonly name: string }>(item: Item): Item => ({
    ...item,
    name: propertyNames.take(item.name),
  });
  const invariants = options.invariants.map(named);
  const temporal = temporalProperties([...ltlOf(model), ...options.formulas], names, templates).map(named);
  const program: Program = {
    name: model.file,
    globals,
    initialisers,
    channelTypes: context.channelTypes,
    templates,
    instances: processes.flatMap((process, template) =>
      Array.from({ length: process.activeCount }, () => ({
        template,
        arguments: Array.from({ length: nth(templates, template).parameters }, (): Expr => constant(0)),
      })),
    ),
    sites: context.sites,
    invariants: invariants.map(({ name, condition }) => ({
      name,
      condition: lowerExpression(condition, names),
      span: condition.span,
    })),
    temporal,
    rules: context.rules,
  };
  return withEvents(program, names);
}

const ltlOf = (model: PromelaModel): NamedFormula[] =>
  model.units.flatMap((unit) =>
    unit.kind === "ltl" ? [{ name: unit.name?.text ?? "ltl", formula: unit.formula, span: unit.span }] : [],
  );

function skeletonOf(process: ProcessSymbol, skeletons: ReadonlyMap<ProcessSymbol, Skeleton>): Skeleton {
  const skeleton = skeletons.get(process);
  if (!skeleton) throw new Error(`${process.name} is not a process that runs`);
  return skeleton;
}

/** Labels of a process that remote references mention, in order of the references. */
function observedLabels(process: ProcessSymbol, info: ModelInfo): LabelSymbol[] {
  return [...info.labelUses]
    .filter(([use, label]) => use.kind === "remoteLabel" && label.process === process)
    .map(([, label]) => label);
}

/**
 * Refuses rendezvous with priorities: whether the sender's or the receiver's priority applies is undefined. Spin's
 * verifier refuses it as well.
 */
function prioritisedRendezvous({ rules, channelTypes }: Program): Diagnostic[] {
  const rendezvous = rules.usesPriorities && channelTypes.find(({ capacity }) => capacity === 0);
  if (!rendezvous) return [];
  return [
    {
      code: "promela/priorities-with-rendezvous",
      severity: "error",
      message: "priorities cannot be combined with rendezvous channels",
      span: rendezvous.span,
      hint: "give the channel a capacity of 1, or remove the priorities",
    },
  ];
}

/** Whether the model mentions priorities, which enables them. */
function usesPriorities(model: PromelaModel, info: ModelInfo): boolean {
  return (
    model.units.some((unit) => "priority" in unit && unit.priority) ||
    [...info.processUses.keys()].some((use) => use.kind === "run" && use.priority) ||
    [...info.variables.values()].some(
      (symbol) => symbol.kind === "predefined" && symbol.name === "_priority",
    ) ||
    [...info.types.keys()].some((expression) => expression.kind === "getPriority") ||
    model.units.some((u) => "body" in u && [...statementsIn(u.body)].some((s) => s.kind === "setPriority"))
  );
}

function unsupportedProperty(unit: Unit): UnsupportedProperty[] {
  switch (unit.kind) {
    case "proctype": // a D_proctype claims to be deterministic
      return unit.deterministic
        ? [{ name: `determinism of ${unit.name.text}`, kind: "determinism", span: unit.name.span }]
        : [];
    default:
      return [];
  }
}

const endlessJumps = (error: EndlessJumps): Diagnostic => ({
  code: "promela/endless-jumps",
  severity: "error",
  message: "these jumps only lead to each other: the process would never reach a statement",
  span: error.node.span,
  hint: "put a statement, for example skip, between a label and the jump back to it",
});
