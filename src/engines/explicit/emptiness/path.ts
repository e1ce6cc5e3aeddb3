/**
 * A depth-first path: its states, each with its arcs still to be taken.
 *
 * The arcs of all states of the path are in one list, each state's after its predecessor's; the topmost state's arcs end
 * where the list ends. All arcs of a state are fetched when it is entered, and stay until it is left, so that they can be
 * traversed again.
 */
import { Arcs, type AcceptanceGraph } from "../../../model/index.js";
import { EMPTY, type Memory } from "./memory.js";

export class Path {
  height = 0;
  highest = 0;
  states: Int32Array = EMPTY;
  /** By level: the marks of the arc that led there. */
  entries: Int32Array = EMPTY;
  targets: Int32Array = EMPTY;
  marks: Int32Array = EMPTY;
  /** No state that was named so far has this number or a greater one. */
  bound = 0;
  #firsts: Int32Array = EMPTY;
  #cursors: Int32Array = EMPTY;
  #arcCount = 0;
  readonly #graph: AcceptanceGraph;
  readonly #memory: Memory;
  readonly #fetched = new Arcs();

  constructor(graph: AcceptanceGraph, memory: Memory) {
    this.#graph = graph;
    this.#memory = memory;
    this.bound = graph.initial + 1;
  }

  get top(): number {
    return this.states[this.height - 1];
  }

  push(state: number, entry: number): void {
    if (this.height === this.states.length) this.#growLevels();
    const level = this.height++;
    if (this.height > this.highest) this.highest = this.height;
    this.states[level] = state;
    this.entries[level] = entry;
    this.#firsts[level] = this.#cursors[level] = this.#arcCount;
    this.#graph.successors(state, this.#fetched);
    this.#append(this.#fetched);
  }

  pop(): void {
    this.#arcCount = this.#firsts[--this.height];
  }

  /** The position in `targets` and `marks` of the topmost state's next arc; -1 if it has none left. */
  next(): number {
    const cursor = this.#cursors[this.height - 1];
    if (cursor === this.#arcCount) return -1;
    this.#cursors[this.height - 1] = cursor + 1;
    return cursor;
  }

  /** The topmost state's arcs are to be taken once more. */
  rewind(): void {
    this.#cursors[this.height - 1] = this.#firsts[this.height - 1];
  }

  /** Gives all arrays back; it cannot be used any more. */
  free(): void {
    for (const array of [this.states, this.entries, this.targets, this.marks, this.#firsts, this.#cursors])
      this.#memory.free(array);
  }

  #append(arcs: Arcs): void {
    const end = this.#arcCount + arcs.count;
    if (end > this.targets.length) {
      this.targets = this.#memory.grown(this.targets, end);
      this.marks = this.#memory.grown(this.marks, end);
    }
    for (let i = 0, at = this.#arcCount; i < arcs.count; i++, at++) {
      const target = arcs.targets[i];
      this.targets[at] = target;
      this.marks[at] = arcs.marks[i];
      if (target >= this.bound) this.bound = target + 1;
    }
    this.#arcCount = end;
  }

  #growLevels(): void {
    const levels = this.height + 1;
    this.states = this.#memory.grown(this.states, levels);
    this.entries = this.#memory.grown(this.entries, levels);
    this.#firsts = this.#memory.grown(this.#firsts, levels);
    this.#cursors = this.#memory.grown(this.#cursors, levels);
  }
}
