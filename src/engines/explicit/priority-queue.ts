/**
 * Numbers with ranks, the lowest rank first; of equals the lowest number. A binary heap in two flat arrays that grow as the ledger allows:
 * 12 bytes for each number that waits.
 */
import type { Ledger } from "./ledger.js";
import { withRoom } from "./room.js";

export class PriorityQueue {
  readonly #ledger: Ledger;
  #items: Int32Array = new Int32Array(0);
  /** Two words each. */
  #rankWords: Int32Array = new Int32Array(0);
  #ranks: Float64Array = new Float64Array(0);
  #size = 0;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  get size(): number {
    return this.#size;
  }

  /** Reserves room for `more` entries; false without memory. */
  reserve(more: number): boolean {
    const items = withRoom(this.#items, this.#size + more, this.#ledger);
    if (!items) return false;
    this.#items = items;
    const words = withRoom(this.#rankWords, 2 * items.length, this.#ledger);
    if (!words) return false;
    if (words === this.#rankWords) return true;
    this.#rankWords = words;
    this.#ranks = new Float64Array(words.buffer);
    return true;
  }

  /** There is room for it. */
  add(item: number, rank: number): void {
    let at = this.#size++;
    for (; at > 0; at = (at - 1) >> 1) {
      const parent = (at - 1) >> 1;
      if (!isBefore(rank, item, this.#ranks[parent]!, this.#items[parent]!)) break;
      this.#move(parent, at);
    }
    this.#put(at, item, rank);
  }

  take(): number | undefined {
    if (this.#size === 0) return undefined;
    const first = this.#items[0]!;
    const last = --this.#size;
    const [item, rank] = [this.#items[last]!, this.#ranks[last]!];
    let at = 0;
    for (let child = 1; child < last; child = 2 * at + 1) {
      if (child + 1 < last && this.#isBefore(child + 1, child)) child++;
      if (!isBefore(this.#ranks[child]!, this.#items[child]!, rank, item)) break;
      this.#move(child, at);
      at = child;
    }
    this.#put(at, item, rank);
    return first;
  }

  #isBefore(a: number, b: number): boolean {
    return isBefore(this.#ranks[a]!, this.#items[a]!, this.#ranks[b]!, this.#items[b]!);
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#items[from]!, this.#ranks[from]!);
  }

  #put(at: number, item: number, rank: number): void {
    this.#items[at] = item;
    this.#ranks[at] = rank;
  }
}

const isBefore = (rank: number, item: number, otherRank: number, other: number): boolean =>
  rank < otherRank || (rank === otherRank && item < other);
