/**
 * Shortest walks through a part of an acceptance graph, for the constructors of runs.
 *
 * One walker serves many searches over the same graph: its tables by state are stamped with the number of the search, so that
 * nothing has to be cleared. A component may have many millions of states.
 */
import { Arcs, type AcceptanceGraph } from "../../../model/index.js";
import type { RunStep } from "./lasso.js";

export interface Walk {
  readonly steps: readonly RunStep[];
  /** Target of the last step. */
  readonly end: number;
}

export interface WalkOptions {
  readonly from: number;
  /** States outside are not entered. */
  readonly isInside: (state: number) => boolean;
  /** The walk ends with the first arc of which this is true. */
  readonly isGoal: (target: number, marks: number, source: number) => boolean;
  /** Receives every expanded state. */
  readonly onVisit?: (state: number) => void;
}

export class Walker {
  readonly #graph: AcceptanceGraph;
  readonly #arcs = new Arcs();
  #search = 0;
  /** By state: the last search that reached it, from which state, and by an arc with which marks. */
  #reachedIn = new Int32Array(1024);
  #sources = new Int32Array(1024);
  #marks = new Int32Array(1024);
  #queue = new Int32Array(1024);

  constructor(graph: AcceptanceGraph) {
    this.#graph = graph;
  }

  /** The shortest walk with at least one arc; undefined if there is none. */
  shortest({ from, isInside, isGoal, onVisit }: WalkOptions): Walk | undefined {
    const arcs = this.#arcs;
    this.#search++;
    let length = this.#reach(from, NONE, 0, 0);
    for (let head = 0; head < length; head++) {
      const source = this.#queue[head];
      onVisit?.(source);
      this.#graph.successors(source, arcs);
      for (let i = 0; i < arcs.count; i++) {
        const target = arcs.targets[i];
        const marks = arcs.marks[i];
        if (!isInside(target)) continue;
        if (isGoal(target, marks, source))
          return { steps: [...this.#stepsTo(source), { state: source, marks }], end: target };
        if (this.#reachedIn[target] !== this.#search) length = this.#reach(target, source, marks, length);
      }
    }
    return undefined;
  }

  /** Appends a state to the queue, which has `length` states; how many it has then. */
  #reach(state: number, source: number, marks: number, length: number): number {
    if (state >= this.#reachedIn.length) {
      this.#reachedIn = enlarged(this.#reachedIn, state);
      this.#sources = enlarged(this.#sources, state);
      this.#marks = enlarged(this.#marks, state);
    }
    if (length === this.#queue.length) this.#queue = enlarged(this.#queue, length);
    this.#reachedIn[state] = this.#search;
    this.#sources[state] = source;
    this.#marks[state] = marks;
    this.#queue[length] = state;
    return length + 1;
  }

  #stepsTo(end: number): RunStep[] {
    const steps: RunStep[] = [];
    for (let state = end; this.#sources[state] !== NONE; state = this.#sources[state])
      steps.push({ state: this.#sources[state], marks: this.#marks[state] });
    return steps.reverse();
  }
}

export class StateSet {
  #isMember = new Uint8Array(1024);

  has(state: number): boolean {
    return this.#isMember[state] === 1;
  }

  add(state: number): void {
    if (state >= this.#isMember.length) {
      const old = this.#isMember;
      this.#isMember = new Uint8Array(Math.max(state + 1, 2 * old.length));
      this.#isMember.set(old);
    }
    this.#isMember[state] = 1;
  }
}

function enlarged(array: Int32Array<ArrayBuffer>, index: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(index + 1, 2 * array.length));
  larger.set(array);
  return larger;
}

const NONE = -1;
