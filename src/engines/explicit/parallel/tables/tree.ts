/**
 * States in parts, each part once: the tree of `../../tree-store.ts` in shared memory.
 *
 * Both halves of a root are nodes here (a single word there becomes a node by itself), so neither is 0: a place in the set is
 * claimed by its left half, and as long as its right half is 0 whoever meets it waits for it. Nodes get their numbers in blocks
 * for each worker; a pair is written before the index leads to it. What is kept of a state by its id is its root.
 *
 * When there is no number left for a node, a worker gives up preparing its list, and begins it again when there is room.
 */
import type { Words } from "../../../../model/index.js";
import type { Ledger } from "../../ledger.js";
import { KeyBuffer, emitKeys, emitLoad } from "../../tree-code.js";
import { emitHashPair, hashPair } from "../../tree-hash.js";
import { treeShape, type Part, type TreeShape } from "../../tree-shape.js";
import type { SharedWords } from "../protocol.js";
import { firstSize } from "./flat.js";
import { claimPages } from "./pages.js";
import type { SharedCode, SharedTable, TableGrowth, WorkerTable } from "./table.js";

/** The arrays from now on; those that are larger than before are to be filled. */
export interface TreeGrowth extends TreeArrays {
  readonly kind: "tree";
}

interface TreeArrays {
  /** Node `n` is `pairs[2n]`, `pairs[2n + 1]`. */
  readonly pairs: SharedWords;
  /** From pairs to nodes. */
  readonly index: SharedWords;
  /** The roots. */
  readonly set: SharedWords;
  readonly counters: SharedWords;
}

/** Blocks of nodes given out; and whether somebody got none. */
const Counter = { blocks: 0, isWanting: 16, words: 32 } as const;

export interface TreeSizes {
  readonly firstTable: number;
  readonly firstNodes: number;
  readonly nodeBlock: number;
  readonly blockIds: number;
}

/** Like the tree of one thread, except that both halves of the root are nodes. */
export function sharedShape(width: number, sample: readonly Words[]): TreeShape {
  const { nodes, left, right } = treeShape(width, sample);
  const all = [...nodes];
  const asNode = (part: Part): Part => {
    // sound: test/engines/parallel/tables.test.ts
    if (part.kind === "node") return part;
    all.push({ left: part, right: { kind: "nothing" } });
    return { kind: "node", node: all.length - 1 };
  };
  return { left: asNode(left), right: asNode(right), nodes: all };
}

export class TreeTable implements SharedTable {
  readonly entryWords = 2;
  readonly keepsPositions = false;
  readonly #width: number;
  readonly #shape: TreeShape;
  readonly #sizes: TreeSizes;
  readonly #ledger: Ledger;
  readonly #counters: SharedWords = new Int32Array(new SharedArrayBuffer(4 * Counter.words));
  #pairs: SharedWords = NOTHING;
  #index: SharedWords = NOTHING;
  #set: SharedWords = NOTHING;

  constructor(width: number, shape: TreeShape, sizes: TreeSizes, ledger: Ledger) {
    this.#width = width;
    this.#shape = shape;
    this.#sizes = sizes;
    this.#ledger = ledger;
  }

  get bytes(): number {
    return this.#pairs.byteLength + this.#index.byteLength + this.#set.byteLength;
  }

