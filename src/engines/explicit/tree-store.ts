/**
 * The tree-compressed store: exact, like the flat one, and smaller, because states are made of parts that repeat.
 *
 *   nodes   The words of a state are the leaves of a binary tree (`tree-shape.ts`). Each inner node below the root is a pair of
 *           words or nodes, and equal pairs are one node: node `n` is `pairs[2n]`, `pairs[2n + 1]`, found through
 *           `index` (open addressing, linear probing, 0 is free): the number in the low bits, hash bits above them, so that a
 *           node is looked at only when these agree. Nodes are numbered from 1. There are few of them, so most are in the
 *           processor's cache.
 *   roots   The root's pair *is* the state. `set` holds the pairs themselves, so that a lookup is one cache miss whether
 *           the state is known or new. A pair belongs at its hash's place in proportion to the set's size; from there on
 *           linear probing. So pairs are almost in the order of their hashes, and a larger set is filled from a smaller
 *           one in one pass over both.
 *   log     Breadth-first only: the roots in order of discovery, from 1, and the parent of each.
 *
 * The left half of a root is a node, hence not zero: a place of `set` with a zero there is free.
 *
 * The search loops read and write these fields through the text that `tree-code.ts` emits for one width.
 */
import type { Words } from "../../model/index.js";
import type { Ledger } from "./ledger.js";
import type { Growth, LoopCode, Renewal, Visited } from "./loop-code.js";
import { treeCode } from "./tree-code.js";
import { hashPair, homeOf } from "./tree-hash.js";
import { treeShape, type TreeShape } from "./tree-shape.js";

export interface TreeStoreOptions {
  readonly width: number;
  /** Breadth-first: states have numbers, and parents. */
  readonly keepsLog: boolean;
  readonly maxStates: number;
  /** Some states, to shape the tree by; or its shape. */
  readonly sample?: readonly Words[];
  readonly shape?: TreeShape;
  /** Other threads fill the same arrays. */
  readonly isShared?: boolean;
  /** States in a chunk of the log, as a power of two. */
  readonly chunkBits?: number;
  /** Bits of a hash that are used, the highest ones; fewer than 32 for tests of collisions. */
  readonly hashBits?: number;
}

/** A state in the store: the two halves of its root. */
export interface Root {
  readonly left: number;
  readonly right: number;
}

export class TreeStore implements Visited {
  readonly refWords = 2;
  readonly waitingWords = 2;
  pairs: Int32Array = NOTHING;
  index: Int32Array = NOTHING;
  indexMask = -1;
  /** Nodes in use, and the number that fit before `growNodes` has to be called. */
  nodes = 0;
  nodeRoom = 0;

  set: Int32Array = NOTHING;
  /** Places that hashes are spread over. */
  places = 0;
  /** There was no memory for a node. */
  hasFailed = false;
  count = 0;
  /** States that fit before `grow` has to be called. */
  room = 0;

  log: Int32Array[] = [];
  parents: Int32Array[] = [];

  width: number;
  shape: TreeShape;
  readonly keepsLog: boolean;
  readonly isShared: boolean;
  readonly chunkBits: number;
  readonly hashMask: number;
  /** The shapes that narrower states had: nodes are never taken back, so roots of old can still be read. */
  readonly #earlier = new Map<number, TreeShape>();
  readonly #maxStates: number;
  readonly #ledger: Ledger;

  constructor(options: TreeStoreOptions, ledger: Ledger) {
    this.width = options.width;
    this.shape = options.shape ?? treeShape(options.width, options.sample);
    this.keepsLog = options.keepsLog;
    this.isShared = options.isShared ?? false;
    this.chunkBits = options.chunkBits ?? CHUNK_BITS;
    this.hashMask = -1 << (32 - (options.hashBits ?? 32));
    this.#maxStates = options.maxStates;
    this.#ledger = ledger;
  }

  get tableBytes(): number {
    return this.set.byteLength + this.pairs.byteLength + this.index.byteLength;
  }

  /** Continues with these arrays. */
  use(pairs: Int32Array, index: Int32Array, set: Int32Array): void {
    this.pairs = pairs;
    this.index = index;
    this.indexMask = index.length - 1;
    this.set = set;
    this.places = set.length / 2;
  }

