/**
 * Macro definitions and their expansion, on tokens.
 *
 * The algorithm uses the hide sets of the C standard's rationale: a token from a macro is never replaced by that macro
 * again, so expansion terminates. Tokens of a macro's body have the position of the macro's use; tokens of arguments
 * keep theirs.
 */
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import { mergeSpans } from "../toolkit/source-token.js";
import type { MacroUse } from "./ast.js";
import { lex } from "./lexer.js";
import { Token, type HideSet } from "./token.js";
import { nth, entryOf, lastOf } from "../../model/known.js";

export interface Macro {
  readonly name: string;
  /** Absent for a macro without parameter list; `#define f() …` has an empty one. */
  readonly parameters?: readonly string[];
  readonly body: readonly Token[];
  /** The name in the definition; absent if defined on the command line. */
  readonly definedAt?: Span;
}

/** The macro that the code at a span comes from, keyed by the span object that all tokens of one use share. */
export type MacroUses = Map<Span, MacroUse>;

/** Bounds the memory of macros with exponential expansion. */
const MAX_EXPANDED_TOKENS = 1_000_000;

/** Most nested calls in arguments: expansion recurses over them. */
const MAX_CALL_DEPTH = 200;

export class MacroExpander {
  readonly uses: MacroUses = new Map();
  readonly #macros: Map<string, Macro>;
  #budget = MAX_EXPANDED_TOKENS;
  #depth = 0;
  #isTooLarge = false;

  constructor(
    readonly report: Report,
    macros: ReadonlyMap<string, Macro> = new Map(),
  ) {
    this.#macros = new Map(macros);
  }

  get macros(): ReadonlyMap<string, Macro> {
    return this.#macros;
  }

  get(name: string): Macro | undefined {
    return this.#macros.get(name);
  }

  define(macro: Macro): void {
    this.#macros.set(macro.name, macro);
  }

  undefine(name: string): void {
    this.#macros.delete(name);
  }

  expand(tokens: readonly Token[]): Token[] {
    if (this.#macros.size === 0) return tokens as Token[];
    if (this.#depth >= MAX_CALL_DEPTH) this.#giveUp();
    this.#depth++;
    const out: Token[] = [];
    // Remaining input in reverse: an expansion is pushed back for rescanning.
    const pending = tokens.toReversed();
    for (let token = pending.pop(); token; token = pending.pop()) {
      const macro = token.lexical === "identifier" ? this.#macros.get(token.image) : undefined;
      if (!macro || isHidden(token.hidden, macro.name) || this.#budget < 0) out.push(token);
      else this.#replace(token, macro, pending, out);
    }
    this.#depth--;
    return out;
  }

  /** Whether the limit was exceeded; the tokens are then unusable. */
  get isTooLarge(): boolean {
    return this.#isTooLarge;
  }

  /** Stops expansion after an error, which the rest would only repeat. */
  #giveUp(): void {
    this.#budget = -1;
  }

  #replace(token: Token, macro: Macro, pending: Token[], out: Token[]): void {
    if (!macro.parameters) return this.#pushBack(token, token.span, macro, new Map(), pending);
    if (!pending.at(-1)?.is("(")) {
      out.push(token);
      return;
    }
    const call = readArguments(pending);
    if (!call) return this.#reportOpenCall(token, macro);
    const use = mergeSpans(token.span, call.close.span);
    const actuals = matchArguments(macro, call.values);
    if (actuals) return this.#pushBack(token, use, macro, actuals, pending);
    this.report({
      code: "promela/macro-arguments",
      severity: "error",
      message: `macro \`${macro.name}\` takes ${count(macro.parameters.length)}, found ${call.values.length}`,
      span: use,
      notes: definitionNote(macro),
    });
    out.push(placeholder(token, use));
  }

  #pushBack(
    name: Token,
    use: Span,
    macro: Macro,
    actuals: ReadonlyMap<string, readonly Token[]>,
    pending: Token[],
  ): void {
    const span = this.#useSpan(use, macro);
    const hidden = { name: macro.name, rest: name.hidden };
    const expansion = this.#substitute(macro, actuals, span, hidden);
    if (expansion[0]) {
      expansion[0].newlineBefore = name.newlineBefore;
      expansion[0].spaceBefore = name.spaceBefore;
    } else if (name.newlineBefore && pending.length > 0) {
      const next = lastOf(pending);
      pending[pending.length - 1] = next.at(next.span, next.frame);
      lastOf(pending).newlineBefore = true;
    }
    this.#budget -= expansion.length;
    if (this.#budget < 0) this.#reportExplosion(use, macro);
    for (let i = expansion.length - 1; i >= 0; i--) pending.push(nth(expansion, i));
  }

  /** One span object for all tokens of the use; a use inside another macro belongs to the outer one. */
  #useSpan(use: Span, macro: Macro): Span {
    if (this.uses.has(use)) return use;
    const span = { ...use };
    this.uses.set(span, { name: macro.name, definedAt: macro.definedAt });
    return span;
  }

