/**
 * Expands inlines on tokens before parsing, because Spin substitutes their text.
 *
 * A call `f(a, b)` becomes the body of `f` with its braces: the opening brace has the call (`opensInline`), and both
 * braces have the call's position. Every token of the body has the calls that led to it. Definitions are removed.
 * Unlike in Spin, an inline may be called before it is defined.
 */
import type { Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import { mergeSpans } from "../toolkit/source-token.js";
import type { Expansion } from "./ast.js";
import { Token } from "./token.js";
import { nth, lastOf } from "../../model/known.js";

export function expandInlines(tokens: readonly Token[], report: Report): readonly Token[] {
  const { rest, inlines } = collectDefinitions(tokens, report);
  if (inlines.size === 0) return rest;
  const expander = new InlineExpander(inlines, report);
  expander.expand(rest, undefined, []);
  return expander.isTooLarge ? [] : expander.output;
}

interface Inline {
  readonly name: Token;
  readonly parameters: readonly string[];
  /** Including its braces. */
  readonly body: readonly Token[];
}

const MAX_EXPANDED_TOKENS = 1_000_000;

class InlineExpander {
  readonly output: Token[] = [];
  #budget = MAX_EXPANDED_TOKENS;

  constructor(
    readonly inlines: ReadonlyMap<string, Inline>,
    readonly report: Report,
  ) {}

  /** Whether the limit was exceeded; the output is then unusable. */
  get isTooLarge(): boolean {
    return this.#budget < 0;
  }

  /** `active`: inlines being expanded, outermost first. */
  expand(tokens: readonly Token[], from: Expansion | undefined, active: readonly Inline[]): void {
    for (let i = 0; i < tokens.length; i++) {
      const token = nth(tokens, i);
      const inline = token.lexical === "identifier" ? this.inlines.get(token.image) : undefined;
      if (
        !inline ||
        !tokens[i + 1]?.is("(") ||
        tokens[i - 1]?.is("run") ||
        tokens[i - 1]?.is(".") ||
        this.#budget < 0
      ) {
        this.output.push(token);
        continue;
      }
      const call = readCall(tokens, i);
      if (!call) {
        this.output.push(token);
        continue;
      }
      this.#call(inline, token, call, from, active);
      i = call.last;
    }
  }

  #call(
    inline: Inline,
    name: Token,
    call: Call,
    from: Expansion | undefined,
    active: readonly Inline[],
  ): void {
    if (active.includes(inline))
      return this.#error("recursive-inline", recursion(inline, active), name, inline);
    if (call.arguments.length !== inline.parameters.length) {
      const found = `takes ${inline.parameters.length} arguments, found ${call.arguments.length}`;
      return this.#error("inline-arguments", `inline \`${inline.name.image}\` ${found}`, name, inline);
    }
    const expansion: Expansion = { inline: inline.name.image, call: call.span, outer: from };
    const body = substitute(inline, call, expansion);
    nth(body, 0).opensInline = expansion;
    nth(body, 0).newlineBefore = name.newlineBefore;
    // The braces belong to the caller, so that statements around the call are not attributed to the body.
    nth(body, 0).expandedFrom = lastOf(body).expandedFrom = from;
    this.#budget -= body.length;
    if (this.#budget < 0) return this.#error("expansion-too-large", TOO_LARGE, name, inline);
    this.expand(body, expansion, [...active, inline]);
  }

  #error(code: string, message: string, at: Token, inline: Inline): void {
    const notes = [{ span: inline.name.span, message: `\`${inline.name.image}\` is defined here` }];
    this.report({ code: `promela/${code}`, severity: "error", message, span: at.span, notes });
    this.output.push(emptyStatement(at));
  }
}

const TOO_LARGE = `inlines expand to more than ${MAX_EXPANDED_TOKENS} tokens`;

/** Replaces an invalid call, so that the enclosing statement parses. */
const emptyStatement = (at: Token): Token => {
  const token = new Token("identifier", "skip", at.span, at.frame);
  token.newlineBefore = at.newlineBefore;
  return token;
};

