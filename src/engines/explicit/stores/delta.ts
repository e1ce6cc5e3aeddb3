/**
 * The delta store: exact, with most states kept as a step from another state (Evangelista and Pradat-Peyre 2005).
 *
 *   entries   two words a state: its predecessor, and its link (`links.ts`). A link below 0 says that the state is
 *             *explicit*: its words stand in `vectors`, from place `~link` on, after their number.
 *   table     as in the exact store: the id in the low bits, hash bits above it as a filter.
 *
 * A state first met at depth `d` is explicit if `d mod distance = 0`, so that at most `distance - 1` links lie between
 * a state and the explicit one it is made from. Two states are compared by undoing the links of the stored one on
 * the words of the other (or, where links cannot be undone, by making the stored one), and always end with a comparison of
 * words: nothing is decided by a hash.
 *
 * Updating predecessors: a state that is met again over a shorter way to an explicit state takes that way. It can make no
 * cycle, since the new way is shorter than every way that leads through the state itself. But it mixes up what lies
 * before explicit states: breadth-first, where traces follow predecessors to the start, it is off.
 */
import type { Words } from "../../../model/index.js";
import { ALL_OWN, OWN_BITS, SOME_OWN, emitHash, hashMultipliers } from "../hash.js";
import type { Ledger } from "../ledger.js";
import { rehome } from "../rehome.js";
import { instantiate } from "../store-code.js";
import type { Links } from "./links.js";
import { PAGE_BITS, PAGE_MASK, PagedWords } from "./paged.js";

export interface DeltaOptions {
  readonly width: number;
  readonly compareFrom: number;
  /** Every so many levels a state is explicit: 1 keeps all states whole. */
  readonly distance: number;
  readonly updatesPredecessors: boolean;
  readonly maxStates: number;
  /** Compares by making the stored state even where links can be undone. */
  readonly onlyForward?: boolean;
  /** Compares with every entry on the way, whatever its hash bits say; for tests. */
  readonly ignoresFilter?: boolean;
}

export interface DeltaFigures {
  readonly explicit: number;
  readonly delta: number;
  /** Stored states that were compared with another. */
  readonly comparisons: number;
  /** Of these, those that turned out to be different: the filter let them pass. */
  readonly mismatches: number;
  /** Lookups that met an entry of another hash, and left it at that. */
  readonly filtered: number;
  readonly linksWalked: number;
  readonly longestChain: number;
  /** Comparisons that undoing gave up before the explicit state was reached. */
  readonly earlyExits: number;
  readonly predecessorUpdates: number;
  /** What all states would take as whole words. */
  readonly plainBytes: number;
}

