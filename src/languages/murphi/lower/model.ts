/** Lowers the whole model, unit by unit. */
import type { Sources, Span } from "../../../model/diagnostic.js";
import { NO_SITE, type Procedure, type RuleProgram } from "../../../model/rules.js";
import type { Expression, Name, Unit } from "../ast.js";
import { parseExpression, parseFormula } from "../parse.js";
import type { Report } from "../../toolkit/diagnostics.js";
import { Context, type Settings } from "./context.js";
import { lowerDeclaration, lowerProcedure } from "./declarations.js";
import { lowerExpression } from "./expressions.js";
import { lowerFormula } from "./formulas.js";
import { lowerRule, type Rules } from "./rules.js";

export interface Define {
  readonly name: string;
  /** As source text. */
  readonly value: string | undefined;
}

export interface ModelInput {
  readonly file: string;
  readonly text: string;
  readonly defines?: readonly Define[];
  readonly invariants?: readonly string[];
  readonly formulas?: readonly string[];
  readonly settings: Settings;
  readonly sources: Sources;
  /** No syntax errors: a missing unit was not dropped by recovery. */
  readonly wasRead: boolean;
}

export function lowerModel(units: readonly Unit[], input: ModelInput, report: Report): RuleProgram {
  const { settings, sources, file } = input;
  const context = new Context(settings, sources, report, undefinedArguments(units), lowerExpression);
  const overrides = new Overrides(input, context, units);
  const procedures: Procedure[] = [];
  const rules: Rules = { starts: [], rules: [], invariants: [], assumptions: [], liveness: [], temporal: [] };
  if (!context.isRumur) checkOrder(context, units);
  for (const unit of units) {
    if (unit.kind === "const" || unit.kind === "type" || unit.kind === "var")
      lowerDeclaration(context, unit, true, (name) => overrides.valueOf(name));
    else if (unit.kind === "procedure") {
      const procedure = lowerProcedure(context, unit);
      if (procedure) procedures.push(procedure);
    } else lowerRule(context, unit, rules);
  }
  lowerExtraInvariants(context, input, rules);
  lowerExtraFormulas(context, input, rules);
  const whole: Span = { file, start: 0, end: 0 };
  if (input.wasRead) checkComplete(context, rules, whole);
  const hasDeadlock = settings.deadlock !== "off";
  return {
    name: file,
    scalarsets: context.scalarsets,
    variables: context.variables,
    procedures,
    ...rules,
    covers: context.covers,
    deadlock: {
      mode: settings.deadlock,
      site: hasDeadlock ? context.site("deadlock", DEADLOCKS[settings.deadlock], whole) : NO_SITE,
    },
    sites: context.sites,
    maxCallDepth: settings.maxCallDepth,
    maxRounds: settings.maxRounds,
  };
}

const DEADLOCKS = {
  stuttering: "deadlock: no rule leads to another state",
  stuck: "deadlock: no rule is enabled",
  off: "",
} as const;

function checkComplete(context: Context, { starts, rules }: Rules, span: Span): void {
  if (starts.length === 0)
    context.error("no-startstate", "the model has no start state", span, "write `startstate … end`");
  if (rules.length === 0)
    context.error("no-rule", "the model has no rule", span, "write `rule CONDITION ==> … end`");
}

/** CMurphi requires declarations first, then procedures, then rules. */
function checkOrder(context: Context, units: readonly Unit[]): void {
  let stage = 0;
  for (const unit of units) {
    const own = unit.kind === "procedure" ? 1 : ["const", "type", "var"].includes(unit.kind) ? 0 : 2;
    if (own < stage) {
      const what =
        own === 0 ? "declarations come before procedures and rules" : "procedures come before rules";
      context.error(
        "section-order",
        `in CMurphi ${what}`,
        unit.span,
        "move it up, or leave `--dialect cmurphi` out",
      );
    }
    stage = Math.max(stage, own);
  }
}

