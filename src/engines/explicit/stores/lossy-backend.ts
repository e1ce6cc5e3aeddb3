/**
 * The lossy stores behind the search loops. They keep no states, so a path is kept as positions in lists of successors:
 * depth-first on the stack, otherwise in a file of parents (`parent-file.ts`). States on a path are found again by
 * running along it.
 */
import type { System, Words } from "../../../model/index.js";
import type { Ledger } from "../ledger.js";
import { BitstateStore } from "./bitstate.js";
import type { CompactStore } from "./compact.js";
import { parentsFor, type Parents } from "./parent-file.js";
import type { Backend, NewEntry } from "./partial-store.js";
import { Replay } from "./replay.js";

export class LossyBackend implements Backend {
  readonly isNumbered = false;
  readonly store: BitstateStore | CompactStore;
  readonly #parents: Parents | undefined;
  readonly #maxStates: number;
  readonly #walk: PathWalk;
  #width: number;
  #parent = 0;

  constructor(
    store: BitstateStore | CompactStore,
    system: System,
    options: { readonly order: "bfs" | "dfs" | "any"; readonly maxStates: number },
    ledger: Ledger,
  ) {
    this.store = store;
    this.#width = system.width;
    this.#maxStates = options.maxStates;
    this.#parents = parentsFor(options.order, ledger);
    this.#walk = new PathWalk(system);
  }

  get count(): number {
    return this.store.count;
  }

  get bytes(): number {
    return this.store.bytes;
  }

  widen(width: number): void {
    this.#width = width;
  }

  reserve(states: number): number | "no memory" | "no states" | "full" {
    const { count } = this.store;
    const cells = this.store instanceof BitstateStore ? Infinity : this.store.cells;
    if (count >= this.#maxStates) return "no states";
    if (count >= cells) return "full";
    const room = Math.min(count + states, this.#maxStates, cells);
    return this.#parents && !this.#parents.reserve(room, room) ? "no memory" : room;
  }

  reserveLinks(): boolean {
    return true;
  }

  expand(id: number): void {
    this.#parent = id;
  }

  has(words: Words, at: number): boolean {
    return this.store.has(words, at, this.#width);
  }

  link(_words: Words, _at: number, position: number): number {
    return position;
  }

  add(words: Words, at: number, { link }: NewEntry, isLast: boolean): void {
    if (isLast) this.store.addLast();
    else this.store.addIfNew(words, at, this.#width);
    this.#parents?.append(this.count, this.count === 1 ? 0 : this.#parent, link);
  }

  parent(id: number): number {
    return this.#parents!.parent(id);
  }

  numbered(id: number, width: number): Words {
    return this.#walk.stateOf(id, this.#parents!, width);
  }

  referred(refs: Int32Array, at: number, width: number): Words {
    return this.#walk.stateOn(refs, at, width);
  }
}

/** Runs along paths; the next state asked for is mostly a step further on the same one. */
class PathWalk {
  readonly #replay: Replay;
  readonly #system: System;
  #state: Words = new Int32Array(0);
  #id = 0;
  #refs: Int32Array | undefined;
  #at = 0;

  constructor(system: System) {
    this.#system = system;
    this.#replay = new Replay(system);
  }

  stateOf(id: number, parents: Parents, width: number): Words {
    const way: number[] = [];
    let from = id;
    for (; from > 1 && from !== this.#id; from = parents.parent(from)) way.push(parents.position(from));
    if (from !== this.#id || from === 0) this.#state = this.#replay.initial();
    for (const position of way.reverse()) this.#step(position);
    this.#id = id;
    this.#refs = undefined;
    return wideCopy(this.#state, width);
  }

  /** Reference `at` is the position of a state among the successors of the state before; the first one is the initial state's. */
  stateOn(refs: Int32Array, at: number, width: number): Words {
    if (this.#refs !== refs || this.#at > at) {
      this.#state = this.#replay.initial();
      this.#at = 0;
    }
    while (this.#at < at) this.#step(refs[++this.#at]!);
    this.#refs = refs;
    this.#id = 0;
    return wideCopy(this.#state, width);
  }

  #step(position: number): void {
    if (this.#state.length < this.#system.width) this.#state = wideCopy(this.#state, this.#system.width);
    this.#replay.step(this.#state, position);
  }
}

function wideCopy(state: Words, width: number): Words {
  const wide = new Int32Array(Math.max(width, state.length));
  wide.set(state);
  return wide;
}
