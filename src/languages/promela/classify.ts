/**
 * Assigns grammar types to tokens.
 *
 * As in Spin, a name is an mtype constant, typedef or proctype from its declaration on. In formulas (which Spin parses
 * last) and claims, declarations of the whole file count. Inside `ltl { … }` some words and operators are temporal.
 */
import type { TokenType } from "chevrotain";
import type { Report } from "../toolkit/diagnostics.js";
import type { Token } from "./token.js";
import * as v from "./vocabulary.js";
import { known, nth } from "../../model/known.js";
import { typeIndex } from "../toolkit/source-token.js";

/** Names declared in the model, for an expression parsed separately. */
export type KnownNames = ReadonlyMap<string, TokenType>;

export function classify(tokens: readonly Token[], report: Report): void {
  new Classifier(tokens, report).run();
}

/** Classifies a separate expression or, if `isFormula`, a temporal formula. */
export function classifyAlone(
  tokens: readonly Token[],
  names: KnownNames,
  isFormula: boolean,
  report: Report,
): void {
  const classifier = new Classifier(tokens, report, names);
  if (isFormula) classifier.formula(0, tokens.length);
  else classifier.run();
}

class Classifier {
  readonly #names: Map<string, TokenType>;
  #unknown = 0;
  #isInForHead = false;

  constructor(
    readonly tokens: readonly Token[],
    readonly report: Report,
    names: KnownNames = new Map(),
  ) {
    this.#names = new Map(names);
  }

  run(): void {
    const late: [number, number][] = [];
    for (let i = 0; i < this.tokens.length;) {
      const token = nth(this.tokens, i);
      const end = token.is("ltl") || token.is("never") ? endOfUnit(this.tokens, i) : 0;
      if (end > 0) {
        late.push([i, end]);
        i = end;
        continue;
      }
      this.#set(token, this.#extension(i) ?? this.#plain(token));
      i = this.#declare(i);
    }
    for (const [start, end] of late) this.#lateUnit(start, end);
  }

  formula(start: number, end: number): void {
    for (let i = start; i < end; i++) {
      const token = nth(this.tokens, i);
      const table = token.lexical === "identifier" ? v.FORMULA_WORDS : v.FORMULA_OPERATORS;
      const isField = this.tokens[i - 1]?.is(".") || this.tokens[i - 1]?.is("@");
      const temporal = isField ? undefined : this.#temporal(table, token);
      this.#set(token, temporal ?? this.#extension(i) ?? this.#plain(token));
    }
  }

