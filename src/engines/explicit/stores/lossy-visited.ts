/**
 * The lossy stores as the searches use them. They keep no states, so a path is kept as positions in lists of successors:
 * depth-first on the stack, breadth-first in a file of parents, ten bits a state. States on a path are found again by
 * running along it.
 */
import type { System, Words } from "../../../model/index.js";
import type { Ledger } from "../ledger.js";
import type { BitstateStore } from "./bitstate.js";
import type { CompactStore } from "./compact.js";
import { ParentFile } from "./parent-file.js";
import { Replay } from "./replay.js";
import type { Refusal, Visited } from "./visited.js";

export class LossyVisited implements Visited {
  readonly store: BitstateStore | CompactStore;
  refusal: Refusal | undefined;
  readonly #parents: ParentFile | undefined;
  readonly #paths: Paths;
  readonly #maxStates: number;
  readonly #add: (words: Words, at: number) => boolean | undefined;
  #width: number;
  #parent = 0;

  constructor(
    store: BitstateStore | CompactStore,
    system: System,
    options: { readonly keepsParents: boolean; readonly maxStates: number },
    ledger: Ledger,
  ) {
    this.store = store;
    this.#width = system.width;
    this.#maxStates = options.maxStates;
    this.#parents = options.keepsParents ? new ParentFile(ledger) : undefined;
    this.#paths = new Paths(system);
    this.#add = adder(store, () => this.#width);
  }

  get count(): number {
    return this.store.count;
  }

  widen(width: number): void {
    this.#width = width;
  }

  expand(id: number): void {
    this.#parent = id;
  }

  has(words: Words, at: number): boolean {
    return this.store.has(words, at, this.#width);
  }

  link(_words: Words, _at: number, entry: number): number {
    return entry;
  }

  addSuccessor(words: Words, at: number, entry: number): number {
    return this.add(words, at, this.#parent, entry);
  }

  add(words: Words, at: number, parent: number, link: number): number {
    if (this.count >= this.#maxStates) return this.has(words, at) ? 0 : this.#refuse("states");
    if (this.#parents && !this.#parents.reserve(this.count + 1, parent)) return this.#refuse("memory");
    const isNew = this.#add(words, at);
    if (isNew === undefined) return this.#refuse("full");
    if (!isNew) return 0;
    this.#parents?.append(this.count, parent, link);
    return this.count;
  }

  pathTo(id: number): Int32Array {
    const links: number[] = [];
    for (let at = id; at > 1; at = this.#parents!.parent(at)) links.push(this.#parents!.position(at));
    return this.#paths.keep(Int32Array.from(links.reverse()));
  }

  pathAlong(_ids: Int32Array, links: Int32Array): Int32Array {
    return this.#paths.keep(links.subarray(1)); // nothing leads to the initial state
  }

  state(id: number): Words {
    return this.#paths.state(id);
  }

  #refuse(why: Refusal): -1 {
    this.refusal = why;
    return -1;
  }
}

/** Undefined when the table is full. */
function adder(
  store: BitstateStore | CompactStore,
  width: () => number,
): (words: Words, at: number) => boolean | undefined {
  if ("bits" in store) return (words, at) => store.addIfNew(words, at, width());
  return (words, at) => {
    const answer = store.addIfNew(words, at, width());
    return answer === "full" ? undefined : answer === "new";
  };
}

/** Paths given as positions in lists of successors; their states have numbers of their own. */
class Paths {
  readonly #replay: Replay;
  readonly #system: System;
  readonly #paths: { readonly first: number; readonly links: Int32Array }[] = [];
  /** Where the last state asked for is: the next one is mostly its successor. */
  #at = 0;
  #state: Words = new Int32Array(0);

  constructor(system: System) {
    this.#system = system;
    this.#replay = new Replay(system);
  }

  /** The numbers of the states on the path. */
  keep(links: Int32Array): Int32Array {
    const last = this.#paths.at(-1);
    const first = last ? last.first + last.links.length + 1 : 1;
    this.#paths.push({ first, links });
    return Int32Array.from({ length: links.length + 1 }, (_, i) => first + i);
  }

  state(id: number): Words {
    const { first, links } = this.#paths.findLast((path) => path.first <= id)!;
    if (this.#at < first || this.#at > id) {
      this.#at = first;
      this.#state = this.#replay.initial();
    }
    for (; this.#at < id; this.#at++) {
      this.#state = extended(this.#state, this.#system.width);
      this.#replay.step(this.#state, links[this.#at - first]!);
    }
    return this.#state.slice();
  }
}

function extended(state: Words, width: number): Words {
  if (state.length >= width) return state;
  const wide = new Int32Array(width);
  wide.set(state);
  return wide;
}
