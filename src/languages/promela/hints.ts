/** Messages and hints for common mistakes. */
import type { Diagnostic } from "../../model/diagnostic.js";
import type { Token } from "./token.js";
import { KEYWORDS } from "./vocabulary.js";

/** `rule`: the grammar rule that failed. */
export function describeSyntaxError(
  base: Diagnostic,
  found: Token | undefined,
  before: Token | undefined,
  rule: string | undefined,
): Diagnostic {
  const hint = hintFor(base.message, found, before, rule);
  return {
    ...base,
    code: found ? "promela/syntax" : "promela/unexpected-end",
    ...(hint ? { hint } : {}),
    notes: originNotes(found),
  };
}

/** `name (` without an inline of this name. */
export function describeCall(name: Token, next: Token): Diagnostic | undefined {
  if (!next.is("(") || name.lexical !== "identifier" || KEYWORDS.has(name.image)) return undefined;
  const { span, image } = name;
  const foreign = FOREIGN.get(image);
  if (foreign) {
    const message = `\`${image}\` is not a keyword of Promela`;
    return { code: "promela/foreign-keyword", severity: "error", message, span, hint: foreign };
  }
  const message = `there is no inline \`${image}\``;
  const hint = "define it with `inline`, or start a process with `run`";
  return { code: "promela/unknown-inline", severity: "error", message, span, hint };
}

/** Calls of inlines that led to a token, innermost first. */
export function originNotes(token: Token | undefined): NonNullable<Diagnostic["notes"]> {
  const notes = [];
  for (let from = token?.expandedFrom; from; from = from.outer) {
    notes.push({ span: from.call, message: `in the body of inline \`${from.inline}\`, called here` });
  }
  return notes;
}

/** Keywords of other languages, with Promela's equivalents. */
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

const WORDS: ReadonlyMap<string, string> = new Map([
  ["and", "write `&&`"],
  ["or", "write `||`"],
  ["not", "write `!`"],
  ["mod", "write `%`"],
  ["div", "write `/`"],
  ["then", "a guard is followed by `->`"],
]);

export const wordHint = (text: string): string | undefined => WORDS.get(text);

export const foreignWord = (text: string): string | undefined => FOREIGN.get(text);

function hintFor(
  message: string,
  found: Token | undefined,
  before: Token | undefined,
  rule: string | undefined,
): string | undefined {
  const word = (found && hintAtWord(found)) ?? (before && FOREIGN.get(before.image));
  if (word) return word;
  if (rule === "field" && before?.is(":")) return "a proctype's name cannot be a label";
  if (rule === "choice" || message.includes("`::`")) return choiceHint(found);
  if (!found) return message.includes("`}`") ? "a closing `}` is missing" : undefined;
  if (found.is("=")) return before && COMPOUND.has(before.image) ? compoundHint(before.image) : ASSIGNMENT;
  if (found.is("if") && before?.is("else")) return "write `:: else -> if … fi`";
  if (before?.is(",") && TYPES.has(found.image)) return "separate parameters of different types by `;`";
  if (message.startsWith("expected a statement")) return "write `skip` for a body that does nothing";
  return HINTS.get(found.image);
}

const hintAtWord = (token: Token): string | undefined => WORDS.get(token.image) ?? FOREIGN.get(token.image);

const ASSIGNMENT = "write `==` to compare; an assignment must be a separate statement";
const COMPOUND = new Set(["+", "-", "*", "/", "%", "&", "|", "^"]);
const compoundHint = (operator: string): string => `write \`x = x ${operator} …\``;

const HINTS: ReadonlyMap<string, string> = new Map([
  ["fi", "there is no open `if` here, or a block inside it is not closed"],
  ["od", "there is no open `do` here, or a block inside it is not closed"],
  ["::", "options belong between `if … fi` or `do … od`"],
  ["?", "a conditional expression is `(condition -> a : b)`"],
  ["++", "`x++` must be a separate statement"],
  ["--", "`x--` must be a separate statement"],
  ["inline", "an inline is defined at the top level: `inline name(a, b) { … }`"],
  ["full", "write `nfull(…)` instead of negating it"],
  ["empty", "write `nempty(…)` instead of negating it"],
]);

function choiceHint(found: Token | undefined): string {
  if (found?.is("(")) return "Promela's `if` has options: `if :: condition -> … :: else -> … fi`";
  if (!found || found.is("}")) return "the selection is not closed: add `fi` (for `if`) or `od` (for `do`)";
  return "each option starts with `::`";
}

const TYPES = new Set(["bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype", "chan"]);
