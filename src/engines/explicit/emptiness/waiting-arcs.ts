/**
 * The arcs that wait along a depth-first path, level behind level, for `cou99-shy`: takes the first one of a level, and finds
 * arcs whose target has become known without scanning the others.
 *
 *   targets, marks   the arcs; a target is `GONE` when the arc has been handled.
 *   chains           arcs to the same unknown state: `#heads` by state, `#links` by arc, each a position + 1.
 *   ready            arcs to known states: a heap with the greatest position, so the uppermost level, on top.
 *
 * Scanning all waiting arcs each time took 13 s where this takes one (election, formula I: `bench:emptiness`).
 */
import type { Arcs } from "../../../model/index.js";
import { EMPTY, type Memory } from "./memory.js";

export class WaitingArcs {
  targets: Int32Array = EMPTY;
  marks: Int32Array = EMPTY;
  /** Arcs that were not handled yet. */
  count = 0;
  #end = 0;
  #heads: Int32Array = EMPTY;
  #links: Int32Array = EMPTY;
  readonly #ready: Heap;
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#ready = new Heap(memory);
  }

  /** Start of the next level. */
  get end(): number {
    return this.#end;
  }

  /** Appends the arcs of a state that becomes known with it; `ranks` marks the known states. */
  append(state: number, arcs: Arcs, ranks: Int32Array): void {
    const end = this.#end + arcs.count;
    if (end > this.targets.length) {
      this.targets = this.#memory.grown(this.targets, end);
      this.marks = this.#memory.grown(this.marks, end);
      this.#links = this.#memory.grown(this.#links, end);
    }
    if (ranks.length > this.#heads.length) this.#heads = this.#memory.grown(this.#heads, ranks.length);
    this.#makeReady(state);
    for (let i = 0, at = this.#end; i < arcs.count; i++, at++) {
      const target = arcs.targets[i];
      this.targets[at] = target;
      this.marks[at] = arcs.marks[i];
      if (ranks[target] !== 0) this.#ready.push(at);
      else {
        this.#links[at] = this.#heads[target];
        this.#heads[target] = at + 1;
      }
    }
    this.#end = end;
    this.count += arcs.count;
  }

  /** The position of an arc to a known state, at `first` or behind it, which counts as handled now; -1 if there is none. */
  takeReady(first: number): number {
    return this.#ready.top >= first ? this.#ready.pop() : -1;
  }

  /** The position of the first waiting arc at `from` or behind it, or the end. */
  firstFrom(from: number): number {
    let at = from;
    while (at < this.#end && this.targets[at] === GONE) at++;
    return at;
  }

  /** The arc at a position is handled; its target, if still unknown, stays so for other arcs. */
  remove(at: number): void {
    const target = this.targets[at];
    this.targets[at] = GONE;
    this.count--;
    if (this.#heads[target] === at + 1) this.#heads[target] = this.#links[at];
    else
      for (let link = this.#heads[target]; link !== 0; link = this.#links[link - 1])
        if (this.#links[link - 1] === at + 1) this.#links[link - 1] = this.#links[at];
  }

  /** Ends the list at a position behind which nothing waits. */
  cutAt(end: number): void {
    this.#end = end;
  }

  #makeReady(state: number): void {
    for (let link = this.#heads[state]; link !== 0; link = this.#links[link - 1])
      if (this.targets[link - 1] !== GONE) this.#ready.push(link - 1);
    this.#heads[state] = 0;
  }
}

/** Numbers, the greatest on top. */
class Heap {
  #items: Int32Array = EMPTY;
  #size = 0;
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** -1 when empty. */
  get top(): number {
    return this.#size === 0 ? -1 : this.#items[0];
  }

  push(item: number): void {
    if (this.#size === this.#items.length) this.#items = this.#memory.grown(this.#items, this.#size + 1);
    const items = this.#items;
    let at = this.#size++;
    for (let parent = (at - 1) >> 1; at > 0 && items[parent] < item; parent = (at - 1) >> 1) {
      items[at] = items[parent];
      at = parent;
    }
    items[at] = item;
  }

  pop(): number {
    const items = this.#items;
    const greatest = items[0];
    const item = items[--this.#size];
    let at = 0;
    for (let child = 1; child < this.#size; child = 2 * at + 1) {
      if (child + 1 < this.#size && items[child + 1] > items[child]) child++;
      if (items[child] <= item) break;
      items[at] = items[child];
      at = child;
    }
    items[at] = item;
    return greatest;
  }
}

const GONE = -1;
