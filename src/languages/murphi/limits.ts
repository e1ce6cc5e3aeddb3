/** Limits on nesting, so that all passes over the tree may recurse. */
import type { Diagnostic } from "../../model/diagnostic.js";
import { TEMPORAL_WORDS } from "./grammar-formulas.js";
import type { Token } from "./lexer.js";
import * as v from "./vocabulary.js";

/** Most enclosing parentheses, brackets and blocks; also most consecutive prefix operators. */
const MAX_NESTING = 150;

/** Most operators in one expression, including enclosing expressions. */
const MAX_OPERATORS = 4000;

/** Diagnostic for the first token that is nested too deeply. */
export function checkNesting(tokens: readonly Token[]): Diagnostic | undefined {
  let depth = 0;
  let prefixes = 0;
  let operators = 0;
  for (const token of tokens) {
    const { tokenType: type } = token;
    const categories = type.CATEGORIES ?? [];
    const isWord = type === v.Identifier && TEMPORAL_WORDS.has(token.image);
    const isPrefix = categories.includes(v.PrefixOperator) || categories.includes(v.TemporalPrefix);
    prefixes = isPrefix || isWord ? prefixes + 1 : 0;
    if (type === v.Semicolon) operators = 0;
    else if (categories.includes(v.BinaryOperatorToken) || categories.includes(v.TemporalOperator) || isWord)
      operators++;
    if (OPENS.has(type)) depth++;
    else if (depth > 0 && (CLOSES.has(type) || (/^end/i.test(token.image) && type !== v.Identifier))) depth--;
    if (depth > MAX_NESTING || prefixes > MAX_NESTING || operators > MAX_OPERATORS)
      return {
        code: "murphi/nesting-too-deep",
        severity: "error",
        message: `this is nested more than ${MAX_NESTING} levels deep, or part of an expression of more than ${MAX_OPERATORS} operators`,
        span: token.span,
        hint: "split it with functions",
      };
  }
  return undefined;
}

const OPENS: ReadonlySet<unknown> = new Set([
  v.LeftParen,
  v.LeftBracket,
  v.LeftBrace,
  v.If,
  v.For,
  v.While,
  v.Switch,
  v.Alias,
  v.Forall,
  v.Exists,
  v.RecordWord,
  v.RuleWord,
  v.Ruleset,
  v.Startstate,
  v.Choose,
  v.FunctionWord,
  v.ProcedureWord,
  v.ArrayWord,
]);
const CLOSES: ReadonlySet<unknown> = new Set([v.RightParen, v.RightBracket, v.RightBrace]);