export class DeltaStore {
  count = 0;
  width: number;
  readonly #options: DeltaOptions;
  readonly #ledger: Ledger;
  readonly #links: Links;
  readonly #entries: PagedWords;
  readonly #vectors: PagedWords;
  #table: Int32Array;
  #ownMask = SOME_OWN;
  #scratch: Int32Array;
  #chain = new Int32Array(64);
  #hash: (words: Words, at: number, ownMask: number) => number;
  /** Links between the state found last and its explicit state. */
  #walked = 0;
  #slot = 0;
  #slotHash = 0;
  readonly #counters = {
    explicit: 0,
    comparisons: 0,
    mismatches: 0,
    filtered: 0,
    linksWalked: 0,
    longestChain: 0,
    earlyExits: 0,
    predecessorUpdates: 0,
  };

  constructor(options: DeltaOptions, links: Links, ledger: Ledger) {
    this.#options = options;
    this.#ledger = ledger;
    this.#links = links;
    this.width = options.width;
    this.#entries = new PagedWords(ledger);
    this.#vectors = new PagedWords(ledger);
    this.#table = new Int32Array(0);
    this.#scratch = new Int32Array(this.width);
    this.#hash = this.#hashFunction();
  }

  get bytes(): number {
    return this.#table.byteLength + this.#entries.bytes + this.#vectors.bytes + (this.#links.bytes ?? 0);
  }

  /** From now on states have `width` words. */
  widen(width: number): void {
    this.width = width;
    this.#scratch = new Int32Array(width);
    this.#hash = this.#hashFunction();
  }

  /** The number of the state at `words[at…]`, or 0. */
  find(words: Words, at: number): number {
    const table = this.#table;
    if (table.length === 0) return 0;
    const mask = table.length - 1;
    const hash = this.#hash(words, at, this.#ownMask);
    const filter = this.#options.ignoresFilter ? 0 : ~mask;
    let slot = hash & mask;
    for (let entry = table[slot]!; entry !== 0; entry = table[slot]!) {
      if (((entry ^ hash) & filter) === 0) {
        this.#counters.comparisons++;
        if (this.#isEqual(entry & mask, words, at)) return entry & mask;
        this.#counters.mismatches++;
      } else this.#counters.filtered++;
      slot = (slot + 1) & mask;
    }
    this.#slot = slot;
    this.#slotHash = hash;
    return 0;
  }

  /** Could the state that `find` found last gain by a way on from a state at that depth? */
  isShorter(parentDepth: number): boolean {
    return this.#options.updatesPredecessors && (parentDepth % this.#options.distance) + 1 < this.#walked;
  }

  /** Gives a state that `isShorter` said yes to another predecessor. */
  relink(id: number, parent: number, link: number): void {
    this.#counters.predecessorUpdates++;
    this.#entries.set(2 * id, parent);
    this.#entries.set(2 * id + 1, link);
  }

  /** The link from one state to the next, by `Links.link`. */
  link(from: Words, fromAt: number, words: Words, at: number, entry: number, label: number): number {
    return this.#links.link(from, fromAt, words, at, this.width, entry, label);
  }

  /**
   * Enters a state that is not there and that is met at `depth`, from `parent` by `link`. There must be room for it.
   * `isLast`: `find` was asked about this one last.
   */
  add(words: Words, at: number, parent: number, link: number, depth: number, isLast: boolean): void {
    if (!isLast) this.find(words, at);
    const mask = this.#table.length - 1;
    const id = ++this.count;
    this.#table[this.#slot] = (this.#slotHash & ~mask) | id;
    this.#entries.set(2 * id, parent);
    const isExplicit = depth % this.#options.distance === 0;
    this.#entries.set(2 * id + 1, isExplicit ? ~this.#keep(words, at) : link);
  }

  /** As many states as fit then, after room was made for up to `states` more. */
  reserve(states: number): number | "no memory" | "no states" {
    if (this.count >= this.#options.maxStates) return "no states";
    if (this.count + 1 > this.#table.length * MAX_LOAD && !this.#growTable()) return "no memory";
    const room = Math.min(
      this.count + states,
      this.#options.maxStates,
      Math.floor(this.#table.length * MAX_LOAD),
    );
    const isReserved =
      this.#entries.reserve(2 * room + 2) &&
      this.#vectors.reserveRecords(room - this.count + 1, this.width + 1);
    return isReserved ? room : "no memory";
  }

  reserveLinks(links: number): boolean {
    return this.#links.reserve?.(links, this.width) ?? true;
  }

  /** A copy of state `id`, extended by zeros. */
  state(id: number, width = this.width): Words {
    const words = new Int32Array(Math.max(width, this.width));
    this.#load(id, words);
    return words;
  }

  parent(id: number): number {
    return this.#entries.get(2 * id);
  }

  figures(): DeltaFigures {
    const { explicit } = this.#counters;
    const tableBytes = this.#table.byteLength;
    const plainBytes = 4 * this.width * this.count + tableBytes;
    return { ...this.#counters, delta: this.count - explicit, plainBytes };
  }

  /** Copies a state into `vectors`. Without trailing zeros: it counts as extended by them. */
  #keep(words: Words, at: number): number {
    const place = this.#vectors.allot(1 + this.width);
    if (place < 0) throw new RangeError("internal error: no room was reserved for a state");
    const page = this.#vectors.pages[place >>> PAGE_BITS]!;
    const there = place & PAGE_MASK;
    page[there] = this.width;
    for (let k = 0; k < this.width; k++) page[there + 1 + k] = words[at + k]!;
    this.#counters.explicit++;
    return place;
  }

  /** Backwards: undoes the links of `id` on a copy of the words, and compares what is left with the explicit state. */
  #isEqual(id: number, words: Words, at: number): boolean {
    const links = this.#links;
    if (!links.undo || this.#options.onlyForward) return this.#isEqualForward(id, words, at);
    const scratch = this.#scratch;
    const { width } = this;
    const pages = this.#entries.pages;
    for (let k = 0; k < width; k++) scratch[k] = words[at + k]!;
    let walked = 0;
    for (let s = id; ;) {
      const page = pages[(2 * s) >>> PAGE_BITS]!;
      const place = (2 * s) & PAGE_MASK;
      const link = page[place + 1]!;
      if (link < 0) {
        this.#note(walked);
        return this.#isVector(~link, scratch, 0);
      }
      walked++;
      if (!links.undo(link, scratch)) {
        this.#note(walked);
        this.#counters.earlyExits++;
        return false;
      }
      s = page[place]!;
    }
  }

  #isEqualForward(id: number, words: Words, at: number): boolean {
    this.#load(id, this.#scratch);
    for (let k = this.#options.compareFrom; k < this.width; k++)
      if (this.#scratch[k] !== words[at + k]) return false;
    return true;
  }

  #note(walked: number): void {
    this.#walked = walked;
    this.#counters.linksWalked += walked;
    if (walked > this.#counters.longestChain) this.#counters.longestChain = walked;
  }

  #isVector(place: number, words: Words, at: number): boolean {
    const page = this.#vectors.pages[place >>> PAGE_BITS]!;
    const there = (place & PAGE_MASK) + 1;
    const stride = page[there - 1]!;
    let k = this.#options.compareFrom;
    for (; k < stride; k++) if (page[there + k] !== words[at + k]) return false;
    for (; k < this.width; k++) if (words[at + k] !== 0) return false;
    return true;
  }

  /** Makes state `id` in `into`: from its explicit state forwards. */
  #load(id: number, into: Words): void {
    let length = 0;
    let link = this.#entries.get(2 * id + 1);
    for (let s = id; link >= 0; link = this.#entries.get(2 * s + 1)) {
      if (length === this.#chain.length) this.#chain = doubled(this.#chain);
      this.#chain[length++] = link;
      s = this.#entries.get(2 * s);
    }
    this.#note(length);
    const page = this.#vectors.pages[~link >>> PAGE_BITS]!;
    const there = (~link & PAGE_MASK) + 1;
    const stride = page[there - 1]!;
    for (let k = 0; k < into.length; k++) into[k] = k < stride ? page[there + k]! : 0;
    while (length > 0) this.#links.redo(this.#chain[--length]!, into);
  }

  #growTable(): boolean {
    const old = this.#table;
    const size = Math.max(FIRST_TABLE, 2 * old.length);
    if (size > 2 ** 31) return false;
    if (size > 2 ** OWN_BITS) this.#ownMask = ALL_OWN;
    const table = this.#ledger.allocate(size);
    if (!table) return false;
    const mask = size - 1;
    const scratch = new Int32Array(this.width);
    const hashOf = (id: number): number => {
      this.#load(id, scratch);
      return this.#hash(scratch, 0, this.#ownMask);
    };
    if (old.length > 0 && this.#ownMask === SOME_OWN) rehome(old, table, hashOf);
    else
      for (let id = 1; id <= this.count; id++) {
        const hash = hashOf(id);
        let slot = hash & mask;
        while (table[slot] !== 0) slot = (slot + 1) & mask;
        table[slot] = (hash & ~mask) | id;
      }
    this.#ledger.free(old);
    this.#table = table;
    return true;
  }

  #hashFunction(): (words: Words, at: number, ownMask: number) => number {
    return instantiate(
      "hash of a delta store",
      { multipliers: hashMultipliers(this.width) },
      `return function hash(words, at, ownMask) { ${emitHash(this.width, this.#options.compareFrom)} return hash; };`,
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