  #lateUnit(start: number, end: number): void {
    let open = start;
    while (open < end && !nth(this.tokens, open).is("{"))
      this.#set(nth(this.tokens, open), this.#plain(nth(this.tokens, open++)));
    if (nth(this.tokens, start).is("ltl")) return this.formula(open, end);
    for (let i = open; i < end; i++) this.#set(nth(this.tokens, i), this.#plain(nth(this.tokens, i)));
  }

  #temporal(table: ReadonlyMap<string, TokenType>, token: Token): TokenType | undefined {
    return token.lexical === "identifier" || token.lexical === "operator"
      ? table.get(token.image)
      : undefined;
  }

  /** Records the names that `typedef T`, `proctype P` and `mtype { a, b }` declare. Returns the next index. */
  #declare(i: number): number {
    const token = nth(this.tokens, i);
    if (token.lexical !== "identifier" || !this.tokens[i + 1]) return i + 1;
    if (token.is("typedef")) return this.#learn(i + 1, v.TypeNameToken);
    if (token.is("proctype") || token.is("D_proctype")) return this.#learn(i + 1, v.ProcessName);
    if (token.is("mtype")) return this.#learnMtypes(i + 1);
    if (token.tokenType === v.Enum) return this.#learnMtypes(this.#learn(i + 1, v.EnumName));
    return i + 1;
  }

  /** At its declaration, the name itself is a plain name. */
  #learn(i: number, type: TokenType): number {
    const name = nth(this.tokens, i);
    this.#set(name, this.#plain(name));
    if (name.tokenType === v.Name) this.#names.set(name.image, type);
    return i + 1;
  }

  #learnMtypes(start: number): number {
    let i = start;
    const step = (): Token => {
      const token = nth(this.tokens, i++);
      this.#set(token, this.#plain(token));
      return token;
    };
    if (this.tokens[i]?.is(":")) {
      step();
      if (this.tokens[i]?.lexical === "identifier") step();
    }
    if (this.tokens[i]?.is("=")) step();
    if (!this.tokens[i]?.is("{")) return i;
    step();
    const declared: string[] = [];
    while (i < this.tokens.length && !nth(this.tokens, i).is("}") && !nth(this.tokens, i).is(";")) {
      const token = step();
      if (token.tokenType === v.Name) declared.push(token.image);
    }
    for (const name of declared) this.#names.set(name, v.MtypeName);
    return i;
  }

  /**
   * Words of the extensions, recognised by what follows: `enum E = {`, `set s = [`, `refactorby k`, `s.empty(`. Plain Promela has none of
   * these, so it may use the words as names.
   */
  #extension(i: number): TokenType | undefined {
    const token = nth(this.tokens, i);
    if (token.lexical !== "identifier" || this.#names.has(token.image)) return undefined;
    const isBefore = (at: number, text: string): boolean => this.tokens[at]?.is(text) === true;
    if (v.KEYWORDS.has(token.image))
      return isBefore(i - 1, ".") && isBefore(i + 1, "(") && METHODS.has(token.image) ? v.Name : undefined;
    if (this.tokens[i + 1]?.lexical !== "identifier") return undefined;
    switch (token.image) {
      case "enum":
        return isBefore(i + 2, "=") && isBefore(i + 3, "{") ? v.Enum : undefined;
      case "set":
      case "queue":
        return isBefore(i + 2, "=") && isBefore(i + 3, "[") ? v.AbstractType : undefined;
      case "refactorby":
        return v.RefactorBy;
      default:
        return undefined;
    }
  }

  #plain(token: Token): TokenType {
    switch (token.lexical) {
      case "identifier":
        return this.#word(token);
      case "number":
        return this.#number(token);
      case "character":
        return v.CharacterToken;
      case "string":
        return v.StringToken;
      case "embeddedC":
        return v.EmbeddedCToken;
      case "operator":
        if (token.is(")") || token.is("{")) this.#isInForHead = false;
        return v.OPERATORS.get(token.image) ?? this.#reportUnknown(token);
      case "unknown":
        return this.#reportUnknown(token);
    }
  }

  /** `in` is a keyword only in the head of a `for`. */
  #word(token: Token): TokenType {
    if (token.is("for")) this.#isInForHead = true;
    if (token.is("in") && !this.#isInForHead) return v.Name;
    return v.KEYWORDS.get(token.image) ?? this.#names.get(token.image) ?? v.Name;
  }

  #number(token: Token): TokenType {
    if (/^\d+$/.test(token.image)) return v.NumberToken;
    const value = Number(token.image);
    this.report({
      code: "promela/bad-number",
      severity: "error",
      message: `\`${token.image}\` is not a number of Promela`,
      span: token.span,
      hint: Number.isInteger(value) ? `write ${value}` : "numbers are decimal, and names start with a letter",
    });
    return v.NumberToken;
  }

  /** Limits the diagnostics about a binary file. */
  #reportUnknown(token: Token): TokenType {
    if (++this.#unknown <= MAX_UNKNOWN) {
      this.report({
        code: "promela/unknown-character",
        severity: "error",
        message: `${printable(token.image)} has no meaning in Promela`,
        span: token.span,
      });
    }
    return v.Unknown;
  }

  #set(token: Token, type: TokenType): void {
    token.tokenType = type;
    token.tokenTypeIdx = typeIndex(type);
  }
}

/** Methods of sets and queues. */
export const METHODS: ReadonlySet<string> = new Set(
  "insert erase find push pop front empty full len".split(" "),
);

/** Are there sets or queues, or calls of methods? */
export const usesAbstract = (tokens: readonly Token[]): boolean =>
  tokens.some(
    ({ tokenType, image }, i) =>
      tokenType === v.AbstractType ||
      (METHODS.has(image) && tokens[i - 1]?.is(".") === true && tokens[i + 1]?.is("(") === true),
  );

const MAX_UNKNOWN = 10;

function printable(image: string): string {
  const code = known(image.codePointAt(0), "a character");
  const shown = image.length > 10 ? `${image.slice(0, 10)}…` : image;
  if (code > 32 && code !== 127 && !(code >= 0xd800 && code <= 0xdfff)) return `\`${shown}\``;
  return `character U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Index after the closing brace of the unit, or 0 if it has no body. */
function endOfUnit(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let i = start; i < tokens.length; i++) {
    if (nth(tokens, i).is("{")) depth++;
    else if (nth(tokens, i).is("}") && --depth <= 0) return i + 1;
    else if (depth === 0 && i - start > 2) return 0;
  }
  return depth > 0 ? tokens.length : 0;
}