function recursion(inline: Inline, active: readonly Inline[]): string {
  const through = active.slice(active.indexOf(inline) + 1).map((each) => each.name.image);
  const path = through.length > 0 ? ` through ${through.map((name) => `\`${name}\``).join(", ")}` : "";
  return `inline \`${inline.name.image}\` calls itself${path}`;
}

function substitute(inline: Inline, call: Call, expansion: Expansion): Token[] {
  const actuals = new Map(inline.parameters.map((name, i) => [name, nth(call.arguments, i)]));
  const out: Token[] = [];
  const last = inline.body.length - 1;
  inline.body.forEach((token, i) => {
    const actual = token.lexical === "identifier" ? actuals.get(token.image) : undefined;
    if (!actual) {
      // The braces have the position of the call. Each has a separate frame, because tokens that share one are an
      // argument.
      const copy = token.at(token.span, i === 0 || i === last ? { ...call.span } : token.frame);
      copy.expandedFrom = expansion;
      out.push(copy);
      return;
    }
    actual.forEach((each, k) => {
      const copy = each.at(each.span, token.frame);
      copy.newlineBefore = k === 0 && token.newlineBefore;
      copy.expandedFrom = expansion;
      out.push(copy);
    });
  });
  return out;
}

interface Call {
  readonly arguments: Token[][];
  /** Index of the closing parenthesis. */
  readonly last: number;
  readonly span: Span;
}

function readCall(tokens: readonly Token[], name: number): Call | undefined {
  const values: Token[][] = [[]];
  let depth = 0;
  for (let i = name + 1; i < tokens.length; i++) {
    const token = nth(tokens, i);
    // A call never spans statements: an open parenthesis must not consume the rest of the model.
    if (token.is("{") || token.is("}") || token.is(";")) return undefined;
    if ((token.is("(") || token.is("[")) && depth++ === 0) continue;
    if ((token.is(")") || token.is("]")) && --depth === 0) {
      const span = mergeSpans(nth(tokens, name).frame, token.frame);
      return {
        arguments: values.length === 1 && nth(values, 0).length === 0 ? [] : values,
        last: i,
        span,
      };
    }
    if (token.is(",") && depth === 1) values.push([]);
    else lastOf(values).push(token);
  }
  return undefined;
}

interface Definitions {
  readonly rest: readonly Token[];
  readonly inlines: ReadonlyMap<string, Inline>;
}

/** Removes `inline name(parameters) { body }` from the top level. */
function collectDefinitions(tokens: readonly Token[], report: Report): Definitions {
  const inlines = new Map<string, Inline>();
  const rest: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = nth(tokens, i);
    const definition = token.is("inline") ? readDefinition(tokens, i) : undefined;
    if (!definition) {
      rest.push(token);
      continue;
    }
    const { inline } = definition;
    const earlier = inlines.get(inline.name.image);
    if (earlier) {
      report({
        code: "promela/duplicate-inline",
        severity: "error",
        message: `inline \`${inline.name.image}\` is defined twice`,
        span: inline.name.span,
        notes: [{ span: earlier.name.span, message: "first defined here" }],
      });
    }
    inlines.set(inline.name.image, inline);
    i = definition.last;
  }
  return { rest, inlines };
}

/** Undefined if malformed: the parser then reports the `inline`. */
function readDefinition(
  tokens: readonly Token[],
  start: number,
): { inline: Inline; last: number } | undefined {
  const name = tokens[start + 1];
  if (name?.lexical !== "identifier" || !tokens[start + 2]?.is("(")) return undefined;
  const parameters: string[] = [];
  let i = start + 3;
  for (; tokens[i] && !nth(tokens, i).is(")"); i++) {
    if (nth(tokens, i).lexical === "identifier") parameters.push(nth(tokens, i).image);
    else if (!nth(tokens, i).is(",")) return undefined;
  }
  const open = i + 1;
  if (!tokens[open]?.is("{")) return undefined;
  let depth = 0;
  for (i = open; i < tokens.length; i++) {
    if (nth(tokens, i).is("{")) depth++;
    else if (nth(tokens, i).is("}") && --depth === 0) {
      return { inline: { name, parameters, body: tokens.slice(open, i + 1) }, last: i };
    }
  }
  return undefined;
}
