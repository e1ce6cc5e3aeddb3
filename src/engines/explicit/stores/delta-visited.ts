/** The delta store as the searches use it. */
import type { Words } from "../../../model/index.js";
import type { DeltaStore } from "./delta.js";
import type { Visited } from "./visited.js";

export class DeltaVisited implements Visited {
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

  get refusal() {
    return this.store.refusal;
  }

  widen(width: number): void {
    this.store.widen(width);
  }

  expand(id: number, words: Words, at: number, depth: number): void {
    this.#parent = id;
    this.#depth = depth;
    this.#from = words;
    this.#fromAt = at;
  }

  has(words: Words, at: number, entry: number, label: number): boolean {
    const known = this.store.find(words, at);
    if (known === 0) return false;
    if (this.store.isShorter(this.#depth)) {
      const link = this.link(words, at, entry, label);
      if (link >= 0) this.store.relink(known, this.#parent, link);
    }
    return true;
  }

  link(words: Words, at: number, entry: number, label: number): number {
    return this.store.link(this.#from, this.#fromAt, words, at, entry, label);
  }

  addSuccessor(words: Words, at: number, entry: number, label: number): number {
    if (this.has(words, at, entry, label)) return 0;
    return this.add(words, at, this.#parent, this.link(words, at, entry, label), this.#depth + 1);
  }

  add(words: Words, at: number, parent: number, link: number, depth: number): number {
    return this.store.add(words, at, parent, link, depth);
  }

  pathTo(id: number): Int32Array {
    const path: number[] = [];
    for (let at = id; at > 0; at = this.store.parent(at)) path.push(at);
    return Int32Array.from(path.reverse());
  }

  pathAlong(ids: Int32Array): Int32Array {
    return ids;
  }

  state(id: number): Words {
    return this.store.state(id);
  }
}
