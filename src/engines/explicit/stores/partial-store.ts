/**
 * A store that does not keep its states whole, as the search loops use it.
 *
 * A `Backend` records visited states. This class keeps the states that the search still needs whole: breadth-first, or in any
 * order, the unexpanded ones, in a queue that releases them afterwards; depth-first the one on top of the stack. States wait
 * on the stack as a *link*, one word that leads to them from their parent, and their words.
 *
 *   queue   state `id` is in `queue[id >>> CHUNK_BITS]`, at word `(id & CHUNK_MASK) * strides[id >>> CHUNK_BITS]`.
 */
import type { Successors, Words } from "../../../model/index.js";
import type { Ledger } from "../ledger.js";
import type { Growth, LoopCode, Visited } from "../loop-code.js";

export interface Backend {
  readonly count: number;
  readonly bytes: number;
  widen(width: number): void;
  /** Makes room for about `states` more; returns the number that fit then, or why there is none. */
  reserve(states: number): number | Exclude<Growth, "grown">;
  /** Reserves room for `links` requested links. */
  reserveLinks(links: number): boolean;
  /** The following lookups concern successors of the state with that number, at `words[at…]`. */
  expand(id: number, words: Words, at: number, depth: number): void;
  /** Was the state visited? `position` and `label` locate it in the list of successors. */
  has(words: Words, at: number, position: number, label: number): boolean;
  link(words: Words, at: number, position: number, label: number): number;
  /** Enters a state. `isLast`: the last call of `has` was about this one and returned false. */
  add(words: Words, at: number, entry: NewEntry, isLast: boolean): void;
  parent(id: number): number;
  numbered(id: number, width: number): Words;
  referred(refs: Int32Array, at: number, width: number): Words;
  /** Is a state on the stack referred to by its number? Otherwise by its link. */
  readonly isNumbered: boolean;
  /** Operations in the place of calls of these. Absent or undefined: the calls are as good. */
  code?(calls: LoopCode, isQueued: boolean): LoopCode | undefined;
}

export interface NewEntry {
  parent: number;
  link: number;
  depth: number;
}

export class PartialStore<B extends Backend = Backend> implements Visited {
  readonly refWords = 1;
  count = 0;
  room = 0;
  width: number;
  readonly backend: B;
  /** The state on top of the stack. */
  top: Int32Array;
  queue: Int32Array[] = [];
  strides: number[] = [];
  /** Breadth-first: the states of each level so far. */
  readonly levels: number[] = [];
  readonly #isQueued: boolean;
  readonly #isInOrder: boolean;
  readonly #ledger: Ledger;
  readonly #offered: () => Successors;
  readonly #entry: NewEntry = { parent: 0, link: 0, depth: 0 };
  /** Breadth-first: the chunk of the queue that is let go next. */
  #first = 0;
  /** In any order: the depth of the state that is expanded, and how many states of each chunk were. */
  #depth = 0;
  readonly #done: number[] = [];
  #levelEnd = 0;
  #expanded = 0;

  /** `offered` is the list whose labels describe the successors. */
  constructor(
    backend: B,
    options: {
      readonly width: number;
      readonly isQueued: boolean;
      /** States are expanded in the order of their numbers. */
      readonly isInOrder: boolean;
      readonly offered: () => Successors;
    },
    ledger: Ledger,
  ) {
    this.backend = backend;
    this.width = options.width;
    this.#isQueued = options.isQueued;
    this.#isInOrder = options.isInOrder;
    this.#offered = options.offered;
    this.#ledger = ledger;
    this.top = new Int32Array(this.width);
  }

  get tableBytes(): number {
    return this.backend.bytes;
  }

  get waitingWords(): number {
    return this.width + 1;
  }

