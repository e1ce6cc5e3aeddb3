/**
 * The delta store: exact, with most states kept as a step from another state (Evangelista and Pradat-Peyre 2005).
 *
 *   parents   a word per state: its predecessor.
 *   links     two bytes per state, or four: the number of its link (`links.ts`). 0 means that the state is *explicit*: its
 *             words are in `vectors`, at the index in `parents`. If paths are needed, its predecessor precedes them.
 *   table     as in the exact store: the id in the low bits, hash bits above it as a filter.
 *
 * A state first met at depth `d` is explicit if `d mod distance = 0`, so that at most `distance - 1` links lie between a
 * state and the explicit one it is made from. Two states are compared by undoing the links of the stored one on the words of
 * the other (or, if links cannot be undone, by making the stored one), and always end with a comparison of words: a hash
 * alone never decides.
 *
 * Updating predecessors: a state found again over a shorter chain to an explicit state takes that chain. This cannot make a
 * cycle, since the new chain is shorter than every chain through the state itself. But it changes predecessors of explicit
 * states: breadth-first, where traces follow predecessors to the start, it is off.
 */
import type { Words } from "../../../model/index.js";
import { ALL_OWN, OWN_BITS, SOME_OWN, emitHash, hashMultipliers } from "../hash.js";
import type { Ledger } from "../ledger.js";
import { rehome } from "../rehome.js";
import { instantiate } from "../store-code.js";
import { LinkColumn } from "./link-column.js";
import type { Links } from "./links.js";
import { PAGE_BITS, PAGE_MASK, PagedWords } from "./paged.js";
import { RecentStates } from "./recent.js";

export interface DeltaOptions {
  readonly width: number;
  readonly compareFrom: number;
  /** Interval in levels between explicit states: 1 keeps all states whole. */
  readonly distance: number;
  readonly updatesPredecessors: boolean;
  readonly maxStates: number;
  /** `parent` must also work for explicit states, as breadth-first search needs for paths to errors. */
  readonly keepsParents: boolean;
  /** Compares by making the stored state even where links can be undone. */
  readonly onlyForward?: boolean;
  /** Compares with every entry on the way, ignoring its hash bits; for tests. */
  readonly ignoresFilter?: boolean;
  /** Undoes every link up to the explicit state, without the cache of recent states: the method as published, for measurements. */
  readonly forgets?: boolean;
}

export interface DeltaFigures {
  readonly explicit: number;
  readonly delta: number;
  /** Stored states that were compared with another. */
  readonly comparisons: number;
  /** Comparisons with a different state: the filter let them pass. */
  readonly mismatches: number;
  /** Lookups that rejected an entry by its hash bits. */
  readonly filtered: number;
  readonly linksWalked: number;
  readonly longestChain: number;
  /** Comparisons that undoing gave up before the explicit state was reached. */
  readonly earlyExits: number;
  readonly predecessorUpdates: number;
  /** Bytes of all states as whole words. */
  readonly plainBytes: number;
}

export class DeltaStore {
  count = 0;
  width: number;
  readonly options: DeltaOptions;
  readonly links: Links;
  readonly parents: PagedWords;
  readonly linkColumn: LinkColumn;
  readonly vectors: PagedWords;
  readonly recent: RecentStates;
  table: Int32Array;
  ownMask = SOME_OWN;
  /** Free slot and hash of the last state that was not found. */
  slot = 0;
  slotHash = 0;
  readonly counters = {
    explicit: 0,
    comparisons: 0,
    mismatches: 0,
    filtered: 0,
    linksWalked: 0,
    longestChain: 0,
    earlyExits: 0,
    predecessorUpdates: 0,
  };
  readonly #ledger: Ledger;
  /** Vectors from `from` on, up to the next of these, have `width` words. */
  readonly #widths: { readonly from: number; readonly width: number }[];
  #scratch: Int32Array;
  #chain = new Int32Array(64);
  #hash: (words: Words, at: number, ownMask: number) => number;
  /** Links between the state found last and its explicit state. */
  #walked = 0;