/** Lowers invariants from the command line, with all declarations of the text in scope. */
function lowerExtraInvariants(
  context: Context,
  { invariants = [], sources }: ModelInput,
  rules: Rules,
): void {
  for (const { file, text, span } of given("--invariant", invariants, sources)) {
    const condition = parseExpression(file, text, context.report);
    if (condition)
      lowerRule(
        context,
        { kind: "property", category: "invariant", message: text.trim(), condition, span },
        rules,
      );
  }
}

function lowerExtraFormulas(context: Context, { formulas = [], sources }: ModelInput, rules: Rules): void {
  for (const { file, text, span } of given("--ltl", formulas, sources)) {
    const formula = parseFormula(file, text, context.report);
    if (!formula) continue;
    const unit = { kind: "ltl", name: text.trim(), formula, span } as const;
    const property = lowerFormula(context, unit, rules.temporal.length + 1);
    if (property) rules.temporal.push(property);
  }
}

interface Given {
  readonly file: string;
  readonly text: string;
  readonly span: Span;
}

/** Registers the values of an option as sources named after it. */
function given(option: string, texts: readonly string[], sources: Sources): Given[] {
  return texts.map((text, i) => {
    const file = texts.length > 1 ? `${option} ${i + 1}` : option;
    sources.add(file, text);
    return { file, text, span: { file, start: 0, end: text.length } };
  });
}

class Overrides {
  readonly #values = new Map<string, Expression>();

  constructor({ defines = [], file, sources }: ModelInput, context: Context, units: readonly Unit[]) {
    const declared = new Set(
      units.flatMap((unit) => (unit.kind === "const" ? unit.names.map(({ text }) => text) : [])),
    );
    const span: Span = { file, start: 0, end: 0 };
    for (const { name, value } of defines) {
      if (!declared.has(name))
        context.error(
          "unknown-constant",
          `\`-D ${name}\`: the model has no constant \`${name}\``,
          span,
          `its constants are: ${[...declared].join(", ") || "none"}`,
        );
      else if (value === undefined)
        context.error(
          "constant-without-value",
          `\`-D ${name}\` gives no value`,
          span,
          `write \`-D ${name}=VALUE\``,
        );
      else {
        const source = `-D ${name}`;
        sources.add(source, value);
        const expression = parseExpression(source, value, context.report);
        if (expression) this.#values.set(name, expression);
      }
    }
  }

  valueOf(name: string): Expression | undefined {
    return this.#values.get(name);
  }
}

/**
 * `NAME#2` for each argument that can be undefined: `undefined` itself, or a variable, which is copied without a check.
 * Names bound only by quantifiers and constants always have a value.
 */
function undefinedArguments(units: readonly Unit[]): ReadonlySet<string> {
  const nodes = [...nodesIn(units)];
  const variables = new Set(
    nodes
      .filter(({ kind, isVar }) => kind === "var" || isVar !== undefined)
      .flatMap(({ names = [] }) => names.map(({ text }) => text)),
  );
  const canBeUndefined = ({ kind, name }: SyntaxNode): boolean =>
    kind === "undefined" || (kind === "designator" && name !== undefined && variables.has(name.text));
  return new Set(
    nodes
      .filter(({ kind }) => kind === "call")
      .flatMap(({ name, arguments: given = [] }) =>
        given.flatMap((argument, i) => (name && canBeUndefined(argument) ? [`${name.text}#${i}`] : [])),
      ),
  );
}

/** Optional fields of any syntax node. */
interface SyntaxNode {
  readonly kind?: string;
  readonly name?: Name;
  readonly names?: readonly Name[];
  /** On formal parameters. */
  readonly isVar?: boolean;
  readonly arguments?: readonly SyntaxNode[];
}

function* nodesIn(units: readonly Unit[]): Generator<SyntaxNode> {
  const pending: unknown[] = [...units];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== "object" || next === null) continue;
    yield next;
    pending.push(...Object.values(next));
  }
}
