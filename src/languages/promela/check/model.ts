/**
 * Checks a model in two passes over its units.
 *
 * The first declares types, variables of every block, labels and processes. The second checks uses in textual order, to
 * detect uses before declarations. Formulas come last, as in Spin, with all globals in scope.
 */
import type {
  Formula,
  InitUnit,
  LtlUnit,
  NeverUnit,
  ProctypeUnit,
  PromelaModel,
  TraceUnit,
  Unit,
} from "../ast.js";
import type { CheckResult } from "../check.js";
import { inTextOrder } from "../../toolkit/diagnostics.js";
import { requireConstant } from "./constants.js";
import { Context, type Circle, type MutableProcess } from "./context.js";
import { declareMtypes, declareTypedef, declareVariables, reportDuplicate } from "./declarations.js";
import { checkExpression, CONDITION } from "./expressions.js";
import { checkInitializer } from "./initializers.js";
import { declareBody } from "./locals.js";
import { checkSequence, inScope } from "./statements.js";

export function checkPromela(model: PromelaModel): CheckResult {
  const context = checkedContext(model);
  return { info: context.info, diagnostics: inTextOrder(context.diagnostics) };
}

export const CIRCLE: Circle = { expression: checkExpression, body: inScope };

/** The context after the check, for expressions from the command line. */
function checkedContext(model: PromelaModel): Context {
  const context = new Context(model, CIRCLE);
  for (const unit of model.units) declareUnit(context, unit);
  context.active.clear();
  for (const unit of model.units) checkUnit(context, unit);
  for (const unit of model.units) if (unit.kind === "ltl") checkLtl(context, unit);
  for (const check of context.later) check();
  checkWhole(context);
  context.expandedFrom = undefined;
  return context;
}

// --------------------------------------------------------------------------------------- declarations

function declareUnit(context: Context, unit: Unit): void {
  context.expandedFrom = undefined;
  switch (unit.kind) {
    case "mtypeDeclaration":
      return declareMtypes(context, unit);
    case "typedef":
      return declareTypedef(context, unit);
    case "declaration":
      for (const symbol of declareVariables(context, unit, { storage: "global" })) {
        const earlier = context.globals.get(symbol.name);
        if (earlier) reportDuplicate(context, symbol, earlier);
        else context.globals.set(symbol.name, symbol);
        context.info.globals.push(symbol);
        // Sizes and capacities may refer to preceding globals.
        context.active.add(symbol);
      }
      return;
    case "proctype":
    case "init":
    case "never":
    case "trace":
      return declareProcess(context, unit);
    case "ltl":
    case "embeddedC":
      return;
  }
}

type ProcessUnit = ProctypeUnit | InitUnit | NeverUnit | TraceUnit;

function declareProcess(context: Context, unit: ProcessUnit): void {
  const process: MutableProcess = {
    kind: "process",
    name: nameOfProcess(unit),
    unit,
    activeCount: activeCount(context, unit),
    parameters: [],
    locals: [],
    labels: [],
    scope: { span: unit.body.span, variables: new Map() },
  };
  checkProcessName(context, process);
  context.info.processes.push(process);
  if (unit.kind === "proctype" && !context.proctypes.has(process.name))
    context.proctypes.set(process.name, process);
  declareBody(context, process);
}

function nameOfProcess(unit: ProcessUnit): string {
  if (unit.kind === "proctype") return unit.name.text;
  if (unit.kind === "never") return unit.name?.text ?? "never";
  if (unit.kind === "trace") return unit.negated ? "notrace" : "trace";
  return "init";
}

/** Far above practical limits: the limit is an option, checked on the program. */
const MAX_PROCESSES = 10_000;

function activeCount(context: Context, unit: ProcessUnit): number {
  if (unit.kind === "init") return 1;
  if (unit.kind !== "proctype" || !unit.active) return 0;
  if (!unit.active.count) return 1;
  const count = requireConstant(context, unit.active.count, "the number of processes") ?? 1;
  if (count < 0 || count > MAX_PROCESSES) {
    const message = `the number of processes is 0 to ${MAX_PROCESSES}, found ${count}`;
    context.error("too-many-processes", message, unit.active.count.span);
  }
  return Math.max(0, Math.min(count, MAX_PROCESSES));
}

