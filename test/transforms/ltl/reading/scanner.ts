/** Lexical part of the text formats of automata: tokens with positions, and guards. */
import { type Diagnostic } from "../../../../src/model/index.js";
import type { LetterSet, Letters } from "../../../../src/model/letters.js";
import { all, none } from "../../../../src/model/letters.js";
import { ltlError } from "../../../../src/transforms/ltl/mistakes.js";

export interface FormatToken {
  readonly text: string;
  /** The content of a quoted text; otherwise equal to `text`. */
  readonly content: string;
  readonly isQuoted: boolean;
  readonly start: number;
  readonly end: number;
}

/** Aborts parsing; the parser of the format catches it. */
export class FormatMistake extends Error {
  constructor(readonly diagnostic: Diagnostic) {
    super(diagnostic.message);
  }
}

export class Scanner {
  readonly #tokens: readonly FormatToken[];
  readonly #file: string;
  #at = 0;

  /** `word` matches the bare words of the format; comments and blanks are skipped. */
  constructor(text: string, file: string, word: RegExp, comment: RegExp, offset = 0) {
    this.#file = file;
    const pattern = new RegExp(
      `(\\s+|${comment.source})|("(?:\\\\[\\s\\S]|[^"\\\\])*")|(${word.source})|(&&|\\|\\||[^\\s])`,
      "gy",
    );
    const tokens: FormatToken[] = [];
    for (const match of text.matchAll(pattern)) {
      const [whole, blank, quoted] = match;
      if (blank !== undefined) continue;
      const content = quoted === undefined ? whole : quoted.slice(1, -1).replace(/\\([\s\S])/g, "$1");
      const start = match.index + offset;
      const isQuoted = quoted !== undefined;
      tokens.push({ text: whole, content, isQuoted, start, end: start + whole.length });
    }
    const end = text.length + offset;
    tokens.push({ text: "", content: "", isQuoted: false, start: end, end });
    this.#tokens = tokens;
  }

  get next(): FormatToken {
    return this.#tokens[this.#at]!;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length - 1;
  }

  take(): FormatToken {
    const token = this.next;
    if (!this.isAtEnd) this.#at++;
    return token;
  }

  takeIf(text: string): boolean {
    const isIt = this.next.text === text;
    if (isIt) this.take();
    return isIt;
  }

  expect(text: string): void {
    if (!this.takeIf(text)) throw this.unexpected(`'${text}'`);
  }

  number(below = Infinity): number {
    const token = this.next;
    if (!/^\d+$/.test(token.text)) throw this.unexpected("a number");
    if (Number(token.text) >= below)
      throw this.mistake("out-of-range", `${token.text} is not below ${below}`);
    return Number(this.take().text);
  }

  unexpected(wanted: string): FormatMistake {
    const found = this.isAtEnd ? "the text ends" : `'${this.next.text}' stands`;
    return this.mistake("format", `${found} where ${wanted} is expected`);
  }

  mistake(code: string, message: string, token = this.next): FormatMistake {
    return new FormatMistake(
      ltlError(code, message, { file: this.#file, start: token.start, end: token.end }),
    );
  }
}

/** Parses a boolean expression; `atom` parses operands other than constants. */
export function readGuard(
  scanner: Scanner,
  letters: Letters,
  constants: ReadonlyMap<string, boolean>,
  atom: () => LetterSet,
): LetterSet {
  const disjunction = (depth: number): LetterSet => {
    let set = conjunction(depth);
    while (scanner.takeIf("|") || scanner.takeIf("||")) set = letters.or(set, conjunction(depth));
    return set;
  };
  const conjunction = (depth: number): LetterSet => {
    let set = factor(depth);
    while (scanner.takeIf("&") || scanner.takeIf("&&")) set = letters.and(set, factor(depth));
    return set;
  };
  const factor = (depth: number): LetterSet => {
    if (depth > 200) throw scanner.mistake("too-deep", "the guard is nested more than 200 levels deep");
    if (scanner.takeIf("!")) return letters.not(factor(depth + 1));
    if (scanner.takeIf("(")) {
      const set = disjunction(depth + 1);
      scanner.expect(")");
      return set;
    }
    const constant = scanner.next.isQuoted ? undefined : constants.get(scanner.next.text);
    if (constant === undefined) return atom();
    scanner.take();
    return constant ? all : none;
  };
  return disjunction(0);
}
