/**
 * The token types of a language: each of its words and signs said once, with what the grammar calls it and how it is written.
 * Our own lexers make the tokens: Chevrotain needs types, not patterns.
 */
import { createToken, Lexer, type TokenType } from "chevrotain";

/** A type of token, with what it is called in messages. */
export const tokenType = (name: string, label: string, ...categories: TokenType[]): TokenType =>
  createToken({ name, label, categories, pattern: Lexer.NA });

/** Of a word; it also counts as what the categories say. */
export const wordType = (text: string, ...categories: TokenType[]): TokenType =>
  tokenType(`Word_${text}`, `\`${text}\``, ...categories);

/** Its members can be taken out: `const { word, sign } = new Vocabulary()`. */
export class Vocabulary {
  readonly words = new Map<string, TokenType>();
  /** In the order in which they are declared: a lexer that tries them one by one needs longer ones first. */
  readonly signs = new Map<string, TokenType>();

  readonly word = (text: string, ...categories: TokenType[]): TokenType => {
    const made = wordType(text, ...categories);
    this.words.set(text, made);
    return made;
  };

  /** Of several spellings messages show the first. */
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

  /** All words and signs. */
  get types(): ReadonlySet<TokenType> {
    return new Set([...this.words.values(), ...this.signs.values()]);
  }
}
