/**
 * The parent of each state, and its position among the parent's successors, for searches that find states in the order of
 * their parents, such as breadth-first search. Ten bits per state:
 *
 *   steps      for each state the distance from the last state's parent to its own in unary, then a zero: at most two
 *              bits per state, since no parent's number exceeds the number of states.
 *   marks      for every 256th state the start of its bits and the last parent, so that few bits are read.
 *   positions  a byte per state; 255 and more are kept aside.
 */
import type { Ledger } from "../ledger.js";
import { PagedWords } from "./paged.js";

/** The parent of each state, and its position among the parent's successors. */
export interface Parents {
  /** Room for the states up to `id`, whose parents are at most `parent`. */
  reserve(id: number, parent: number): boolean;
  /** Ids come one after the other from 1 on. */
  append(id: number, parent: number, position: number): void;
  parent(id: number): number;
  position(id: number): number;
}

/** Depth-first the stack holds them. */
export function parentsFor(order: "bfs" | "dfs" | "any", ledger: Ledger): Parents | undefined {
  if (order === "dfs") return undefined;
  // sound: test/engines/explicit/chunks.test.ts
  return order === "bfs" ? new ParentFile(ledger) : new ParentList(ledger);
}

/** For searches that expand states in any order: two words per state. */
class ParentList implements Parents {
  readonly #words: PagedWords;

  constructor(ledger: Ledger) {
    this.#words = new PagedWords(ledger);
  }

  reserve(id: number): boolean {
    return this.#words.reserve(2 * id + 2);
  }

  append(id: number, parent: number, position: number): void {
    this.#words.set(2 * id, parent);
    this.#words.set(2 * id + 1, position);
  }

  parent(id: number): number {
    return this.#words.get(2 * id);
  }

  position(id: number): number {
    return this.#words.get(2 * id + 1);
  }
}

export class ParentFile implements Parents {
  readonly #steps: PagedWords;
  readonly #marks: PagedWords;
  readonly #positions: PagedWords;
  readonly #large = new Map<number, number>();
  #bits = 0;
  #lastParent = 0;

  constructor(ledger: Ledger) {
    this.#steps = new PagedWords(ledger);
    this.#marks = new PagedWords(ledger);
    this.#positions = new PagedWords(ledger);
  }

  /** Room for state `id`, whose parent is `parent`. */
  reserve(id: number, parent: number): boolean {
    return (
      this.#steps.reserve(((this.#bits + parent - this.#lastParent) >>> 5) + 2) &&
      this.#marks.reserve(2 * (id >>> MARK_BITS) + 2) &&
      this.#positions.reserve((id >>> 2) + 1)
    );
  }

  /** Ids come one after the other from 1 on, parents never fall. */
  append(id: number, parent: number, position: number): void {
    if (id % (1 << MARK_BITS) === 0 || id === 1) {
      this.#marks.set(2 * (id >>> MARK_BITS), this.#bits | 0);
      this.#marks.set(2 * (id >>> MARK_BITS) + 1, this.#lastParent);
    }
    for (; this.#lastParent < parent; this.#lastParent++, this.#bits++) this.#setBit(this.#bits);
    this.#bits++;
    const byte = Math.min(position, LARGE);
    if (position >= LARGE) this.#large.set(id, position);
    this.#positions.set(id >>> 2, this.#positions.get(id >>> 2) | (byte << (8 * (id & 3))));
  }

  parent(id: number): number {
    const mark = id >>> MARK_BITS;
    let bit = this.#marks.get(2 * mark) >>> 0;
    let parent = this.#marks.get(2 * mark + 1);
    // The states from the marked one on, each ended by a zero.
    for (let left = id - Math.max(1, mark << MARK_BITS) + 1; left > 0; bit++) {
      if (((this.#steps.get(bit >>> 5) >>> (bit & 31)) & 1) === 1) parent++;
      else left--;
    }
    return parent;
  }

  position(id: number): number {
    const byte = (this.#positions.get(id >>> 2) >>> (8 * (id & 3))) & LARGE;
    return byte === LARGE ? this.#large.get(id)! : byte;
  }

  #setBit(bit: number): void {
    this.#steps.set(bit >>> 5, this.#steps.get(bit >>> 5) | (1 << (bit & 31)));
  }
}

const MARK_BITS = 8;
const LARGE = 0xff;
