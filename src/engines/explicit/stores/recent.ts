/**
 * Recently met states of a delta store, whole: a chain that reaches one of them ends there, instead of at an explicit state.
 * A state has one place, by the low bits of its number; later states replace earlier ones.
 *
 * Searches revisit recent states: depth-first on the bench models, with room for a thousand states, a comparison undoes fewer
 * than two links where there are 27 on the way to the explicit state (docs/decisions/exact-stores.md).
 */
import type { Ledger } from "../ledger.js";

export class RecentStates {
  /** 0: none yet. */
  ids: Int32Array;
  /** The words of the state at place `p` are from `p * width` on. */
  words: Int32Array;
  /** Upper bound on the links between the state and its explicit state. */
  ways: Int32Array;
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    this.ids = this.words = this.ways = new Int32Array(1); // a state without number: it matches none
  }

  get bytes(): number {
    return this.ids.byteLength + this.words.byteLength + this.ways.byteLength;
  }

  /** Forgets all, and makes room beside a table of that size for states of `width` words. Without memory there is room for one. */
  resize(tableSize: number, width: number): void {
    for (const array of [this.ids, this.words, this.ways]) if (array.length > 1) this.#ledger.free(array);
    const most = Math.max(1, Math.min(MOST_STATES, tableSize / 8, MOST_WORDS / width));
    const size = 2 ** Math.floor(Math.log2(most));
    const [ids, words, ways] = [size, size * width, size].map((length) => this.#ledger.allocate(length));
    for (const array of [ids, words, ways]) if (array && !(ids && words && ways)) this.#ledger.free(array);
    this.ids = (words && ways && ids) ?? new Int32Array(1);
    this.words = (ids && ways && words) ?? new Int32Array(width);
    this.ways = (ids && words && ways) ?? new Int32Array(1);
  }
}

const MOST_STATES = 4096;
/** They should stay in the processor's cache. */
const MOST_WORDS = 2 ** 17;