  /** Makes room for at least one more state. */
  grow(): Growth {
    // sound: test/engines/stores/tree-conditions.test.ts
    if (this.count >= this.#maxStates) return "no states";
    // sound: test/engines/stores/tree-conditions.test.ts
    if (this.count >= this.#setRoom() && !this.growSet()) return "no memory";
    // sound: test/engines/stores/tree-conditions.test.ts
    if (this.keepsLog && this.count >= this.#logRoom() && !this.#growLog()) return "no memory";
    this.room = Math.min(this.#maxStates, this.#setRoom(), this.keepsLog ? this.#logRoom() : Infinity);
    return "grown";
  }

  /** Is there memory for one more node? Then `pairs` and `index` may be other arrays than before. */
  growNodes(): boolean {
    const { isElsewhere } = this.#ledger;
    // sound: test/engines/explicit/leaving.test.ts
    if (this.hasFailed || !this.#makeNodeRoom()) return false;
    // Relocated arrays belong to other loops than the caller's.
    // sound: test/engines/explicit/leaving.test.ts
    return this.#ledger.isElsewhere === isElsewhere;
  }

  /** Other loops look the same states up again. */
  recover(): void {
    this.hasFailed = false;
  }

  #makeNodeRoom(): boolean {
    // sound: test/engines/stores/tree-conditions.test.ts
    if (this.nodes + 1 >= this.pairs.length / 2 && !this.#growPairs()) return false;
    // sound: test/engines/stores/tree-conditions.test.ts
    if (this.nodes >= Math.floor(this.index.length * INDEX_LOAD) && !this.#growIndex()) return false;
    this.nodeRoom = Math.min(this.pairs.length / 2 - 1, Math.floor(this.index.length * INDEX_LOAD));
    return true;
  }

  /** The root of the state at `words[at…]`, its nodes entered; undefined when there is no memory. */
  root(words: Words, at: number, shape = this.shape): Root | undefined {
    const ids = new Int32Array(shape.nodes.length);
    const value = (part: TreeShape["left"]): number =>
      part.kind === "word" ? words[at + part.word]! : part.kind === "node" ? ids[part.node]! : 0;
    for (const [k, node] of shape.nodes.entries()) {
      const id = this.#intern(value(node.left), value(node.right));
      // sound: test/engines/stores/tree-conditions.test.ts
      if (id === undefined) return undefined;
      ids[k] = id;
    }
    return { left: value(shape.left), right: value(shape.right) };
  }

  /** A copy of the state, extended by zeros. */
  state({ left, right }: Root, width = this.width, shape = this.shape): Words {
    const words = new Int32Array(width);
    const write = (part: TreeShape["left"], value: number): void => {
      if (part.kind === "word") words[part.word] = value;
      if (part.kind !== "node") return;
      const node = shape.nodes[part.node]!;
      write(node.left, this.pairs[2 * value]!);
      write(node.right, this.pairs[2 * value + 1]!);
    };
    write(shape.left, left);
    write(shape.right, right);
    return words;
  }

  /** Enters a root: 1, or 0 if it was there before; undefined when it does not fit. */
  insert(root: Root, parent = 0): 0 | 1 | undefined {
    // sound: test/engines/stores/tree-conditions.test.ts
    if (this.#has(root)) return 0;
    // sound: test/engines/stores/tree-conditions.test.ts
    if (this.count >= this.room && this.grow() !== "grown") return undefined;
    placeRoot(this.set, root.left, root.right, false, this.hashMask);
    this.count++;
    if (this.keepsLog) {
      const at = this.count & ((1 << this.chunkBits) - 1);
      const chunk = this.log[this.count >>> this.chunkBits]!;
      chunk[2 * at] = root.left;
      chunk[2 * at + 1] = root.right;
      this.parents[this.count >>> this.chunkBits]![at] = parent;
    }
    return 1;
  }

  /** The root of the state that was discovered as number `id` (only with a log). */
  logged(id: number): Root {
    const chunk = this.log[id >>> this.chunkBits]!;
    const at = 2 * (id & ((1 << this.chunkBits) - 1));
    return { left: chunk[at]!, right: chunk[at + 1]! };
  }

  parent(id: number): number {
    return this.parents[id >>> this.chunkBits]![id & ((1 << this.chunkBits) - 1)]!;
  }

  enter(words: Words): readonly number[] | undefined {
    const root = this.root(words, 0);
    return root && this.insert(root) !== undefined ? [root.left, root.right] : undefined;
  }

  referred(refs: Int32Array, at: number, width: number): Words {
    const shape = this.#earlier.get(width) ?? this.shape;
    return this.state({ left: refs[at]!, right: refs[at + 1]! }, width, shape);
  }

  numbered(id: number, width: number): Words {
    return this.state(this.logged(id), width);
  }

  newArray(length: number): Int32Array {
    return this.#ledger.small(length);
  }

  code(): LoopCode {
    return treeCode(this);
  }

  /** Wider states are trees of another shape: every root becomes another one. */
  widen(width: number): Renewal | undefined {
    const narrow = this.shape;
    const shape = treeShape(width);
    const renew = (root: Root): Root | undefined => this.root(this.state(root, width, narrow), 0, shape);
    // sound: test/engines/stores/tree-conditions.test.ts
    if (!this.#renewSet(renew) || !this.#renewLog(renew)) return undefined;
    this.#earlier.set(this.width, narrow);
    this.width = width;
    this.shape = shape;
    return (refs, at) => {
      const renewed = renew({ left: refs[at]!, right: refs[at + 1]! });
      // sound: test/engines/stores/tree-conditions.test.ts
      if (!renewed) return false;
      refs[at] = renewed.left;
      refs[at + 1] = renewed.right;
      return true;
    };
  }

  /** A larger set, filled in one pass over both. */
  growSet(): boolean {
    const places = Math.max(FIRST_PLACES, Math.ceil(this.places * GROWTH));
    // sound: test/engines/stores/tree-conditions.test.ts
    const set = places > MOST_PLACES ? undefined : this.#ledger.allocate(2 * places);
    if (!set) return false;
    for (let at = 0; at < this.set.length; at += 2)
      // sound: test/engines/stores/tree-conditions.test.ts
      if (this.set[at] !== 0) placeRoot(set, this.set[at]!, this.set[at + 1]!, false, this.hashMask);
    this.#ledger.free(this.set);
    this.set = set;
    this.places = places;
    return true;
  }

  #renewSet(renew: (root: Root) => Root | undefined): boolean {
    const old = this.set;
    if (old.length === 0) return true;
    const set = this.#ledger.allocate(old.length);
    if (!set) return false;
    this.set = set;
    for (let at = 0; at < old.length; at += 2) {
      // sound: test/engines/stores/tree-conditions.test.ts
      if (old[at] === 0) continue;
      const root = renew({ left: old[at]!, right: old[at + 1]! });
      // sound: test/engines/stores/tree-conditions.test.ts
      if (!root) return false;
      placeRoot(set, root.left, root.right, false, this.hashMask);
    }
    this.#ledger.free(old);
    return true;
  }

  #renewLog(renew: (root: Root) => Root | undefined): boolean {
    // sound: test/engines/stores/tree-conditions.test.ts
    for (let id = 1; this.keepsLog && id <= this.count; id++) {
      const renewed = renew(this.logged(id));
      if (!renewed) return false;
      const chunk = this.log[id >>> this.chunkBits]!;
      const at = 2 * (id & ((1 << this.chunkBits) - 1));
      chunk[at] = renewed.left;
      chunk[at + 1] = renewed.right;
    }
    return true;
  }

  #has({ left, right }: Root): boolean {
    // sound: test/engines/stores/tree-conditions.test.ts
    if (this.places === 0) return false;
    let slot = homeOf(hashPair(left, right, this.hashMask), this.places);
    // sound: test/engines/stores/tree-conditions.test.ts
    while (this.set[2 * slot] !== 0) {
      // sound: test/engines/stores/tree-conditions.test.ts
      if (this.set[2 * slot] === left && this.set[2 * slot + 1] === right) return true;
      // sound: test/engines/stores/tree-conditions.test.ts
      if (++slot === this.places) slot = 0;
    }
    return false;
  }

  #intern(left: number, right: number): number | undefined {
    // sound: test/engines/stores/tree-conditions.test.ts
    if (this.nodes >= this.nodeRoom && !this.#makeNodeRoom()) return undefined;
    const hash = hashPair(left, right, this.hashMask);
    let slot = hash & this.indexMask;
    // sound: test/engines/stores/tree-conditions.test.ts
    for (let entry = this.index[slot]!; entry !== 0; entry = this.index[slot]!) {
      const id = entry & this.indexMask;
      // sound: test/engines/stores/tree-conditions.test.ts
      if (this.pairs[2 * id] === left && this.pairs[2 * id + 1] === right) return id;
      slot = (slot + 1) & this.indexMask;
    }
    const id = ++this.nodes;
    this.index[slot] = (hash & ~this.indexMask) | id;
    this.pairs[2 * id] = left;
    this.pairs[2 * id + 1] = right;
    return id;
  }

  #setRoom(): number {
    return Math.floor(this.places * SET_LOAD);
  }

  #growPairs(): boolean {
    const pairs = this.#ledger.allocate(Math.max(2 * FIRST_NODES, 2 * this.pairs.length));
    if (!pairs) return false;
    pairs.set(this.pairs);
    this.#ledger.free(this.pairs);
    this.pairs = pairs;
    return true;
  }

  #growIndex(): boolean {
    const size = Math.max(2 * FIRST_NODES, 2 * this.index.length);
    const index = this.#ledger.allocate(size);
    if (!index) return false;
    // sound: test/engines/stores/tree-conditions.test.ts
    for (let id = 1; id <= this.nodes; id++)
      placeNode(index, id, hashPair(this.pairs[2 * id]!, this.pairs[2 * id + 1]!, this.hashMask));
    this.#ledger.free(this.index);
    this.index = index;
    this.indexMask = size - 1;
    return true;
  }

  #logRoom(): number {
    return (this.log.length << this.chunkBits) - 1;
  }

  #growLog(): boolean {
    const roots = this.#ledger.allocate(2 << this.chunkBits);
    if (!roots) return false;
    const parents = this.#ledger.allocate(1 << this.chunkBits);
    if (!parents) {
      this.#ledger.free(roots);
      return false;
    }
    this.log.push(roots);
    this.parents.push(parents);
    return true;
  }
}