  get room(): number {
    const { blockIds } = this.#sizes;
    return blockIds * Math.floor(((this.#set.length / 2) * SET_LOAD) / blockIds);
  }

  get isWanting(): boolean {
    return this.#counters[Counter.isWanting] !== 0;
  }

  grow(isFull: boolean): TreeGrowth | "no memory" {
    // sound: test/engines/parallel/tables.test.ts
    const needsNodes = this.isWanting || this.#pairs.length === 0;
    if (needsNodes && !this.#growNodes()) return "no memory";
    // sound: test/engines/parallel/tables.test.ts
    if (isFull && !this.#growSet()) return "no memory";
    this.#counters[Counter.isWanting] = 0;
    return {
      kind: "tree",
      pairs: this.#pairs,
      index: this.#index,
      set: this.#set,
      counters: this.#counters,
    };
  }

  #growSet(): boolean {
    const old = this.#set;
    const places =
      old.length === 0
        ? firstSize(this.#sizes.firstTable, this.#ledger) / 2
        : Math.ceil((old.length / 2) * GROWTH);
    const set = this.#ledger.allocateShared(2 * places);
    if (!set) return false;
    this.#ledger.free(old);
    this.#set = set;
    return true;
  }

  #growNodes(): boolean {
    const { firstNodes, nodeBlock } = this.#sizes;
    const nodes = Math.max(firstNodes, this.#shape.nodes.length + nodeBlock, this.#pairs.length);
    const pairs = this.#ledger.allocateShared(2 * nodes);
    const index = pairs && this.#ledger.allocateShared(2 ** Math.ceil(Math.log2(nodes / INDEX_LOAD)));
    if (!pairs || !index) {
      if (pairs) this.#ledger.free(pairs);
      return false;
    }
    pairs.set(this.#pairs);
    // Whoever came too late has taken blocks that were not there.
    const blocks = Math.floor(this.#pairs.length / 2 / nodeBlock);
    this.#counters[Counter.blocks] = Math.min(this.#counters[Counter.blocks]!, blocks);
    this.#ledger.free(this.#pairs);
    this.#ledger.free(this.#index);
    this.#pairs = pairs;
    this.#index = index;
    return true;
  }

  enterFirst(words: Words): Words {
    const ids = new Int32Array(this.#shape.nodes.length);
    const value = (part: Part): number =>
      part.kind === "word" ? (words[part.word] ?? 0) : part.kind === "node" ? ids[part.node]! : 0;
    let nodes = 0;
    for (const [k, { left, right }] of this.#shape.nodes.entries()) {
      const pair = [value(left), value(right)] as const;
      let id = 1;
      // sound: test/engines/parallel/tables.test.ts
      while (id <= nodes && !(this.#pairs[2 * id] === pair[0] && this.#pairs[2 * id + 1] === pair[1])) id++;
      // sound: test/engines/parallel/tables.test.ts
      if (id > nodes) {
        nodes = id;
        this.#pairs.set(pair, 2 * id);
        claimIndex(this.#index, id, hashPair(...pair));
      }
      ids[k] = id;
    }
    // Block `b` begins with node `b * nodeBlock`, and node 0 is nobody's.
    this.#counters[Counter.blocks] = Math.floor(nodes / this.#sizes.nodeBlock) + 1;
    const root = Int32Array.of(value(this.#shape.left), value(this.#shape.right));
    claimPlace(this.#set, root[0]!, root[1]!);
    return root;
  }

  restore(kept: Words): Words {
    const words = new Int32Array(this.#width);
    const write = (part: Part, value: number): void => {
      if (part.kind === "word") words[part.word] = value;
      if (part.kind !== "node") return;
      write(this.#shape.nodes[part.node]!.left, this.#pairs[2 * value]!);
      write(this.#shape.nodes[part.node]!.right, this.#pairs[2 * value + 1]!);
    };
    write(this.#shape.left, kept[0]!);
    write(this.#shape.right, kept[1]!);
    return words;
  }
}

export class TreeWorkerTable implements WorkerTable {
  pairs: SharedWords = NOTHING;
  index: SharedWords = NOTHING;
  set: SharedWords = NOTHING;
  /** The numbers for new nodes. */
  nextNode = 0;
  endNode = 0;
  /** A node got no number. */
  hasFailed = false;
  #counters: SharedWords = NOTHING;
  readonly #width: number;
  readonly #shape: TreeShape;
  readonly #chunkBits: number;
  readonly #nodeBlock: number;

  constructor(width: number, shape: TreeShape, chunkBits: number, nodeBlock: number) {
    this.#width = width;
    this.#shape = shape;
    this.#chunkBits = chunkBits;
    this.#nodeBlock = nodeBlock;
  }

  grow(growth: TableGrowth): void {
    if (growth.kind !== "tree") throw new Error(`a tree cannot grow by a ${growth.kind} table`);
    const { pairs, index, set, part, parts } = growth;
    if (index.length !== this.index.length) claimPages(index, part, parts);
    if (set.length !== this.set.length) claimPages(set, part, parts);
    // sound: test/engines/parallel/tables.test.ts
    if (index.length !== this.index.length)
      forPart(this.index.length, part, parts, (slot) => {
        const id = this.index[slot]! & (this.index.length - 1);
        // sound: test/engines/parallel/tables.test.ts
        if (id !== 0) claimIndex(index, id, hashPair(pairs[2 * id]!, pairs[2 * id + 1]!));
      });
    // sound: test/engines/parallel/tables.test.ts
    if (set.length !== this.set.length)
      forPart(this.set.length / 2, part, parts, (place) => {
        const left = this.set[2 * place]!;
        // sound: test/engines/parallel/tables.test.ts
        if (left !== 0) claimPlace(set, left, this.set[2 * place + 1]!);
      });
    this.pairs = pairs;
    this.index = index;
    this.set = set;
    this.#counters = growth.counters;
  }

  /** More numbers for nodes; false, and others are told, when there are none. */
  takeNodes(): boolean {
    // sound: test/engines/parallel/tables.test.ts
    if (this.hasFailed) return false;
    const start = Atomics.add(this.#counters, Counter.blocks, 1) * this.#nodeBlock;
    // sound: test/engines/parallel/tables.test.ts
    if (start + this.#nodeBlock > this.pairs.length / 2) {
      this.hasFailed = true;
      Atomics.store(this.#counters, Counter.isWanting, 1);
      return false;
    }
    this.nextNode = Math.max(1, start);
    this.endNode = start + this.#nodeBlock;
    return true;
  }

  code(): SharedCode {
    const chunkMask = (1 << this.#chunkBits) - 1;
    const width = this.#width;
    const shape = this.#shape;
    return {
      bindings: {
        current: new Int32Array(Math.max(1, width)),
        source: new Int32Array(shape.nodes.length),
        buffer: new KeyBuffer((length) => new Int32Array(length)),
      },
      head: `${emitNodes}\n${emitLoad(shape)}\n${emitKeys(shape, width, true, "")}\n${emitKeys(shape, width, false, "")}`,
      locals:
        "const set = visited.set, places = set.length >>> 1, chunks = store.chunks;\npairs = visited.pairs; index = visited.index; indexMask = index.length - 1;",
      load: `
const kept = chunks[id >>> ${this.#chunkBits}], keptAt = 2 * (id & ${chunkMask});
load(kept[keptAt], kept[keptAt + 1]);
const from = current, fromAt = 0;`,
      note: `if (!offered.isFlagged && offered.stride === ${width}) makeKeys(offered.words, first, offered.count);`,
      prepare: `
// sound: test/engines/parallel/tables.test.ts
if (!isNoted || visited.hasFailed) {
  visited.hasFailed = false;
  makeAllKeys(words, 0, length);
}
// sound: test/engines/parallel/tables.test.ts
if (visited.hasFailed) return -1;
const keys = buffer.keys, slots = buffer.slots, scale = places / 4294967296;
for (let i = 0; i < length; i++) {
  const slot = ((keys[3 * i + 2] >>> 0) * scale) | 0;
  slots[i] = slot;
  touched ^= set[2 * slot];
}`,
      prepared: "const keys = buffer.keys, slots = buffer.slots;",
      entry: "const left = keys[3 * i], right = keys[3 * i + 1];",
      find: (onFound) => `
let slot = slots[i];
// sound: test/engines/parallel/tables.test.ts
for (let l = set[2 * slot]; l !== 0; l = set[2 * slot]) {
  // sound: test/engines/parallel/tables.test.ts
  if (l === left) {
    let r = set[2 * slot + 1];
    // sound: test/engines/parallel/tables.test.ts
    while (r === 0) r = Atomics.load(set, 2 * slot + 1); // another worker is just writing it
    // sound: test/engines/parallel/tables.test.ts
    if (r === right) ${onFound}
  }
  // sound: test/engines/parallel/tables.test.ts
  if (++slot === places) slot = 0;
}`,
      keep: () => "ownChunk[there] = left; ownChunk[there + 1] = right;",
      claim: (onClaimed) => `
// sound: test/engines/parallel/tables.test.ts
if (Atomics.compareExchange(set, 2 * slot, 0, left) === 0) {
  Atomics.store(set, 2 * slot + 1, right);
  ${onClaimed}
}`,
    };
  }
}

/** Finds a node or makes it. The arrays are those of the table, which `locals` has just read. */
const emitNodes = `
let pairs = visited.pairs, index = visited.index, indexMask = index.length - 1;

function intern(left, right) {
  ${emitHashPair("hash", "left", "right")}
  let slot = hash & indexMask;
  for (;;) {
    // sound: test/engines/parallel/tables.test.ts
    for (let entry = index[slot]; entry !== 0; entry = index[slot]) {
      // sound: test/engines/parallel/tables.test.ts
      if (((entry ^ hash) & ~indexMask) === 0) {
        const id = entry & indexMask;
        // sound: test/engines/parallel/tables.test.ts
        if (pairs[2 * id] === left && pairs[2 * id + 1] === right) return id;
      }
      slot = (slot + 1) & indexMask;
    }
    // sound: test/engines/parallel/tables.test.ts
    if (visited.nextNode === visited.endNode && !visited.takeNodes()) return 0;
    const id = visited.nextNode;
    pairs[2 * id] = left;
    pairs[2 * id + 1] = right;
    // sound: test/engines/parallel/tables.test.ts
    if (Atomics.compareExchange(index, slot, 0, (hash & ~indexMask) | id) === 0) {
      visited.nextNode = id + 1;
      return id;
    }
  }
}`;

function claimIndex(index: SharedWords, id: number, hash: number): void {
  const mask = index.length - 1;
  let slot = hash & mask;
  // sound: test/engines/parallel/tables.test.ts
  while (index[slot] !== 0 || Atomics.compareExchange(index, slot, 0, (hash & ~mask) | id) !== 0)
    slot = (slot + 1) & mask;
}

/** Nobody looks for it now, so its halves need not be seen together. */
function claimPlace(set: SharedWords, left: number, right: number): void {
  const places = set.length >>> 1;
  let slot = Math.floor((hashPair(left, right) >>> 0) * (places / 2 ** 32));
  // sound: test/engines/parallel/tables.test.ts
  while (set[2 * slot] !== 0 || Atomics.compareExchange(set, 2 * slot, 0, left) !== 0)
    // sound: test/engines/parallel/tables.test.ts
    if (++slot === places) slot = 0;
  set[2 * slot + 1] = right;
}

function forPart(length: number, part: number, parts: number, visit: (index: number) => void): void {
  const end = Math.floor(((part + 1) * length) / parts);
  // sound: test/engines/parallel/tables.test.ts
  for (let index = Math.floor((part * length) / parts); index < end; index++) visit(index);
}

const NOTHING: SharedWords = new Int32Array(new SharedArrayBuffer(0));
const INDEX_LOAD = 0.6;
const SET_LOAD = 0.82;
const GROWTH = 1.33;