/** Reports duplicate proctypes, claims, inits and traces. */
function checkProcessName(context: Context, process: MutableProcess): void {
  const { unit, name } = process;
  const span = "name" in unit && unit.name ? unit.name.span : unit.span;
  const twin = context.info.processes.find((each) => each.name === name && each.unit.kind === unit.kind);
  if (twin && !(unit.kind === "never" && !unit.name)) {
    const what = unit.kind === "proctype" ? `proctype \`${name}\`` : `\`${name}\``;
    context.error(
      "duplicate-process",
      `${what} is declared twice`,
      { ...span, end: Math.min(span.end, span.start + name.length) },
      {
        notes: [{ span: twin.unit.span, message: "first declared here" }],
      },
    );
  }
  const global = unit.kind === "proctype" ? context.globals.get(name) : undefined;
  if (global) {
    context.error("duplicate-name", `\`${name}\` is already a variable`, span, {
      notes: [{ span: global.declarator.name.span, message: "declared here" }],
    });
  }
}

// ----------------------------------------------------------------------------------------------- uses

function checkUnit(context: Context, unit: Unit): void {
  context.expandedFrom = undefined;
  switch (unit.kind) {
    case "declaration":
      for (const declarator of unit.variables) {
        const symbol = context.info.declared.get(declarator);
        if (!symbol) continue;
        checkInitializer(context, symbol);
        context.active.add(symbol);
      }
      return;
    case "typedef":
      for (const field of context.info.typedefs.get(unit.name.text)?.fields ?? [])
        checkInitializer(context, field);
      return;
    case "proctype":
    case "init":
    case "never":
    case "trace":
      return checkProcess(context, unit);
    case "mtypeDeclaration":
    case "ltl":
    case "embeddedC":
      return;
  }
}

function checkProcess(context: Context, unit: ProcessUnit): void {
  const process = context.info.processes.find((each) => each.unit === unit) as MutableProcess;
  context.process = process;
  context.scope = process.scope;
  for (const parameter of process.parameters) context.active.add(parameter);
  if (unit.kind === "proctype" && unit.provided) checkProvided(context, process, unit.provided);
  if ("priority" in unit && unit.priority) checkPriority(context, unit.priority.value, unit.priority.span);
  checkSequence(context, unit.body);
  context.process = undefined;
  context.scope = undefined;
}

function checkProvided(
  context: Context,
  process: MutableProcess,
  condition: NonNullable<ProctypeUnit["provided"]>,
): void {
  const before = context.info.variables.size;
  checkExpression(context, condition, CONDITION);
  const used = [...context.info.variables].slice(before);
  for (const [reference, symbol] of used) {
    if (symbol.kind !== "variable" || symbol.storage === "global") continue;
    const message = `a \`provided\` clause sees global variables only, not \`${symbol.name}\``;
    context.error("local-in-provided", message, reference.span, {
      notes: [{ span: process.unit.span, message: `in proctype \`${process.name}\`` }],
    });
  }
}

function checkPriority(context: Context, value: number, span: ProctypeUnit["span"]): void {
  if (value >= 1 && value <= 255) return;
  context.warn("bad-priority", `a priority is 1 to 255, found ${value}`, span);
}

function checkLtl(context: Context, unit: LtlUnit): void {
  context.isInFormula = true;
  checkFormula(context, unit.formula);
  context.isInFormula = false;
}

export function checkFormula(context: Context, formula: Formula): void {
  if (formula.kind === "atom") checkExpression(context, formula.expression);
  else if ("operand" in formula) checkFormula(context, formula.operand);
  else {
    checkFormula(context, formula.left);
    checkFormula(context, formula.right);
  }
}

// ------------------------------------------------------------------------------------------- the whole

function checkWhole(context: Context): void {
  const { units } = context.model;
  const named = new Map<string, LtlUnit>();
  for (const unit of units) {
    if (unit.kind !== "ltl" || !unit.name) continue;
    const earlier = named.get(unit.name.text);
    if (earlier?.name) {
      context.error("duplicate-ltl", `formula \`${unit.name.text}\` is declared twice`, unit.name.span, {
        notes: [{ span: earlier.name.span, message: "first declared here" }],
      });
    }
    named.set(unit.name.text, unit);
  }
  if (context.info.processes.some((process) => process.activeCount > 0)) return;
  if (units.some((unit) => unit.kind === "embeddedC")) return;
  const { file } = context.model;
  context.error(
    "no-process",
    "no process runs in this model",
    { file, start: 0, end: 0 },
    {
      hint: "add `init { … }`, or `active` before a proctype",
    },
  );
}
