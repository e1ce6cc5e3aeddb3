/** The delta store behind the search loops. */
import type { Words } from "../../../model/index.js";
import type { LoopCode } from "../loop-code.js";
import { deltaCode } from "./delta-code.js";
import type { DeltaStore } from "./delta.js";
import type { Backend, NewEntry } from "./partial-store.js";

export class DeltaBackend implements Backend {
  readonly isNumbered = true;
  readonly store: DeltaStore;
  #parent = 0;
  #depth = 0;
  #from: Words = new Int32Array(0);
  #fromAt = 0;

  constructor(store: DeltaStore) {
    this.store = store;
  }

  get count(): number {
    return this.store.count;
  }

  get bytes(): number {
    return this.store.bytes;
  }

  widen(width: number): void {
    this.store.widen(width);
  }

  reserve(states: number): number | "no memory" | "no states" {
    return this.store.reserve(states);
  }

  reserveLinks(links: number): boolean {
    return this.store.reserveLinks(links);
  }

  expand(id: number, words: Words, at: number, depth: number): void {
    this.#parent = id;
    this.#depth = depth;
    this.#from = words;
    this.#fromAt = at;
  }

  /** A state that waited on the stack has no position: then its parent is unknown, and it keeps the one it has. */
  has(words: Words, at: number, position: number, label: number): boolean {
    const known = this.store.find(words, at);
    if (known === 0) return false;
    if (position >= 0 && this.store.isShorter(this.#depth))
      this.store.relink(known, this.#parent, this.link(words, at, position, label));
    return true;
  }

  link(words: Words, at: number, position: number, label: number): number {
    return this.store.link(this.#from, this.#fromAt, words, at, position, label);
  }

  add(words: Words, at: number, { parent, link, depth }: NewEntry, isLast: boolean): void {
    this.store.add(words, at, parent, link, depth, isLast);
  }

  parent(id: number): number {
    return this.store.parent(id);
  }

  numbered(id: number, width: number): Words {
    return this.store.state(id, width);
  }

  referred(refs: Int32Array, at: number, width: number): Words {
    return this.store.state(refs[at]!, width);
  }

  code(calls: LoopCode, isQueued: boolean): LoopCode | undefined {
    const { links, options } = this.store;
    const isPlain = links.kind === "differences" && !options.onlyForward && !options.ignoresFilter;
    return isPlain ? deltaCode(this.store, isQueued, calls) : undefined;
  }
}