  constructor(options: DeltaOptions, links: Links, ledger: Ledger) {
    this.options = options;
    this.links = links;
    this.width = options.width;
    this.parents = new PagedWords(ledger);
    this.linkColumn = new LinkColumn(ledger);
    this.vectors = new PagedWords(ledger);
    this.recent = new RecentStates(ledger);
    this.table = new Int32Array(0);
    this.#ledger = ledger;
    this.#widths = [{ from: 0, width: options.width }];
    this.#scratch = new Int32Array(this.width);
    this.#hash = this.#hashFunction();
  }

  get bytes(): number {
    return this.table.byteLength + this.recent.bytes + this.entryBytes;
  }

  /** Bytes of the entries without the index. */
  get entryBytes(): number {
    return this.parents.bytes + this.linkColumn.bytes + this.vectors.bytes + (this.links.bytes ?? 0);
  }

  /** Vectors from this place on have the width that states have now. */
  get uniformFrom(): number {
    return this.#widths.at(-1)!.from;
  }

  widen(width: number): void {
    this.width = width;
    this.#widths.push({ from: this.vectors.used, width });
    this.#scratch = new Int32Array(width);
    this.#hash = this.#hashFunction();
    this.#resizeRecent();
  }

  /** The number of the state at `words[at…]`, or 0. */
  find(words: Words, at: number): number {
    const { table } = this;
    // sound: test/engines/stores/delta-single.test.ts
    if (table.length === 0) return 0;
    const mask = table.length - 1;
    const hash = this.#hash(words, at, this.ownMask);
    const filter = this.options.ignoresFilter ? 0 : ~mask;
    let slot = hash & mask;
    // sound: test/engines/stores/delta-single.test.ts
    for (let entry = table[slot]!; entry !== 0; entry = table[slot]!) {
      // sound: test/engines/stores/delta-single.test.ts
      if (((entry ^ hash) & filter) === 0) {
        this.counters.comparisons++;
        // sound: test/engines/stores/delta-single.test.ts
        if (this.#isEqual(entry & mask, words, at)) return entry & mask;
        this.counters.mismatches++;
      } else this.counters.filtered++;
      slot = (slot + 1) & mask;
    }
    this.slot = slot;
    this.slotHash = hash;
    return 0;
  }

  /** Could the state that `find` found last gain by a way on from a state at that depth? */
  isShorter(parentDepth: number): boolean {
    // sound: test/engines/stores/delta-single.test.ts
    return this.options.updatesPredecessors && (parentDepth % this.options.distance) + 1 < this.#walked;
  }

  /** Gives a state that `isShorter` said yes to another predecessor. */
  relink(id: number, parent: number, link: number): void {
    this.counters.predecessorUpdates++;
    this.parents.set(id, parent);
    this.linkColumn.set(id, link);
  }

  /** The link from one state to the next, by `Links.link`. */
  link(from: Words, fromAt: number, words: Words, at: number, entry: number, label: number): number {
    return this.links.link(from, fromAt, words, at, this.width, entry, label);
  }

  /**
   * Enters a state that is not there and that is met at `depth`, from `parent` by `link`. There must be room for it.
   * `isLast`: `slot` and `slotHash` are this one's.
   */
  add(words: Words, at: number, parent: number, link: number, depth: number, isLast: boolean): void {
    // sound: test/engines/stores/delta-single.test.ts
    if (!isLast) this.find(words, at);
    const mask = this.table.length - 1;
    const id = ++this.count;
    this.table[this.slot] = (this.slotHash & ~mask) | id;
    // sound: test/engines/stores/delta-single.test.ts
    const isExplicit = depth % this.options.distance === 0;
    this.parents.set(id, isExplicit ? this.keep(words, at, parent) : parent);
    this.linkColumn.set(id, isExplicit ? 0 : link);
  }

  /** Makes room for up to `states` more; returns the number that fit then. */
  reserve(states: number): number | "no memory" | "no states" {
    // sound: test/engines/stores/delta-single.test.ts
    if (this.count >= this.options.maxStates) return "no states";
    // sound: test/engines/stores/delta-single.test.ts
    if (this.count + 1 > this.table.length * MAX_LOAD && !this.#growTable()) return "no memory";
    const room = Math.min(
      this.count + states,
      this.options.maxStates,
      Math.floor(this.table.length * MAX_LOAD),
    );
    const isReserved =
      this.parents.reserve(room + 1) &&
      this.linkColumn.reserve(room + 1) &&
      this.vectors.reserveRecords(room - this.count + 1, this.width + 1);
    // sound: test/engines/stores/delta-single.test.ts
    return isReserved ? room : "no memory";
  }

  reserveLinks(links: number): boolean {
    return (
      (this.links.reserve?.(links, this.width) ?? true) &&
      this.linkColumn.reserveNumber(this.links.largest(links))
    );
  }

  /** A copy of state `id`, extended by zeros. */
  state(id: number, width = this.width): Words {
    const words = new Int32Array(Math.max(width, this.width));
    this.#load(id, words);
    return words;
  }

  parent(id: number): number {
    // sound: test/engines/stores/delta-single.test.ts
    if (this.linkColumn.get(id) !== 0) return this.parents.get(id);
    if (!this.options.keepsParents) throw new Error("internal error: no parents are kept");
    return this.vectors.get(this.parents.get(id) - 1);
  }

  figures(): DeltaFigures {
    const { explicit } = this.counters;
    const plainBytes = 4 * this.width * this.count + this.table.byteLength;
    return { ...this.counters, delta: this.count - explicit, plainBytes };
  }

  /** Is the explicit state at `place` the one at `words[at…]`? It counts as extended by zeros. */
  isVector(place: number, words: Words, at: number): boolean {
    const page = this.vectors.pages[place >>> PAGE_BITS]!;
    const there = place & PAGE_MASK;
    const stride = this.#widthOf(place);
    let k = this.options.compareFrom;
    // sound: test/engines/stores/delta-single.test.ts
    for (; k < stride; k++) if (page[there + k] !== words[at + k]) return false;
    // sound: test/engines/stores/delta-single.test.ts
    for (; k < this.width; k++) if (words[at + k] !== 0) return false;
    return true;
  }

  /** Copies a state into `vectors`, for which there must be room; returns its position. */
  keep(words: Words, at: number, parent: number): number {
    const before = this.options.keepsParents ? 1 : 0;
    const record = this.vectors.allot(before + this.width);
    // sound: test/engines/stores/delta-single.test.ts
    if (record < 0) throw new RangeError("internal error: no room was reserved for a state");
    const place = record + before;
    const page = this.vectors.pages[place >>> PAGE_BITS]!;
    const there = place & PAGE_MASK;
    if (before > 0) page[there - 1] = parent;
    // sound: test/engines/stores/delta-single.test.ts
    for (let k = 0; k < this.width; k++) page[there + k] = words[at + k]!;
    this.counters.explicit++;
    return place;
  }

  #widthOf(place: number): number {
    let i = this.#widths.length - 1;
    // sound: test/engines/stores/delta-single.test.ts
    while (place < this.#widths[i]!.from) i--;
    return this.#widths[i]!.width;
  }

  /** Backwards: undoes the links of `id` on a copy of the words, and compares the result with the explicit state. */
  #isEqual(id: number, words: Words, at: number): boolean {
    const { links, parents, linkColumn } = this;
    // sound: test/engines/stores/delta-single.test.ts
    if (!links.undo || this.options.onlyForward) return this.#isEqualForward(id, words, at);
    const scratch = this.#scratch;
    // sound: test/engines/stores/delta-single.test.ts
    for (let k = 0; k < this.width; k++) scratch[k] = words[at + k]!;
    let walked = 0;
    let s = id;
    // sound: test/engines/stores/delta-single.test.ts
    for (let link = linkColumn.get(s); link !== 0; link = linkColumn.get(s)) {
      walked++;
      // sound: test/engines/stores/delta-single.test.ts
      if (!links.undo(link, scratch)) {
        this.#note(walked);
        this.counters.earlyExits++;
        return false;
      }
      s = parents.get(s);
    }
    this.#note(walked);
    return this.isVector(parents.get(s), scratch, 0);
  }

  #isEqualForward(id: number, words: Words, at: number): boolean {
    this.#load(id, this.#scratch);
    // sound: test/engines/stores/delta-single.test.ts
    for (let k = this.options.compareFrom; k < this.width; k++)
      if (this.#scratch[k] !== words[at + k]) return false;
    return true;
  }

  #note(walked: number): void {
    this.#walked = walked;
    this.counters.linksWalked += walked;
    if (walked > this.counters.longestChain) this.counters.longestChain = walked;
  }

