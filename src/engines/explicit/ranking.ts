/**
 * Ranks waiting states: the lowest rank comes next. A state is ranked once, when it is found.
 *
 * The novelty heuristics follow implementation-level checking (Musuvathi, Park, Chou, Engler, Dill: CMC, 2002).
 */
import type { Guide, Words } from "../../model/index.js";
import type { Ledger } from "./ledger.js";
import { Tally } from "./tally.js";

export interface Ranking {
  /** Reserves room to rank `states` states of `width` words; false without memory. */
  reserve(states: number, width: number): boolean;
  /** `depth`: length of the path on which the state was found. */
  rank(state: Words, depth: number): number;
}

/** Prefers states with the rarest value of the guide, the nearest among them first. */
export class AbstractNovelty implements Ranking {
  readonly #guide: Guide;
  readonly #seen: Tally;

  constructor(guide: Guide, ledger: Ledger) {
    this.#guide = guide;
    this.#seen = new Tally(ledger);
  }

  reserve(states: number): boolean {
    return this.#seen.reserve(states);
  }

  rank(state: Words, depth: number): number {
    const text = this.#guide.abstract(state, 0);
    // A collision of both hashes merges two counts: it affects the order, not the verdict.
    const times = this.#seen.count(hashOf(text, FIRST), hashOf(text, SECOND));
    return times * DEPTHS + Math.min(depth, DEPTHS - 1);
  }
}

/** Prefers states with rare values: each word adds the rarity of its value at that position. */
export class ValueNovelty implements Ranking {
  readonly #seen: Tally;

  constructor(ledger: Ledger) {
    this.#seen = new Tally(ledger);
  }

  reserve(states: number, width: number): boolean {
    return this.#seen.reserve(states * width);
  }

  rank(state: Words): number {
    let score = 0;
    for (let word = 0; word < state.length; word++) score += 1 / (1 + this.#seen.count(word, state[word]!));
    return -score;
  }
}

/** The same seed gives the same order (mulberry32). */
export class RandomRanking implements Ranking {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  reserve(): boolean {
    return true;
  }

  rank(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  }
}

/** Depths beyond this one count as equal. Counts are below 2^31, so a rank fits a double. */
const DEPTHS = 2 ** 20;

/** Odd multipliers without regular bit patterns. */
const FIRST = 0x9e3779b1;
const SECOND = 0x5f356495;

function hashOf(text: string, multiplier: number): number {
  let hash = text.length;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), multiplier);
  return hash;
}