  grow(): Growth {
    const room = this.backend.reserve(CHUNK_MASK + 1);
    if (typeof room === "string") return room;
    if (this.#isQueued && !this.#growQueue()) return "no memory";
    const queueRoom = this.#isQueued ? (this.queue.length << CHUNK_BITS) - 1 : Infinity;
    this.room = Math.min(room, queueRoom);
    return "grown";
  }

  enter(words: Words): readonly number[] | undefined {
    if (this.room === 0 && this.grow() !== "grown") return undefined;
    this.backend.add(words, 0, { parent: 0, link: 0, depth: 0 }, false);
    this.#keep(words, 0);
    return [this.backend.isNumbered ? 1 : 0];
  }

  widen(width: number): "none" | undefined {
    const top = new Int32Array(width);
    top.set(this.top);
    this.top = top;
    this.width = width;
    this.backend.widen(width);
    const last = this.queue.length - 1;
    if (last >= 0 && !this.#relay(last)) return undefined;
    // The backend has to see the state that is expanded in its new place and width. sound: test/engines/explicit/chunks.test.ts
    if (this.#expanded !== 0) this.#expandQueued(this.#expanded);
    return "none";
  }

  /** A single reference is the top's, whose state is stored whole. */
  referred(refs: Int32Array, at: number, width: number): Words {
    return refs.length === 1 ? extended(this.top, width) : this.backend.referred(refs, at, width);
  }

  numbered(id: number, width: number): Words {
    const chunk = this.queue[id >>> CHUNK_BITS];
    if (!chunk || chunk === NOTHING) return this.backend.numbered(id, width);
    const stride = this.strides[id >>> CHUNK_BITS]!;
    const at = (id & CHUNK_MASK) * stride;
    return extended(chunk.subarray(at, at + stride), width);
  }

  parent(id: number): number {
    return this.backend.parent(id);
  }

  code(): LoopCode {
    const code = this.#isQueued ? queueCode(this.width) : stackCode(this.width, this.backend.isNumbered);
    return this.backend.code?.(code, this.#isQueued) ?? code;
  }

  begin(id: number, depth: number): void {
    this.#depth = depth;
    this.#expandQueued(id);
  }

  /** Releases a chunk when all its states were expanded, in any order. */
  end(id: number): void {
    const chunk = id >>> CHUNK_BITS;
    const done = (this.#done[chunk] ?? 0) + 1;
    this.#done[chunk] = done;
    // There is no state 0. sound: test/engines/explicit/chunks.test.ts
    if (done === CHUNK_MASK + (chunk === 0 ? 0 : 1)) this.#letGo(chunk);
  }

  // The loops call the following methods.

  /** Depth-first: the top is expanded. */
  expandTop(ref: number, depth: number): void {
    this.backend.expand(ref, this.top, 0, depth);
  }

  has(words: Words, at: number, position: number): boolean {
    return this.backend.has(words, at, position, this.#label(position));
  }

  linkTo(words: Words, at: number, position: number): number {
    return this.backend.link(words, at, position, this.#label(position));
  }

  /** Depth-first. Returns the state's reference. */
  push(words: Words, at: number, position: number, link: number, parent: number, depth: number): number {
    const entry = this.#entry;
    entry.parent = parent;
    entry.link = link >= 0 ? link : this.linkTo(words, at, position);
    entry.depth = depth;
    this.backend.add(words, at, entry, false);
    this.#keep(words, at);
    return this.backend.isNumbered ? this.count : entry.link;
  }

  /** Breadth-first; `i` is the entry of the list, `position` that among the parent's successors. */
  append(words: Words, at: number, i: number, position: number, parent: number): void {
    const entry = this.#entry;
    if (this.#isInOrder && parent > this.#levelEnd) this.#nextLevel();
    if (parent !== this.#expanded) this.#expandQueued(parent);
    entry.parent = parent;
    entry.link = this.backend.link(words, at, position, this.#label(i));
    entry.depth = this.#isInOrder ? this.levels.length : this.#depth + 1;
    this.backend.add(words, at, entry, true);
    this.#keep(words, at);
  }

  /** The levels, the last one possibly incomplete; none if states are expanded in any order. */
  levelSizes(): readonly number[] {
    if (!this.#isInOrder) return [];
    const known = this.levels.reduce((sum, states) => sum + states, 0);
    return this.count > known ? [...this.levels, this.count - known] : this.levels;
  }

  #label(position: number): number {
    return position < 0 ? 0 : this.#offered().labels[position]!;
  }

  #nextLevel(): void {
    this.levels.push(this.count - this.#levelEnd);
    this.#levelEnd = this.count;
  }

  #expandQueued(id: number): void {
    this.#expanded = id;
    // sound: test/engines/explicit/chunks.test.ts
    if (this.#isInOrder) for (; this.#first < id >>> CHUNK_BITS; this.#first++) this.#letGo(this.#first);
    let words = this.queue[id >>> CHUNK_BITS]!;
    let at = (id & CHUNK_MASK) * this.strides[id >>> CHUNK_BITS]!;
    if (this.strides[id >>> CHUNK_BITS] !== this.width) {
      words = this.numbered(id, this.width);
      at = 0;
    }
    this.backend.expand(id, words, at, this.#isInOrder ? this.levels.length - 1 : this.#depth);
  }

  #letGo(chunk: number): void {
    this.#ledger.free(this.queue[chunk]!);
    this.queue[chunk] = NOTHING;
  }

  #keep(words: Words, at: number): void {
    this.count = this.backend.count;
    const { width } = this;
    const to = this.#isQueued ? this.queue[this.count >>> CHUNK_BITS]! : this.top;
    const there = this.#isQueued ? (this.count & CHUNK_MASK) * width : 0;
    for (let k = 0; k < width; k++) to[there + k] = words[at + k]!;
  }

  #growQueue(): boolean {
    if (this.count + 1 < this.queue.length << CHUNK_BITS) return true;
    const chunk = this.#ledger.allocate(this.width << CHUNK_BITS);
    if (!chunk) return false;
    this.queue.push(chunk);
    this.strides.push(this.width);
    return true;
  }

  /** The chunk that states are still put into gets the current width. */
  #relay(index: number): boolean {
    const [old, stride] = [this.queue[index]!, this.strides[index]!];
    const chunk = this.#ledger.allocate(this.width << CHUNK_BITS);
    if (!chunk) return false;
    for (let i = 0; i <= CHUNK_MASK; i++)
      chunk.set(old.subarray(i * stride, (i + 1) * stride), i * this.width);
    this.#ledger.free(old);
    this.queue[index] = chunk;
    this.strides[index] = this.width;
    return true;
  }
}

const CHUNK_BITS = 10;
const CHUNK_MASK = (1 << CHUNK_BITS) - 1;
const NOTHING = new Int32Array(0);

function extended(state: Words, width: number): Words {
  const wide = new Int32Array(Math.max(width, state.length));
  wide.set(state);
  return wide;
}

const common = (width: number): Pick<LoopCode, "bindings" | "head" | "locals" | "note" | "isFull"> => ({
  bindings: { wide: new Int32Array(width) },
  head: "",
  locals: "let count = store.count; const room = store.room;",
  note: "",
  isFull: "count === room",
});

const queueCode = (width: number): LoopCode => ({
  ...common(width),
  load: () => {
    throw new Error("breadth-first search has no stack");
  },
  loadNumbered: `
let from = store.queue[id >>> ${CHUNK_BITS}], fromAt = (id & ${CHUNK_MASK}) * ${width};
if (store.strides[id >>> ${CHUNK_BITS}] !== ${width}) {
  from = store.numbered(id, ${width});
  fromAt = 0;
}`,
  prepare: (_, onFailure) => `let touched = 0;\nif (!store.backend.reserveLinks(length)) ${onFailure}`,
  entry: (i) => `const at = (${i}) * ${width};`,
  find: (onFound) => `if (store.has(words, at, i)) ${onFound}`,
  insert: (parent, position) => `store.append(words, at, i, ${position}, ${parent}); count = store.count;`,
  ref: ["count"],
  wait: () => "",
  resume: () => "",
});

/** The loop keeps a `slot` between find and insert; here it means nothing. */
const stackCode = (width: number, isNumbered: boolean): LoopCode => ({
  ...common(width),
  load: ([ref]) => `const from = store.top, fromAt = 0;\nstore.expandTop(${ref}, height - 1);`,
  loadNumbered: "",
  prepare: (_, onFailure) => `let touched = 0;\nif (!store.backend.reserveLinks(length)) ${onFailure}`,
  entry: (i) => `const at = (${i}) * ${width}, position = ${i}, link = -1;`,
  find: (onFound) => `const slot = 0;\nif (store.has(words, at, position)) ${onFound}`,
  insert: (parent) =>
    `const entered = store.push(words, at, position, link, ${parent}, height); count = store.count;`,
  ref: [isNumbered ? "count" : "entered"],
  wait: (to, toAt) => `
${to}[${toAt}] = store.linkTo(words, at, position);
for (let k = 0; k < ${width}; k++) ${to}[${toAt} + 1 + k] = words[at + k];`,
  resume: (from, fromAt) =>
    `const words = ${from}, at = ${fromAt} + 1, position = -1, link = ${from}[${fromAt}];`,
});
