/**
 * Links: the numbers, from 1 on, by which a delta entry makes its state from the predecessor. Three kinds:
 *
 *   differences  the exclusive or of both states, each distinct one kept once and known by its number. Works for every
 *                system and every reduction, forwards and backwards alike, without using the system. The default.
 *   successors   the position among the predecessor's successors. Forwards only, by computing all of them.
 *   actions      the system's own action, which it can take and take back (`System.undo`), as nets can.
 */
import type { System, Words } from "../../../model/index.js";
import type { Ledger } from "../ledger.js";
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
  /** Reserves room for `links` links between states of `width` words. Absent: they need none. */
  reserve?(links: number, width: number): boolean;
  /** Upper bound on link numbers after `links` more of one list. */
  largest(links: number): number;
  /** Absent: none. */
  readonly bytes?: number;
  /** Converts the predecessor in `state` the state that the link leads to. */
  redo(link: number, state: Words): void;
  /** The inverse; false when there turns out to be none. Absent: not invertible. */
  undo?(link: number, state: Words): boolean;
}

/**
 * Records back to back: for each word that differs its place and the difference. Difference `n`, from 1 on, is from `starts[n]` to
 * before `starts[n + 1]`. `table`, with open addressing, finds the number of a difference. The arrays are replaced as they grow.
 */
export class DifferenceLinks implements Links {
  readonly kind = "differences";
  /** Different differences. */
  count = 0;
  records: Int32Array;
  starts: Int32Array;
  readonly #ledger: Ledger;
  #table: Int32Array;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    this.records = new Int32Array(0);
    this.starts = new Int32Array(0);
    this.#table = new Int32Array(0);
  }

  get bytes(): number {
    return this.#table.byteLength + this.records.byteLength + this.starts.byteLength;
  }

  /** The difference is written where a new record would begin, and stays there if there is none like it. */
  link(from: Words, fromAt: number, words: Words, at: number, width: number): number {
    const { records } = this;
    const start = this.starts[this.count + 1]!;
    let end = start;
    let hash = 0;
    // sound: test/engines/stores/delta-parts.test.ts
    for (let k = 0; k < width; k++) {
      const value = from[fromAt + k]! ^ words[at + k]!;
      // sound: test/engines/stores/delta-parts.test.ts
      if (value === 0) continue;
      records[end++] = k;
      records[end++] = value;
      hash = mixed(hash, k, value);
    }
    return this.intern(start, end, hash);
  }

  /** The number of the difference from `start` to before `end`, whose parts were `mixed` to `hash`; it may be a new one. */
  intern(start: number, end: number, hash: number): number {
    const table = this.#table;
    const mask = table.length - 1;
    let slot = spread(hash) & mask;
    // sound: test/engines/stores/delta-parts.test.ts
    for (let link = table[slot]!; link !== 0; link = table[slot]!) {
      // sound: test/engines/stores/delta-parts.test.ts
      if (this.#isRecord(link, start, end)) return link;
      slot = (slot + 1) & mask;
    }
    const link = ++this.count;
    table[slot] = link;
    this.starts[link + 1] = end;
    return link;
  }

  reserve(links: number, width: number): boolean {
    const { count } = this;
    // sound: test/engines/stores/delta-parts.test.ts
    if (2 * (count + links) >= this.#table.length && !this.#growTable(2 * (count + links) + 1)) return false;
    // sound: test/engines/stores/delta-parts.test.ts
    if (count + links + 2 > this.starts.length) {
      const starts = this.#longer(this.starts, count + links + 2);
      if (!starts) return false;
      this.starts = starts;
    }
    const end = this.starts[count + 1]! + 2 * links * width;
    // sound: test/engines/stores/delta-parts.test.ts
    if (end <= this.records.length) return true;
    const records = this.#longer(this.records, end);
    if (!records) return false;
    this.records = records;
    return true;
  }

  largest(links: number): number {
    return this.count + links;
  }

  redo(link: number, state: Words): void {
    const { records } = this;
    const end = this.starts[link + 1]!;
    // sound: test/engines/stores/delta-parts.test.ts
    for (let at = this.starts[link]!; at < end; at += 2) state[records[at]!]! ^= records[at + 1]!;
  }

  undo(link: number, state: Words): boolean {
    this.redo(link, state);
    return true;
  }

  #isRecord(link: number, start: number, end: number): boolean {
    const { records } = this;
    const known = this.starts[link]!;
    // sound: test/engines/stores/delta-parts.test.ts
    if (this.starts[link + 1]! - known !== end - start) return false;
    // sound: test/engines/stores/delta-parts.test.ts
    for (let i = 0; start + i < end; i++) if (records[known + i] !== records[start + i]) return false;
    return true;
  }

  #longer(words: Int32Array, least: number): Int32Array | undefined {
    const longer = this.#ledger.allocate(Math.max(FIRST_WORDS, 2 * words.length, least));
    if (!longer) return undefined;
    longer.set(words);
    this.#ledger.free(words);
    return longer;
  }

  #growTable(least: number): boolean {
    const old = this.#table;
    let size = Math.max(FIRST_WORDS, old.length);
    // sound: test/engines/stores/delta-parts.test.ts
    while (size < least) size *= 2;
    const table = this.#ledger.allocate(size);
    if (!table) return false;
    this.#table = table;
    const mask = size - 1;
    // sound: test/engines/stores/delta-parts.test.ts
    for (let link = 1; link <= this.count; link++) {
      let slot = this.#hashOf(link) & mask;
      // sound: test/engines/stores/delta-parts.test.ts
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = link;
    }
    this.#ledger.free(old);
    return true;
  }

  /** As `link` computes it. */
  #hashOf(link: number): number {
    const { records } = this;
    const end = this.starts[link + 1]!;
    let hash = 0;
    for (let at = this.starts[link]!; at < end; at += 2) hash = mixed(hash, records[at]!, records[at + 1]!);
    return spread(hash);
  }
}

const FIRST_WORDS = 256;

const mixed = (hash: number, place: number, value: number): number =>
  (Math.imul(hash ^ (hash >>> 15) ^ value, 0x85ebca6b) + Math.imul(place + 1, 0x9e3779b1)) | 0;

/** The same as text. */
export const emitMixed = (hash: string, place: string, value: string): string =>
  `(Math.imul(${hash} ^ (${hash} >>> 15) ^ ${value}, ${0x85ebca6b}) + Math.imul(${place} + 1, ${0x9e3779b1})) | 0`;

function spread(hash: number): number {
  const product = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35);
  return product ^ (product >>> 15);
}

export class SuccessorLinks implements Links {
  readonly kind = "successors";
  readonly #replay: Replay;

  constructor(replay: Replay) {
    this.#replay = replay;
  }

  link(_from: Words, _fromAt: number, _words: Words, _at: number, _width: number, entry: number): number {
    return entry + 1;
  }

  largest(links: number): number {
    return links;
  }

  redo(link: number, state: Words): void {
    this.#replay.step(state, link - 1);
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
    return label + 1;
  }

  /** The number of actions is unknown. */
  largest(): number {
    return 2 ** 31 - 1;
  }

  redo(link: number, state: Words): void {
    this.#facet.redo(link - 1, state, 0);
  }

  undo(link: number, state: Words): boolean {
    return this.#facet.undo(link - 1, state, 0);
  }
}
