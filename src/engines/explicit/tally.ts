/**
 * Counts keys of two words, in a hash table with open addressing that grows as the ledger allows: a `Map` takes several times
 * the memory, and ends at 2^24 keys.
 *
 *     cells   three words a key: its two, and its count; zero: the cell is free
 */
import type { Ledger } from "./ledger.js";

export class Tally {
  readonly #ledger: Ledger;
  #cells: Int32Array = new Int32Array(0);
  /** Cells less one: their number is a power of two. */
  #mask = -1;
  #keys = 0;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  get keys(): number {
    return this.#keys;
  }

  /** Reserves room for `more` keys; false without memory. */
  reserve(more: number): boolean {
    let cells = this.#mask + 1;
    if (4 * (this.#keys + more) <= 3 * cells) return true;
    while (4 * (this.#keys + more) > 3 * cells) cells = Math.max(LEAST, 2 * cells);
    const larger = this.#ledger.allocate(WORDS * cells);
    if (!larger) return false;
    const before = this.#cells;
    this.#cells = larger;
    this.#mask = cells - 1;
    for (let at = 0; at < before.length; at += WORDS)
      if (before[at + TIMES] !== 0)
        larger.set(before.subarray(at, at + WORDS), this.#find(before[at]!, before[at + 1]!));
    this.#ledger.free(before);
    return true;
  }

  /** Counts the key, for which there is room; how often it was counted before. */
  count(first: number, second: number): number {
    const cells = this.#cells;
    const at = this.#find(first, second);
    const times = cells[at + TIMES]!;
    if (times === 0) {
      cells[at] = first;
      cells[at + 1] = second;
      this.#keys++;
    }
    // There are fewer states than that.
    cells[at + TIMES] = times + 1;
    return times;
  }

  #find(first: number, second: number): number {
    const cells = this.#cells;
    for (let cell = mixed(first, second) & this.#mask; ; cell = (cell + 1) & this.#mask) {
      const at = WORDS * cell;
      if (cells[at + TIMES] === 0 || (cells[at] === first && cells[at + 1] === second)) return at;
    }
  }
}

const WORDS = 3;
const TIMES = 2;
const LEAST = 1 << 8;

/** The finaliser of MurmurHash3 (Appleby 2011), for each word. */
function mixed(first: number, second: number): number {
  return spread(spread(first) + second);
}

function spread(word: number): number {
  const a = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const b = Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return b ^ (b >>> 16);
}
