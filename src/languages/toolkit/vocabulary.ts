/**
 * Token types of a language: declares each word and sign once, with its name in the grammar and its spelling. The types
 * have no patterns, because lexers create the tokens.
 */
import { createToken, Lexer, type TokenType } from "chevrotain";

/** A token type; `label` is its name in messages. */
export const tokenType = (name: string, label: string, ...categories: TokenType[]): TokenType =>
  createToken({ name, label, categories, pattern: Lexer.NA });

/** The type of a word, which also belongs to the categories. */
export const wordType = (text: string, ...categories: TokenType[]): TokenType =>
  tokenType(`Word_${text}`, `\`${text}\``, ...categories);

/** Members can be destructured: `const { word, sign } = new Vocabulary()`. */
export class Vocabulary {
  readonly words = new Map<string, TokenType>();
  /** In order of declaration: a lexer that tries them in turn needs longer ones first. */
  readonly signs = new Map<string, TokenType>();

  readonly word = (text: string, ...categories: TokenType[]): TokenType => {
    const made = wordType(text, ...categories);
    this.words.set(text, made);
    return made;
  };

  /** Messages use the first spelling. */
  readonly sign = (
    name: string,
    spellings: string | readonly [string, ...string[]],
    ...categories: TokenType[]
  ): TokenType => {
    const all = typeof spellings === "string" ? [spellings] : spellings;
    const made = tokenType(name, `\`${all[0]}\``, ...categories);
    for (const text of all) this.signs.set(text, made);
    return made;
  };

  get types(): ReadonlySet<TokenType> {
    return new Set([...this.words.values(), ...this.signs.values()]);
  }
}
