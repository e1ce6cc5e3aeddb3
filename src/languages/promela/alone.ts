/** Expressions and formulas from the command line: `--invariant`, `--ltl`. */
import type { TokenType } from "chevrotain";
import { hasErrors, type Diagnostic, type Sources } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import type { Expression, Formula, PromelaModel } from "./ast.js";
import type { ModelInfo } from "./check.js";
import { expandAlone } from "./abstract/expand.js";
import { Context } from "./check/context.js";
import { checkExpression } from "./check/expressions.js";
import { CIRCLE, checkFormula } from "./check/model.js";
import { classifyAlone } from "./classify.js";
import { foldEmbeddedC } from "./embedded-c.js";
import { grammar } from "./front.js";
import { lex } from "./lexer.js";
import { checkNesting } from "./limits.js";
import { MacroExpander } from "./macros.js";
import type { Token } from "./token.js";
import { MtypeName, ProcessName, TypeNameToken } from "./vocabulary.js";

export interface AloneInput {
  readonly text: string;
  /** Name of the text in diagnostics, such as `--invariant`. */
  readonly label: string;
  readonly model: PromelaModel;
  /** Facts of the model, which has no errors. */
  readonly info: ModelInfo;
  readonly sources: Sources;
}

export interface AloneResult<T> {
  /** Undefined if there are errors. */
  readonly value: T | undefined;
  /** Symbols of the model, and facts about the nodes of `value` only. */
  readonly info: ModelInfo;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses an expression over global variables, macros and remote references of the model. */
export function parseExpressionAlone(input: AloneInput): AloneResult<Expression> {
  return parseAlone(
    input,
    false,
    (tokens, end, report) => grammar().parseExpression(tokens, end, report),
    check,
  );
}

/** Parses a temporal formula, as in `ltl { … }`. */
export function parseFormulaAlone(input: AloneInput): AloneResult<Formula> {
  return parseAlone(
    input,
    true,
    (tokens, end, report) => grammar().parseFormula(tokens, end, report),
    checkFormula,
  );
}

const check = (context: Context, expression: Expression): void => void checkExpression(context, expression);

type Parse<T> = (tokens: readonly Token[], end: Diagnostic["span"], report: Report) => T | undefined;

function parseAlone<T extends Expression | Formula>(
  input: AloneInput,
  isFormula: boolean,
  parse: Parse<T>,
  checkPart: (context: Context, part: T) => void,
): AloneResult<T> {
  const context = contextOf(input, isFormula);
  const report = (diagnostic: Diagnostic): void => void context.diagnostics.push(diagnostic);
  const tokens = tokensOf(input, isFormula, report);
  const end = { file: input.label, start: input.text.length, end: input.text.length };
  const tooDeep = checkNesting(tokens);
  if (tooDeep) report(tooDeep);
  const parsed = tooDeep ? undefined : parse(tokens, end, report);
  const { abstracts } = input.model;
  const part = parsed && abstracts ? expandAlone(parsed, abstracts, report) : parsed;
  if (part && !hasErrors(context.diagnostics)) checkPart(context, part);
  const value = hasErrors(context.diagnostics) ? undefined : part;
  return { value, info: context.info, diagnostics: context.diagnostics };
}

function tokensOf(input: AloneInput, isFormula: boolean, report: Report): readonly Token[] {
  input.sources.add(input.label, input.text);
  const expander = new MacroExpander(report, input.model.macros);
  const tokens = foldEmbeddedC(expander.expand(lex(input.label, input.text, report)));
  const names = new Map<string, TokenType>();
  for (const name of input.info.typedefs.keys()) names.set(name, TypeNameToken);
  for (const name of input.info.mtypes.keys()) names.set(name, MtypeName);
  for (const { unit, name } of input.info.processes)
    if (unit.kind === "proctype") names.set(name, ProcessName);
  classifyAlone(tokens, names, isFormula, report);
  return tokens;
}

function contextOf({ model, info }: AloneInput, isFormula: boolean): Context {
  const context = new Context(model, CIRCLE);
  for (const symbol of info.globals) {
    context.globals.set(symbol.name, symbol);
    context.active.add(symbol);
    context.info.globals.push(symbol);
  }
  for (const [name, symbol] of info.typedefs) context.info.typedefs.set(name, symbol);
  for (const [name, symbol] of info.mtypes) context.info.mtypes.set(name, symbol);
  for (const process of info.processes) {
    context.info.processes.push(process);
    if (process.unit.kind === "proctype") context.proctypes.set(process.name, process);
    for (const label of process.labels) context.addLabel(label);
  }
  context.isInFormula = isFormula;
  return context;
}
