import type { Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import type { Expression, Formula, Unit } from "./ast.js";
import { MurphiGrammar } from "./grammar.js";
import { lex, type Token } from "./lexer.js";
import { checkNesting } from "./limits.js";
import type { Dialect } from "./lower/context.js";

/** After errors, returns the units that could be parsed. */
export function parseMurphi(file: string, text: string, dialect: Dialect, report: Report): readonly Unit[] {
  const tokens = lex(file, text, report);
  if (dialect === "cmurphi") refuseSpellings(tokens, report);
  const tooDeep = checkNesting(tokens);
  if (tooDeep) {
    report(tooDeep);
    return [];
  }
  return grammar().parseUnits(tokens, { file, start: text.length, end: text.length }, report);
}

export const parseExpression = (file: string, text: string, report: Report): Expression | undefined =>
  parseAlone(file, text, report, (tokens, end) => grammar().parseExpression(tokens, end, report));

export function parseFormula(file: string, text: string, report: Report): Formula | undefined {
  let hasMistakes = false;
  const noteErrors: Report = (diagnostic) => {
    hasMistakes ||= diagnostic.severity === "error";
    report(diagnostic);
  };
  const parse = (tokens: readonly Token[], end: Span): Formula | undefined =>
    grammar().parseFormula(tokens, end, noteErrors);
  const formula = parseAlone(file, text, noteErrors, parse);
  return hasMistakes ? undefined : formula;
}

function parseAlone<T>(
  file: string,
  text: string,
  report: Report,
  parse: (tokens: readonly Token[], end: Span) => T | undefined,
): T | undefined {
  const tokens = lex(file, text, report);
  const tooDeep = checkNesting(tokens);
  if (tooDeep) return void report(tooDeep);
  return parse(tokens, { file, start: text.length, end: text.length });
}

/** Reports spellings that only Rumur accepts. */
function refuseSpellings(tokens: readonly Token[], report: Report): void {
  for (const { image, span } of tokens)
    if (/^(==|&&|\|\||0[xX].*|[^ -~].*)$/.test(image))
      report({
        code: "murphi/not-in-dialect",
        severity: "error",
        message: `CMurphi does not read \`${image}\``,
        span,
        hint: "leave `--dialect cmurphi` out",
      });
}

let shared: MurphiGrammar | undefined;

/** Constructed on first use: the analysis of the grammar takes milliseconds. */
function grammar(): MurphiGrammar {
  shared ??= new MurphiGrammar();
  return shared;
}