/** Puts a root that is not there into the first free place. `isShared`: other threads place roots at the same time. */
export function placeRoot(
  set: Int32Array,
  left: number,
  right: number,
  isShared = false,
  hashMask = -1,
): void {
  const places = set.length / 2;
  let slot = homeOf(hashPair(left, right, hashMask), places);
  // sound: test/engines/parallel/tables.test.ts test/engines/stores/tree-conditions.test.ts
  while (!isClaimed(set, 2 * slot, left, isShared))
    // sound: test/engines/parallel/tables.test.ts test/engines/stores/tree-conditions.test.ts
    if (++slot === places) slot = 0;
  set[2 * slot + 1] = right;
}

/** Leads from the hash of a node's pair to the node. */
export function placeNode(index: Int32Array, id: number, hash: number, isShared = false): void {
  const mask = index.length - 1;
  let slot = hash & mask;
  // sound: test/engines/parallel/tables.test.ts test/engines/stores/tree-conditions.test.ts
  while (!isClaimed(index, slot, (hash & ~mask) | id, isShared)) slot = (slot + 1) & mask;
}

function isClaimed(array: Int32Array, at: number, value: number, isShared: boolean): boolean {
  // sound: test/engines/parallel/tables.test.ts test/engines/stores/tree-conditions.test.ts
  if (array[at] !== 0) return false;
  // sound: test/engines/parallel/tables.test.ts
  if (isShared) return Atomics.compareExchange(array, at, 0, value) === 0;
  array[at] = value;
  return true;
}

const NOTHING = new Int32Array(0);
const CHUNK_BITS = 16;
const FIRST_NODES = 1024;
const FIRST_PLACES = 4096;
/** At its emptiest the set takes 8 * GROWTH / SET_LOAD = 13 bytes per state. */
export const GROWTH = 1.33;
const MOST_PLACES = 2 ** 30 - 4096;
/** Load of the index of nodes, which is read most; and of the set, which takes most of the memory. */
export const INDEX_LOAD = 0.6;
export const SET_LOAD = 0.82;
