/**
 * What the parsers of all our languages share, on top of Chevrotain: feeding of our own tokens, spans, error
 * messages in our words, and recovery.
 *
 * Recovery is ours, not Chevrotain's: a grammar wraps what may fail in `attempt` and says how to find the next
 * place to go on from. One broken statement then gives one diagnostic, the parser is cheaper to
 * construct (no follow sets), and no token is ever made up.
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
import { spanBetween, type SourceToken } from "./source-token.js";

/** After so many syntax errors the rest would only bury the first ones. */
const MAX_SYNTAX_ERRORS = 50;

export abstract class SourceParser extends EmbeddedActionsParser {
  /** Where the input ends: stands in for the position of the token that is missing there. */
  protected end: Span = { file: "", start: 0, end: 0 };
  #report: (diagnostic: Diagnostic) => void = () => undefined;
  #errorCount = 0;

  constructor(vocabulary: readonly TokenType[], options: { readonly validate?: boolean } = {}) {
    super([...vocabulary], {
      recoveryEnabled: false,
      maxLookahead: 1, // the grammars decide what needs more by gates: analysis then takes milliseconds
      skipValidations: !options.validate,
      errorMessageProvider: MESSAGES,
    });
  }

  /** Parses `tokens` by one rule; all that is left after it is an error too. */
  protected parseWith<T>(
    rule: () => T,
    tokens: readonly SourceToken[],
    end: Span,
    report: (diagnostic: Diagnostic) => void,
  ): T {
    this.input = tokens as SourceToken[];
    this.end = end;
    this.#report = report;
    this.#errorCount = 0;
    const result = rule.call(this);
    this.#errorCount -= this.errors.length; // counted when they were thrown, and now reported
    for (const error of this.errors) {
      const diagnostic = this.describe(error);
      if (diagnostic) this.report(diagnostic);
    }
    return result;
  }

  /** What to tell the user about an error: languages add hints, or say nothing where something was said already. */
  protected describe(error: IRecognitionException): Diagnostic | undefined {
    const token = this.tokenOf(error.token);
    const span = token ? token.span : this.end;
    return { code: "syntax", severity: "error", message: error.message, span };
  }

  /** Runs `parse`; if it fails, `recover` skips to where parsing can go on and the result is undefined. */
  protected attempt<T>(parse: () => T, recover: () => void): T | undefined {
    try {
      return parse();
    } catch (error) {
      if (!isRecognitionException(error as Error)) throw error;
      if (this.#countError()) recover();
      return undefined;
    }
  }

  /** For complaints of the grammar itself. */
  protected report(diagnostic: Diagnostic): void {
    if (diagnostic.severity !== "error" || this.#countError()) this.#report(diagnostic);
  }

  /** False when there are too many: then nothing more is read. */
  #countError(): boolean {
    if (++this.#errorCount <= MAX_SYNTAX_ERRORS) return true;
    this.skipWhile(() => true);
    return false;
  }

  /** Skips tokens while `goesOn` says so, up to the end of the input. */
  protected skipWhile(goesOn: (next: IToken) => boolean): void {
    for (let next = this.LA(1); this.tokenOf(next) && goesOn(next); next = this.LA(1)) this.SKIP_TOKEN();
  }

  /** The text from `first` to the last token that was consumed. */
  protected spanFrom(first: IToken): Span {
    const start = this.tokenOf(first);
    const last = this.tokenOf(this.LA(0));
    if (!start) return this.end;
    return last && last.startOffset >= 0 ? spanBetween(start, last) : start.span;
  }

  /** "`x`", "the end of the file", …, for messages. */
  protected found(token: IToken): string {
    return found(token);
  }

  /** Undefined for the end of the input, which has no place. */
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
  return `${labels.slice(0, -1).join(", ")} or ${labels.at(-1)!}`;
}

/** `ERR_MSG` in a grammar names what was expected, in the user's words. */
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
