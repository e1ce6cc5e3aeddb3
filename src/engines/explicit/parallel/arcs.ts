/**
 * The steps that workers find: each notes its own in a stream (`ArcBuffer`), the coordinator puts them together to a graph
 * with acceptance marks (`ArcGraph`), whose states are the ids of the shared store.
 */
import type { AcceptanceGraph, Arcs, Successors } from "../../../model/index.js";

/** A worker's stream: a state, how many steps it has, then for each where it leads and its label. */
export class ArcBuffer {
  /** By entry of the current list: the state it turned out to be. */
  targets = new Int32Array(256);
  #words = new Int32Array(1 << 12);
  #length = 0;

  /** Reserves room for the targets of a list of `entries` entries. */
  reserve(entries: number): void {
    if (this.targets.length < entries) this.targets = new Int32Array(2 * entries);
  }

  /** Notes the steps of the states from `head` on; the targets of the list are known by now. */
  log({ labels, count }: Successors, ends: Int32Array, sources: number, head: number): void {
    const needed = this.#length + 2 * (sources + count);
    if (this.#words.length < needed) this.#grow(needed);
    const words = this.#words;
    let at = this.#length;
    for (let i = 0, entry = 0; i < sources; i++) {
      const end = ends[i]!;
      words[at++] = head + i;
      words[at++] = end - entry;
      for (; entry < end; entry++) {
        words[at++] = this.targets[entry]!;
        words[at++] = labels[entry]!;
      }
    }
    this.#length = at;
  }

  /** Takes everything noted since the last call. */
  take(): Int32Array {
    const taken = this.#words.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #grow(length: number): void {
    const words = this.#words;
    this.#words = new Int32Array(2 * length);
    this.#words.set(words.subarray(0, this.#length));
  }
}

/** A graph in memory: the streams as they came, and for each state where its steps begin. */
export class ArcGraph implements AcceptanceGraph {
  readonly conditions: number;
  readonly initial = 1;
  readonly #labelMask: number;
  readonly #streams: readonly Int32Array[];
  /** By state: the stream (from 1 on; 0: not expanded) and the place of its number of steps in it. */
  readonly #places: Int32Array;

  /** `states` is larger than every id. */
  constructor(conditions: number, labelMask: number, streams: readonly Int32Array[], states: number) {
    this.conditions = conditions;
    this.#labelMask = labelMask;
    this.#streams = streams;
    this.#places = new Int32Array(2 * states);
    streams.forEach((stream, index) => {
      for (let at = 0; at < stream.length; at += 2 + 2 * stream[at + 1]!) {
        this.#places[2 * stream[at]!] = index + 1;
        this.#places[2 * stream[at]! + 1] = at + 1;
      }
    });
  }

  successors(state: number, out: Arcs): void {
    out.count = 0;
    const stream = this.#streams[this.#places[2 * state]! - 1];
    if (!stream) return;
    const at = this.#places[2 * state + 1]!;
    for (let i = 0; i < stream[at]!; i++)
      out.add(stream[at + 1 + 2 * i]!, stream[at + 2 + 2 * i]! & this.#labelMask);
  }
}
