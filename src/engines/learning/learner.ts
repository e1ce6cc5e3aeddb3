/**
 * L*: learning of the least automaton of a prefix-closed language from membership queries and counterexamples. Each
 * counterexample adds one suffix, found as Rivest and Schapire do, so the rows of access words differ and the table
 * needs no consistency check.
 */
import { nth } from "../../model/known.js";
import type { Dfa } from "./automata.js";

/** Letters by number. */
export type Word = readonly number[];

export class Learner {
  readonly #letters: number;
  readonly #isMember: (word: Word) => Promise<boolean>;
  readonly #answers = new Map<string, boolean>();
  readonly #access: Word[] = [[]];
  readonly #suffixes: Word[] = [[]];

  constructor(letters: number, isMember: (word: Word) => Promise<boolean>) {
    this.#letters = letters;
    this.#isMember = isMember;
  }

  /** Remembers answers; a word with a prefix outside of the language is outside. */
  async member(word: Word): Promise<boolean> {
    for (let length = word.length - 1; length >= 0; length--) {
      // sound: test/engines/learning/learning.test.ts
      if (this.#answers.get(word.slice(0, length).join()) === false) return false;
    }
    const key = word.join();
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = await this.#isMember(word);
    this.#answers.set(key, answer);
    return answer;
  }

  /**
   * The least automaton that agrees with the table. Suffixes of suffixes are not in the table, so a first automaton may differ from it: the
   * table is then a counterexample.
   */
  async candidate(): Promise<Dfa> {
    for (;;) {
      const dfa = await this.#closed();
      const wrong = await this.#disagreement(dfa);
      // sound: test/engines/learning/learning.test.ts
      if (!wrong) return dfa;
      await this.refine(dfa, wrong);
    }
  }

  async #disagreement({ next, accepting }: Dfa): Promise<Word | undefined> {
    for (const access of this.#access)
      for (const suffix of this.#suffixes) {
        const word = [...access, ...suffix];
        const state = word.reduce((at, letter) => nth(nth(next, at), letter), 0);
        if (nth(accepting, state) !== (await this.member(word))) return word;
      }
    return undefined;
  }

  /** The automaton of the closed table. Access word `i` leads to state `i`. */
  async #closed(): Promise<Dfa> {
    const rows = new Map<string, number>();
    const next: number[][] = [];
    const accepting: boolean[] = [];
    rows.set(await this.#row([]), 0);
    for (let at = 1; at < this.#access.length; at++) rows.set(await this.#row(nth(this.#access, at)), at);
    for (let at = 0; at < this.#access.length; at++) {
      const word = nth(this.#access, at);
      accepting.push(await this.member(word));
      const own: number[] = [];
      for (let letter = 0; letter < this.#letters; letter++) {
        const row = await this.#row([...word, letter]);
        const known = rows.get(row);
        if (known === undefined) rows.set(row, this.#access.push([...word, letter]) - 1);
        own.push(known ?? this.#access.length - 1);
      }
      next.push(own);
    }
    return { next, accepting };
  }

  /** Adds the suffix by which the candidate and the language differ on the word. */
  async refine({ next }: Dfa, word: Word): Promise<void> {
    let state = 0;
    let before = await this.member(word);
    for (let i = 0; i < word.length; i++) {
      state = nth(nth(next, state), nth(word, i));
      const suffix = word.slice(i + 1);
      const after = await this.member([...nth(this.#access, state), ...suffix]);
      if (before !== after) {
        this.#suffixes.push(suffix);
        return;
      }
      before = after;
    }
    throw new Error("the word is not a counterexample of the candidate");
  }

  async #row(word: Word): Promise<string> {
    let row = "";
    for (const suffix of this.#suffixes) row += (await this.member([...word, ...suffix])) ? "1" : "0";
    return row;
  }
}
