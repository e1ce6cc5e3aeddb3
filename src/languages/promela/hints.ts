/** What to say about classic mistakes, beyond "expected this, found that". */
import type { IRecognitionException } from "chevrotain";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { Token } from "./token.js";

export function describeSyntaxError(
  base: Diagnostic,
  found: Token | undefined,
  before: Token | undefined,
  error: IRecognitionException,
): Diagnostic {
  const hint = hintFor(found, before, error);
  return {
    ...base,
    code: found ? "promela/syntax" : "promela/unexpected-end",
    ...(hint ? { hint } : {}),
    notes: originNotes(found),
  };
}

/** The calls of inlines that led to a token, innermost first. */
export function originNotes(token: Token | undefined): NonNullable<Diagnostic["notes"]> {
  const notes = [];
  for (let from = token?.expandedFrom; from; from = from.outer) {
    notes.push({ span: from.call, message: `in the body of inline \`${from.inline}\`, called here` });
  }
  return notes;
}

/** Words of other languages, and what Promela says instead. */
const FOREIGN: ReadonlyMap<string, string> = new Map([
  ["while", "Promela has no `while`: write `do :: condition -> … :: else -> break od`"],
  ["switch", "Promela has no `switch`: write `if :: x == 1 -> … :: else -> … fi`"],
  ["case", "options start with `::`, as in `if :: x == 1 -> … :: else -> … fi`"],
  ["char", "Promela has no `char`: use `byte`"],
  ["long", "Promela has no `long`: use `int`"],
  ["float", "Promela has no floating-point numbers"],
  ["double", "Promela has no floating-point numbers"],
  ["string", "Promela has no strings: use `mtype` constants"],
  ["void", "Promela has no functions: use `inline` or `proctype`"],
  ["struct", "records are declared with `typedef Name { … }`"],
  ["enum", "write `mtype = { a, b }`"],
  ["const", "write `#define NAME value` for a constant"],
  ["elif", "write a further option `::`, or `:: else -> if … fi`"],
  ["elseif", "write a further option `::`, or `:: else -> if … fi`"],
  ["then", "a guard is followed by `->`"],
  ["end", "blocks end with `}`, selections with `fi`, loops with `od`"],
  ["function", "Promela has no functions: use `inline`"],
]);

export const foreignWord = (text: string): string | undefined => FOREIGN.get(text);

function hintFor(
  found: Token | undefined,
  before: Token | undefined,
  error: IRecognitionException,
): string | undefined {
  const foreign = (found && FOREIGN.get(found.image)) ?? (before && FOREIGN.get(before.image));
  if (foreign) return foreign;
  const rule = error.context.ruleStack.at(-1);
  if (rule === "choice") return choiceHint(found);
  if (found?.is("=") && rule !== "declarator")
    return "write `==` to compare; an assignment is a statement of its own";
  if (found?.is("if") && before?.is("else")) return "write `:: else -> if … fi`";
  if (found?.is("inline")) return "an inline is defined at the top level: `inline name(a, b) { … }`";
  if (found?.is("fi") || found?.is("od")) return strayEnd(found.image);
  if (found?.is("::")) return "options belong between `if … fi` or `do … od`";
  if (found?.is("}") && error.message.startsWith("expected a statement"))
    return "write `skip` for a body that does nothing";
  if (found?.is("full") || found?.is("empty")) return `write \`n${found.image}(…)\` instead of negating it`;
  if (before?.is(",") && found && TYPES.has(found.image))
    return "separate parameters of different types by `;`";
  if (!found && error.message.includes("`}`")) return "a closing `}` is missing";
  return undefined;
}

function choiceHint(found: Token | undefined): string {
  if (found?.is("(")) return "Promela's `if` has options: `if :: condition -> … :: else -> … fi`";
  if (!found || found.is("}")) return "the selection is not closed: add `fi` (for `if`) or `od` (for `do`)";
  return "each option starts with `::`";
}

const strayEnd = (word: string): string =>
  `there is no open \`${word === "fi" ? "if" : "do"}\` here, or a block inside it is not closed`;

const TYPES = new Set(["bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype", "chan"]);