  #substitute(
    macro: Macro,
    actuals: ReadonlyMap<string, readonly Token[]>,
    use: Span,
    hidden: HideSet,
  ): Token[] {
    const out: Token[] = [];
    const { body } = macro;
    for (let i = 0; i < body.length; i++) {
      const token = nth(body, i);
      const actual = actuals.get(token.image);
      if (token.is("#") && macro.parameters && actuals.has(body[i + 1]?.image ?? "")) {
        out.push(stringify(entryOf(actuals, nth(body, ++i).image), use));
      } else if (token.is("##") && i > 0 && i + 1 < body.length) {
        const next = nth(body, ++i);
        paste(out, actuals.get(next.image) ?? [placed(next, use, hidden)], use, hidden);
      } else if (actual && token.lexical === "identifier") {
        const isPasted = body[i + 1]?.is("##");
        for (const each of isPasted ? actual : this.expand(actual)) out.push(asArgument(each, hidden));
      } else {
        out.push(placed(token, use, hidden));
      }
    }
    return out;
  }

  #reportOpenCall(token: Token, macro: Macro): void {
    this.report({
      code: "promela/macro-arguments",
      severity: "error",
      message: `the arguments of macro \`${macro.name}\` are never closed`,
      span: token.span,
      hint: "add the closing `)`",
      notes: definitionNote(macro),
    });
    this.#giveUp();
  }

  #reportExplosion(use: Span, macro: Macro): void {
    this.#isTooLarge = true;
    this.report({
      code: "promela/expansion-too-large",
      severity: "error",
      message: `macros expand to more than ${MAX_EXPANDED_TOKENS} tokens, or ${MAX_CALL_DEPTH} levels deep`,
      span: use,
      notes: definitionNote(macro),
    });
  }
}

/** Replaces an invalid use, so that the enclosing statement parses: `skip` is a value and a statement. */
function placeholder(name: Token, use: Span): Token {
  const token = new Token("identifier", "skip", use);
  token.newlineBefore = name.newlineBefore;
  return token;
}

function isHidden(hidden: HideSet | undefined, name: string): boolean {
  for (let set = hidden; set; set = set.rest) if (set.name === name) return true;
  return false;
}

/** Takes `( a, b )` from the pending tokens; takes none if the parenthesis is never closed. */
function readArguments(pending: Token[]): { values: Token[][]; close: Token } | undefined {
  const values: Token[][] = [[]];
  let depth = 0;
  for (let i = pending.length - 1; i >= 0; i--) {
    const token = nth(pending, i);
    if (token.is("(") && depth++ === 0) continue;
    if (token.is(")") && --depth === 0) {
      pending.length = i;
      return { values, close: token };
    }
    if (token.is(",") && depth === 1) values.push([]);
    else lastOf(values).push(token);
  }
  return undefined;
}

function matchArguments(macro: Macro, values: Token[][]): Map<string, Token[]> | undefined {
  const parameters = macro.parameters ?? [];
  const isEmptyCall = parameters.length === 0 && values.length === 1 && nth(values, 0).length === 0;
  if (!isEmptyCall && values.length !== parameters.length) return undefined;
  return new Map(parameters.map((parameter, i) => [parameter, nth(values, i)]));
}

function placed(token: Token, use: Span, hidden: HideSet): Token {
  const copy = token.at(use, use);
  copy.newlineBefore = false;
  copy.hidden = hidden;
  return copy;
}

/**
 * An argument keeps its position. Its line breaks no longer count, because the preprocessor joins the lines of a call.
 */
function asArgument(token: Token, hidden: HideSet): Token {
  const copy = token.at(token.span, token.frame);
  copy.newlineBefore = false;
  copy.hidden = joined(token.hidden, hidden);
  return copy;
}

function joined(a: HideSet | undefined, b: HideSet): HideSet {
  if (!a) return b;
  let set = a;
  for (let each: HideSet | undefined = b; each; each = each.rest) {
    if (!isHidden(set, each.name)) set = { name: each.name, rest: set };
  }
  return set;
}

function stringify(tokens: readonly Token[], use: Span): Token {
  const text = tokens.map((t, i) => (i > 0 && t.spaceBefore ? " " : "") + t.image).join("");
  return new Token("string", `"${text.replace(/["\\]/g, "\\$&")}"`, use);
}

/** `a ## b`: joins the last token and the first of the operand, and lexes the result. */
function paste(out: Token[], operand: readonly Token[], use: Span, hidden: HideSet): void {
  const left = out.pop();
  const text = (left?.image ?? "") + (operand[0]?.image ?? "");
  for (const token of lex(use.file, text, () => undefined)) out.push(placed(token, use, hidden));
  for (const token of operand.slice(1)) out.push(asArgument(token, hidden));
}

const count = (n: number): string => `${n} argument${n === 1 ? "" : "s"}`;

const definitionNote = (macro: Macro): Diagnostic["notes"] =>
  macro.definedAt ? [{ span: macro.definedAt, message: `\`${macro.name}\` is defined here` }] : [];
