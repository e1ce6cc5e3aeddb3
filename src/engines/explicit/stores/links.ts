/**
 * What a delta entry says about the step from its predecessor: a link, one word, that makes of the predecessor the state
 * itself. Three kinds:
 *
 *   differences  the exclusive or of both states, each different one kept once and known by its number. Works for every
 *                system and every reduction, forwards and backwards alike, and never asks the system. The default.
 *   successors   the position among the predecessor's successors. Forwards only, by computing all of them.
 *   actions      the system's own action, which it can take and take back (`System.undo`), as nets can.
 */
import type { System, Words } from "../../../model/index.js";
import type { Ledger } from "../ledger.js";
import { PAGE_BITS, PAGE_MASK, PagedWords } from "./paged.js";
import type { Replay } from "./replay.js";

export const linkKinds = ["differences", "successors", "actions"] as const;
export type LinkKind = (typeof linkKinds)[number];

export interface Links {
  readonly kind: LinkKind;
  /**
   * The link from the state at `from[fromAt…]` to its successor at `words[at…]`, which is entry `entry` of the list with
   * that `label`. There must be room for it.
   */
  link(
    from: Words,
    fromAt: number,
    words: Words,
    at: number,
    width: number,
    entry: number,
    label: number,
  ): number;
  /** Room for so many links between states of `width` words. Absent: they need none. */
  reserve?(links: number, width: number): boolean;
  /** Absent: none. */
  readonly bytes?: number;
  /** Makes of the predecessor in `state` the state that the link leads to. */
  redo(link: number, state: Words): void;
  /** The other way; false when it is seen that there is none. Absent: there is no way back. */
  undo?(link: number, state: Words): boolean;
}

/**
 * Records back to back: how many words differ, then for each its place and the difference. A link is where the record
 * begins. `table`, with open addressing, finds the record of a difference; it holds links + 1.
 */
export class DifferenceLinks implements Links {
  readonly kind = "differences";
  /** Different differences. */
  count = 0;
  readonly #records: PagedWords;
  readonly #ledger: Ledger;
  #table: Int32Array;
  #places = new Int32Array(16);
  #values = new Int32Array(16);

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    this.#records = new PagedWords(ledger);
    this.#table = new Int32Array(0);
  }

  get bytes(): number {
    return this.#table.byteLength + this.#records.bytes;
  }

  link(from: Words, fromAt: number, words: Words, at: number, width: number): number {
    let changed = 0;
    let hash = 0;
    if (this.#places.length < width) this.#makeRoom(width);
    const places = this.#places;
    const values = this.#values;
    for (let k = 0; k < width; k++) {
      const value = from[fromAt + k]! ^ words[at + k]!;
      if (value === 0) continue;
      places[changed] = k;
      values[changed++] = value;
      hash = Math.imul(hash ^ (hash >>> 15) ^ value, 0x85ebca6b) + Math.imul(k + 1, 0x9e3779b1);
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35);
    hash ^= hash >>> 15;
    return this.#intern(changed, hash);
  }

  reserve(links: number, width: number): boolean {
    while (2 * (this.count + links) >= this.#table.length) if (!this.#growTable()) return false;
    return this.#records.reserveRecords(links, 1 + 2 * width);
  }

  redo(link: number, state: Words): void {
    const page = this.#records.pages[link >>> PAGE_BITS]!;
    let at = link & PAGE_MASK;
    for (let left = page[at++]!; left > 0; left--, at += 2) state[page[at]!]! ^= page[at + 1]!;
  }

  undo(link: number, state: Words): boolean {
    this.redo(link, state);
    return true;
  }

  #intern(changed: number, hash: number): number {
    const mask = this.#table.length - 1;
    let slot = hash & mask;
    for (let entry = this.#table[slot]!; entry !== 0; entry = this.#table[slot]!) {
      if (this.#isRecord(entry - 1, changed)) return entry - 1;
      slot = (slot + 1) & mask;
    }
    const link = this.#records.allot(1 + 2 * changed);
    if (link < 0) throw new RangeError("internal error: no room was reserved for a link");
    this.#table[slot] = link + 1;
    this.count++;
    const page = this.#records.pages[link >>> PAGE_BITS]!;
    let at = link & PAGE_MASK;
    page[at++] = changed;
    for (let i = 0; i < changed; i++) {
      page[at++] = this.#places[i]!;
      page[at++] = this.#values[i]!;
    }
    return link;
  }

  #isRecord(link: number, changed: number): boolean {
    const page = this.#records.pages[link >>> PAGE_BITS]!;
    let at = link & PAGE_MASK;
    if (page[at++] !== changed) return false;
    for (let i = 0; i < changed; i++, at += 2)
      if (page[at] !== this.#places[i] || page[at + 1] !== this.#values[i]) return false;
    return true;
  }

  #growTable(): boolean {
    const old = this.#table;
    const table = this.#ledger.allocate(Math.max(256, 2 * old.length));
    if (!table) return false;
    this.#table = table;
    const mask = table.length - 1;
    for (const entry of old) {
      if (entry === 0) continue;
      let slot = this.#hashOf(entry - 1) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = entry;
    }
    this.#ledger.free(old);
    return true;
  }

  /** As `link` computes it. */
  #hashOf(link: number): number {
    const page = this.#records.pages[link >>> PAGE_BITS]!;
    let at = link & PAGE_MASK;
    let hash = 0;
    for (let left = page[at++]!; left > 0; left--, at += 2)
      hash =
        Math.imul(hash ^ (hash >>> 15) ^ page[at + 1]!, 0x85ebca6b) + Math.imul(page[at]! + 1, 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35);
    return hash ^ (hash >>> 15);
  }

  #makeRoom(width: number): void {
    this.#places = new Int32Array(2 * width);
    this.#values = new Int32Array(2 * width);
  }
}

export class SuccessorLinks implements Links {
  readonly kind = "successors";
  readonly #replay: Replay;

  constructor(replay: Replay) {
    this.#replay = replay;
  }

  link(_from: Words, _fromAt: number, _words: Words, _at: number, _width: number, entry: number): number {
    return entry;
  }

  redo(link: number, state: Words): void {
    this.#replay.step(state, link);
  }
}

export class ActionLinks implements Links {
  readonly kind = "actions";
  readonly #facet: NonNullable<System["undo"]>;

  constructor(facet: NonNullable<System["undo"]>) {
    this.#facet = facet;
  }

  link(
    _from: Words,
    _fromAt: number,
    _words: Words,
    _at: number,
    _width: number,
    _entry: number,
    label: number,
  ): number {
    return label;
  }

  redo(link: number, state: Words): void {
    this.#facet.redo(link, state, 0);
  }

  undo(link: number, state: Words): boolean {
    return this.#facet.undo(link, state, 0);
  }
}
