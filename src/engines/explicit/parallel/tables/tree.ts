/**
 * States in parts, each part once: the tree of `../../tree-store.ts` in shared memory.
 *
 * Both halves of a root are nodes here (`withTwoNodes`), so neither is 0: a place in the set is claimed by its left half, and
 * a thread that meets a right half of 0 waits for it. Nodes get their numbers in blocks for each worker. The record of a
 * state by its id is its root.
 *
 * Without a number for a node, a worker abandons its list, and starts it again when there is room.
 */
import type { Words } from "../../../../model/index.js";
import type { Ledger } from "../../ledger.js";
import { hashPair } from "../../tree-hash.js";
import type { TreeShape } from "../../tree-shape.js";
import { GROWTH, INDEX_LOAD, SET_LOAD, TreeStore, placeNode, placeRoot } from "../../tree-store.js";
import type { Growth, SharedWords } from "../protocol.js";
import { firstSize } from "./flat.js";
import { claimPages } from "./pages.js";
import type { SharedTable, TableGrowth, WorkerStore } from "./table.js";

/** The current arrays; larger ones are to be filled. */
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

/** Blocks of nodes given out; and whether a worker got none. */
const Counter = { blocks: 0, isWanting: 16, words: 32 } as const;

export interface TreeSizes {
  readonly firstTable: number;
  readonly firstNodes: number;
  readonly nodeBlock: number;
  readonly blockIds: number;
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
    this.#ledger.retire(old);
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
    // Late workers have taken blocks that do not exist.
    const blocks = Math.floor(this.#pairs.length / 2 / nodeBlock);
    this.#counters[Counter.blocks] = Math.min(this.#counters[Counter.blocks]!, blocks);
    this.#ledger.free(this.#pairs);
    this.#ledger.retire(this.#index);
    this.#pairs = pairs;
    this.#index = index;
    return true;
  }

  enterFirst(words: Words): Words {
    const view = this.#view();
    view.nodeRoom = view.pairs.length / 2 - 1;
    view.room = 1;
    const root = view.enter(words);
    if (!root) throw new Error("a tree without room for its first state");
    // Block `b` begins with node `b * nodeBlock`, and node 0 is none.
    this.#counters[Counter.blocks] = Math.floor(view.nodes / this.#sizes.nodeBlock) + 1;
    return Int32Array.from(root);
  }

  restore([left = 0, right = 0]: Words): Words {
    return this.#view().state({ left, right });
  }

  /** The store of one thread over the same arrays. */
  #view(): TreeStore {
    const [width, shape] = [this.#width, this.#shape];
    const view = new TreeStore({ width, shape, keepsLog: false, maxStates: Infinity }, this.#ledger);
    view.use(this.#pairs, this.#index, this.#set);
    return view;
  }
}

export class TreeWorkerStore extends TreeStore implements WorkerStore {
  readonly #nodeBlock: number;
  #counters: SharedWords = NOTHING;

  constructor(
    { width, shape, chunkBits }: { width: number; shape: TreeShape; chunkBits: number },
    nodeBlock: number,
    ledger: Ledger,
  ) {
    super({ width, shape, chunkBits, keepsLog: true, maxStates: Infinity, isShared: true }, ledger);
    this.#nodeBlock = nodeBlock;
  }

  adopt({ chunks, parents, table }: Growth): void {
    this.log.push(...chunks);
    this.parents.push(...parents);
    if (table) this.#adoptTable(table);
    this.hasFailed = false;
  }

  #adoptTable(growth: TableGrowth): void {
    if (growth.kind !== "tree") throw new Error(`a tree cannot grow by a ${growth.kind} table`);
    const { pairs, index, set, part, parts } = growth;
    if (index.length !== this.index.length) claimPages(index, part, parts);
    if (set.length !== this.set.length) claimPages(set, part, parts);
    // sound: test/engines/parallel/tables.test.ts
    if (index.length !== this.index.length)
      forPart(this.index.length, part, parts, (slot) => {
        const id = this.index[slot]! & (this.index.length - 1);
        // sound: test/engines/parallel/tables.test.ts
        if (id !== 0) placeNode(index, id, hashPair(pairs[2 * id]!, pairs[2 * id + 1]!), true);
      });
    // sound: test/engines/parallel/tables.test.ts
    if (set.length !== this.set.length)
      forPart(this.set.length / 2, part, parts, (place) => {
        const left = this.set[2 * place]!;
        // sound: test/engines/parallel/tables.test.ts
        if (left !== 0) placeRoot(set, left, this.set[2 * place + 1]!, true);
      });
    this.use(pairs, index, set);
    this.#counters = growth.counters;
  }

  /** Takes a block of numbers for nodes; false, and the coordinator is to make room, when there is none. */
  override growNodes(): boolean {
    // sound: test/engines/parallel/tables.test.ts
    if (this.hasFailed) return false;
    const start = Atomics.add(this.#counters, Counter.blocks, 1) * this.#nodeBlock;
    // sound: test/engines/parallel/tables.test.ts
    if (start + this.#nodeBlock > this.pairs.length / 2) {
      Atomics.store(this.#counters, Counter.isWanting, 1);
      return false;
    }
    this.nodes = Math.max(1, start) - 1;
    this.nodeRoom = start + this.#nodeBlock - 1;
    return true;
  }
}

function forPart(length: number, part: number, parts: number, visit: (index: number) => void): void {
  const end = Math.floor(((part + 1) * length) / parts);
  // sound: test/engines/parallel/tables.test.ts
  for (let index = Math.floor((part * length) / parts); index < end; index++) visit(index);
}

const NOTHING: SharedWords = new Int32Array(new SharedArrayBuffer(0));
