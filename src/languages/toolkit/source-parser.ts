/**
 * Base of all parsers, on top of Chevrotain: input of `SourceToken`s, spans, error messages in the user's words, and
 * recovery.
 *
 * Replaces Chevrotain's recovery: a grammar wraps fallible parts in `attempt` and skips to the next synchronisation
 * point. An invalid statement then yields one diagnostic, construction is cheaper (no follow sets), and no token is
 * invented.
 */
import {
  EmbeddedActionsParser,
  isRecognitionException,
  type IParserErrorMessageProvider,
  type IRecognitionException,
  type IToken,
  type TokenType,
} from "chevrotain";
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { Report } from "./diagnostics.js";
import { spanBetween, type SourceToken } from "./source-token.js";
import { lastOf } from "../../model/known.js";

/** More syntax errors would obscure the first ones. */
const MAX_SYNTAX_ERRORS = 50;

export interface ParserOptions {
  readonly validate?: boolean;
  /** Code of the diagnostics for syntax errors. */
  readonly code?: string;
}

export interface Named {
  readonly name: string;
  readonly span: Span;
}

export abstract class SourceParser extends EmbeddedActionsParser {
  /** End of the input: the position of errors about missing tokens. */
  protected end: Span = { file: "", start: 0, end: 0 };
  readonly #code: string;
  #report: Report = () => undefined;
  #errorCount = 0;

  constructor(vocabulary: readonly TokenType[], { validate, code = "syntax" }: ParserOptions = {}) {
    super([...vocabulary], {
      recoveryEnabled: false,
      maxLookahead: 1, // gates decide longer lookahead, so that the analysis takes milliseconds
      skipValidations: !validate,
      errorMessageProvider: MESSAGES,
    });
    this.#code = code;
  }

  /** Parses `tokens` with one rule; remaining tokens are an error. */
  protected parseWith<T>(rule: () => T, tokens: readonly SourceToken[], end: Span, report: Report): T {
    this.input = tokens as SourceToken[];
    this.end = end;
    this.#report = report;
    this.#errorCount = 0;
    const result = rule.call(this);
    this.#errorCount -= this.errors.length; // they were counted when thrown
    for (const error of this.errors) {
      const diagnostic = this.describe(error);
      if (diagnostic) this.report(diagnostic);
    }
    return result;
  }

  /** Converts an error to a diagnostic. Languages override it to add hints or to suppress errors already reported. */
  protected describe(error: IRecognitionException): Diagnostic | undefined {
    const token = this.tokenOf(error.token);
    const span = token ? token.span : this.end;
    return { code: this.#code, severity: "error", message: error.message, span };
  }

  /** Runs `parse`; on failure `recover` skips to the next synchronisation point and the result is undefined. */
  protected attempt<T>(parse: () => T, recover: () => void): T | undefined {
    try {
      return parse();
    } catch (error) {
      if (!isRecognitionException(error as Error)) throw error;
      if (this.#countError()) recover();
      return undefined;
    }
  }

  /** Parses parts up to the end of the input or to a token that begins none; omits those that fail. */
  protected each<T>(parse: () => T, recover: () => void): T[] {
    const all: T[] = [];
    this.MANY(() => {
      const part = this.attempt(parse, recover);
      if (part !== undefined) all.push(part);
    });
    return all;
  }

  protected report(diagnostic: Diagnostic): void {
    if (diagnostic.severity !== "error" || this.#countError()) this.#report(diagnostic);
  }

  /** Returns false above the limit and skips the remaining input. */
  #countError(): boolean {
    if (++this.#errorCount <= MAX_SYNTAX_ERRORS) return true;
    this.skipWhile(() => true);
    return false;
  }

  /** Skips tokens while `goesOn` returns true. */
  protected skipWhile(goesOn: (next: IToken) => boolean): void {
    for (let next = this.LA(1); this.tokenOf(next) && goesOn(next); next = this.LA(1)) this.SKIP_TOKEN();
  }

  /** Span from `first` to the last consumed token. */
  protected spanFrom(first: IToken): Span {
    const start = this.tokenOf(first);
    const last = this.tokenOf(this.LA(0));
    if (!start) return this.end;
    return last && last.startOffset >= 0 ? spanBetween(start, last) : start.span;
  }

  protected named(token: IToken): Named {
    return { name: token.image, span: this.tokenOf(token)?.span ?? this.end };
  }

  /** Describes a token for messages: "`x`", "the end of the file". */
  protected found(token: IToken): string {
    return found(token);
  }

  /** Undefined for the end of the input, which has no position. */
  protected tokenOf(token: IToken): SourceToken | undefined {
    return "span" in token ? (token as SourceToken) : undefined;
  }
}

const labelOf = (type: TokenType): string => type.LABEL ?? type.name;

function found(token: IToken | undefined): string {
  if (!token || !("span" in token)) return "the end of the file";
  if ("implied" in token && token.implied) return "the end of the line";
  return `\`${token.image.length > 40 ? `${token.image.slice(0, 40)}…` : token.image}\``;
}

function anyOf(types: readonly TokenType[]): string {
  const labels = [...new Set(types.map(labelOf))];
  if (labels.length > 6) return `${labels.slice(0, 5).join(", ")} or similar`;
  if (labels.length < 2) return labels.join("");
  return `${labels.slice(0, -1).join(", ")} or ${lastOf(labels)}`;
}

/** `ERR_MSG` in a grammar names the expected construct in the user's words. */
const MESSAGES: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected, actual }) =>
    `expected ${labelOf(expected)}, found ${found(actual)}`,
  buildNotAllInputParsedMessage: ({ firstRedundant }) => `unexpected ${found(firstRedundant)}`,
  buildNoViableAltMessage: ({ expectedPathsPerAlt, actual, customUserDescription }) => {
    const first = expectedPathsPerAlt.flat().flatMap((path) => path.slice(0, 1));
    return `expected ${customUserDescription ?? anyOf(first)}, found ${found(actual[0])}`;
  },
  buildEarlyExitMessage: ({ expectedIterationPaths, actual, customUserDescription }) => {
    const first = expectedIterationPaths.flatMap((path) => path.slice(0, 1));
    return `expected ${customUserDescription ?? anyOf(first)}, found ${found(actual[0])}`;
  },
};
