/**
 * Properties of infinite executions: `ltl` formulas, `never` claims, and labels that begin with `accept` or `progress`.
 *
 * Invariant: every property is a `ProgramProperty`, whose propositions are in no process's scope.
 */
import type { Span } from "../../../model/diagnostic.js";
import { MOST_PROPOSITIONS } from "../../../model/automaton.js";
import type { Formula } from "../../../model/formula.js";
import type { Expr, Location, ProgramProperty, Template } from "../../../model/program.js";
import type { Requirement } from "../../../model/temporal.js";
import type { PropertyKind } from "../../../model/verdict.js";
import type { Formula as FormulaNode } from "../ast.js";
import type { ProcessSymbol } from "../check.js";
import { lowerClaim } from "./claims.js";
import type { Context } from "./context.js";
import { lowerExpression, type Names } from "./expressions.js";
import { Propositions, tooManyPropositions } from "./propositions.js";
import { lowerTemplate, outline } from "./template.js";
import { nth } from "../../../model/known.js";

/** A formula of the model or of the command line. */
export interface NamedFormula {
  readonly name: string;
  readonly formula: FormulaNode;
  readonly span: Span;
}

export function temporalProperties(
  formulas: readonly NamedFormula[],
  names: Names,
  templates: readonly Template[],
): ProgramProperty[] {
  const claims = names.context.info.processes.filter(({ unit }) => unit.kind === "never");
  // An unreachable label also requests the check: every cycle is then a non-progress cycle.
  const labels = [...names.templates.keys()].flatMap((process) => process.labels);
  const isUsed = (prefix: string): boolean => labels.some(({ name }) => name.startsWith(prefix));
  const mayStayInside = templates.some(hasLoopInside);
  const staying = (property: ProgramProperty): ProgramProperty =>
    mayStayInside ? { ...property, mayStayInside } : property;
  return [
    ...formulas.map((formula) => staying(ltl(formula, names, templates))),
    ...claims.map((claim) => staying(never(claim, names, templates))),
    ...(isUsed("accept") ? [acceptanceCycles(templates, names.context)] : []),
    ...(isUsed("progress") ? [staying(nonProgressCycles(templates))] : []),
  ];
}

/**
 * Whether a process can keep control forever. Iteratively removes locations from which control is kept only finitely
 * often.
 */
function hasLoopInside({ locations }: Template): boolean {
  const left = new Set([...locations.keys()].reverse());
  for (let before = Infinity; left.size < before;) {
    before = left.size;
    for (const at of left)
      // sound: test/languages/promela/endless-atomic.test.ts
      if (!nth(locations, at).edges.some((e) => e.keepsControl && left.has(e.to))) left.delete(at);
  }
  return left.size > 0;
}

function ltl({ name, formula, span }: NamedFormula, names: Names, templates: readonly Template[]) {
  const propositions = new Propositions(templates);
  const requirement = { kind: "satisfies", formula: lowerFormula(formula, propositions, names) } as const;
  return property(name, "ltl", span, propositions, requirement, names);
}

function lowerFormula(node: FormulaNode, propositions: Propositions, names: Names): Formula {
  const lower = (inner: FormulaNode): Formula => lowerFormula(inner, propositions, names);
  switch (node.kind) {
    case "atom": {
      const condition = lowerExpression(node.expression, names);
      if (condition.kind === "constant") return { kind: condition.value === 0 ? "false" : "true" };
      const name = names.context.textAt(node.expression.span);
      return { kind: "proposition", index: propositions.index(condition, name) };
    }
    case "not":
    case "always":
    case "eventually":
    case "next":
      return { kind: node.kind, operand: lower(node.operand) };
    default: {
      const kind = node.kind === "weakUntil" ? "weak-until" : node.kind;
      return { kind, left: lower(node.left), right: lower(node.right) };
    }
  }
}

function never(process: ProcessSymbol, names: Names, templates: readonly Template[]): ProgramProperty {
  const { context } = names;
  const template = lowerTemplate(outline(process, [], names.slots, context), names);
  const propositions = new Propositions(templates);
  const isAcceptedByProcesses = templates.some((t) => t.locations.some((l) => l.isAccept));
  const claim = lowerClaim(template, propositions, isAcceptedByProcesses, context);
  const requirement = { kind: "avoids", claim } as const;
  const unseen = unseenAcceptance([template, ...templates], context);
  return { ...property(process.name, "never", process.unit.span, propositions, requirement, names), unseen };
}

function property(
  name: string,
  kind: PropertyKind,
  span: Span,
  propositions: Propositions,
  requirement: Requirement,
  { context }: Names,
): ProgramProperty {
  const { list } = propositions;
  if (list.length > MOST_PROPOSITIONS) context.diagnostics.push(tooManyPropositions(name, list.length, span));
  return { name, kind, span, propositions: list, requirement };
}

/** No execution visits an accept label infinitely often. */
function acceptanceCycles(templates: readonly Template[], context: Context): ProgramProperty {
  const propositions = new Propositions(templates);
  const bit = 1 << propositions.index({ kind: "accepting" }, "accept");
  const states = [
    [
      { guard: [{ care: bit, value: bit }], marks: 1, to: 0 },
      { guard: [{ care: bit, value: 0 }], marks: 0, to: 0 },
    ],
  ];
  const unseen = unseenAcceptance(templates, context);
  return { ...whole("acceptance cycles", "acceptance", propositions, states), unseen };
}

/**
 * An accept label inside `atomic` or `d_step`, which no stored state shows. Spin also misses most of them, and finds
 * cycles through one on the last statement of an `atomic` only if its search closes them there.
 */
function unseenAcceptance(templates: readonly Template[], context: Context): string | undefined {
  for (const { locations } of templates) {
    // sound: test/languages/promela/unseen-labels.test.ts
    const passed = new Set(
      locations.flatMap(({ edges }) => edges.filter((e) => e.keepsControl).map((e) => e.to)),
    );
    const isUnseen = ({ isAccept, labels, inside }: Location, at: number): boolean =>
      // sound: test/languages/promela/unseen-labels.test.ts
      inside === "step" ? labels.some((name) => name.startsWith("accept")) : isAccept && passed.has(at);
    const location = locations.find(isUnseen);
    if (!location) continue;
    const { file, start } = location.span;
    const { line } = context.sources.position(file, start);
    return `an accept label inside an atomic sequence is in no state that is looked at (line ${line}: ${context.textAt(location.span)})`;
  }
  return undefined;
}

/** Every execution visits a progress label infinitely often; the check searches for one that eventually does not. */
function nonProgressCycles(templates: readonly Template[]): ProgramProperty {
  const propositions = new Propositions(templates);
  const noProgress: Expr = { kind: "no-progress" };
  const bit = 1 << propositions.index(noProgress, "np_");
  const stalled = [{ care: bit, value: bit }];
  const states = [
    [
      { guard: [{ care: 0, value: 0 }], marks: 0, to: 0 },
      { guard: stalled, marks: 0, to: 1 },
    ],
    [{ guard: stalled, marks: 1, to: 1 }],
  ];
  return whole("non-progress cycles", "progress", propositions, states);
}

function whole(
  name: string,
  kind: PropertyKind,
  { list }: Propositions,
  states: (Requirement & { kind: "avoids" })["claim"]["automaton"]["states"],
): ProgramProperty {
  const automaton = { propositions: list.map((p) => p.name), conditions: 1, initial: 0, states };
  const requirement = { kind: "avoids", claim: { automaton, errors: [] } } as const;
  return { name, kind, span: undefined, propositions: list, requirement };
}