  /** Makes state `id` in `into`: from its explicit state forwards. */
  #load(id: number, into: Words): void {
    let length = 0;
    let s = id;
    // sound: test/engines/stores/delta-single.test.ts
    for (let link = this.linkColumn.get(s); link !== 0; link = this.linkColumn.get(s)) {
      // sound: test/engines/stores/delta-single.test.ts
      if (length === this.#chain.length) this.#chain = doubled(this.#chain);
      this.#chain[length++] = link;
      s = this.parents.get(s);
    }
    this.#note(length);
    const place = this.parents.get(s);
    const page = this.vectors.pages[place >>> PAGE_BITS]!;
    const there = place & PAGE_MASK;
    const stride = this.#widthOf(place);
    // sound: test/engines/stores/delta-single.test.ts
    for (let k = 0; k < into.length; k++) into[k] = k < stride ? page[there + k]! : 0;
    // sound: test/engines/stores/delta-single.test.ts
    while (length > 0) this.links.redo(this.#chain[--length]!, into);
  }

  #growTable(): boolean {
    const old = this.table;
    const size = Math.max(FIRST_TABLE, 2 * old.length);
    // sound: test/engines/stores/delta-single.test.ts
    if (size > 2 ** 31) return false;
    if (size > 2 ** OWN_BITS) this.ownMask = ALL_OWN;
    const table = this.#ledger.allocate(size);
    // sound: test/engines/stores/delta-single.test.ts
    if (!table) return false;
    const mask = size - 1;
    const scratch = new Int32Array(this.width);
    const hashOf = (id: number): number => {
      this.#load(id, scratch);
      return this.#hash(scratch, 0, this.ownMask);
    };
    // sound: test/engines/stores/delta-single.test.ts
    if (old.length > 0 && this.ownMask === SOME_OWN) rehome(old, table, hashOf);
    else
      // sound: test/engines/stores/delta-single.test.ts
      for (let id = 1; id <= this.count; id++) {
        const hash = hashOf(id);
        let slot = hash & mask;
        // sound: test/engines/stores/delta-single.test.ts
        while (table[slot] !== 0) slot = (slot + 1) & mask;
        table[slot] = (hash & ~mask) | id;
      }
    this.#ledger.free(old);
    this.table = table;
    this.#resizeRecent();
    return true;
  }

  #resizeRecent(): void {
    this.recent.resize(this.options.forgets ? 0 : this.table.length, this.width);
  }

  #hashFunction(): (words: Words, at: number, ownMask: number) => number {
    return instantiate(
      "hash of a delta store",
      { multipliers: hashMultipliers(this.width) },
      `return function hash(words, at, ownMask) { ${emitHash(this.width, this.options.compareFrom)} return hash; };`,
    );
  }
}

function doubled(words: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * words.length);
  larger.set(words);
  return larger;
}

const FIRST_TABLE = 1024;
const MAX_LOAD = 0.75;
