/**
 * `cou99-shy-` and `cou99-shy`: as `cou99`, but all arcs of a state are fetched at once, and those to known states are
 * handled before any new state is entered. `shy` pools the waiting arcs of a whole component: those of the state below
 * first, as they lie behind one another in one list.
 *
 * An arc that was handled leaves a hole (target `GONE`) that the next pass over the list closes.
 */
import { Arcs, type AcceptanceGraph } from "../../../model/index.js";
import { EmptinessSearch, type Evidence, type SearchLimits } from "./emptiness-search.js";
import { EMPTY } from "./memory.js";

export class Cou99Shy extends EmptinessSearch {
  readonly #pools: boolean;
  /** By state: 0 for unknown, `DEAD`, or the rank. */
  #ranks: Int32Array = EMPTY;
  #live: Int32Array = EMPTY;
  #lastRank = 0;
  #roots: Int32Array = EMPTY;
  #inside: Int32Array = EMPTY;
  #entries: Int32Array = EMPTY;
  #components = 0;
  /** The path: states, and where their waiting arcs begin. */
  #states: Int32Array = EMPTY;
  #firsts: Int32Array = EMPTY;
  #height = 0;
  #highest = 0;
  #targets: Int32Array = EMPTY;
  #marks: Int32Array = EMPTY;
  #arcCount = 0;
  #waiting = 0;
  #closing = 0;
  readonly #fetched = new Arcs();

  constructor(graph: AcceptanceGraph, limits: SearchLimits, pools: boolean) {
    super(graph, limits);
    this.#pools = pools;
  }

  get depth(): number {
    return this.#highest - 1;
  }

  hasVisited(state: number): boolean {
    return (this.#ranks[state] ?? 0) !== 0;
  }

  evidence(): Evidence {
    const root = this.#roots[this.#components - 1];
    const ranks = this.#ranks;
    return {
      kind: "component",
      start: this.#closing,
      isMember: (state) => ranks[state] >= root,
      isVisited: (state) => ranks[state] > 0,
      size: this.#lastRank - root + 1,
    };
  }

  protected start(): void {
    this.#enter(this.graph.initial, 0);
  }

  protected step(): boolean {
    if (this.#handleKnown()) return this.finish("accepting");
    const first = this.#firsts[this.#height - 1];
    if (first === this.#arcCount) return this.#leave();
    const target = this.#targets[first];
    this.#targets[first] = GONE;
    this.#waiting--;
    if (this.#height > this.maxDepth) this.isCut = true;
    else this.#enter(target, this.#marks[first]);
    return true;
  }

  /** Handles the topmost waiting arcs to known states, and closes the holes; true if a component became accepting. */
  #handleKnown(): boolean {
    let kept = this.#firsts[this.#height - 1];
    for (let arc = kept; arc < this.#arcCount; arc++) {
      const target = this.#targets[arc];
      if (target === GONE) continue;
      const rank = this.#ranks[target];
      if (rank === 0) {
        this.#targets[kept] = target;
        this.#marks[kept++] = this.#marks[arc];
        continue;
      }
      this.#targets[arc] = GONE;
      this.#waiting--;
      if (rank === DEAD) continue;
      this.#closing = target;
      if (this.#merge(rank, this.#marks[arc])) return true;
      if (this.#pools && this.#pool()) {
        // The arcs of the states below come first now. What was kept so far lies before the hole that is left.
        for (let hole = kept; hole <= arc; hole++) this.#targets[hole] = GONE;
        kept = this.#firsts[this.#height - 1];
        arc = kept - 1;
      }
    }
    this.#arcCount = kept;
    return false;
  }

  #enter(state: number, entry: number): void {
    if (this.#height === this.#states.length) {
      this.#states = this.memory.grown(this.#states, this.#height + 1);
      this.#firsts = this.memory.grown(this.#firsts, this.#height + 1);
    }
    this.#states[this.#height] = state;
    this.#firsts[this.#height++] = this.#arcCount;
    this.#highest = Math.max(this.#highest, this.#height);
    this.graph.successors(state, this.#fetched);
    this.#append(state);
    const rank = ++this.#lastRank;
    if (rank >= this.#live.length) this.#live = this.memory.grown(this.#live, rank + 1);
    this.#live[rank] = state;
    this.#ranks[state] = rank;
    this.states++;
    this.transitions += this.#fetched.count;
    this.measure(rank + this.#waiting);
    this.#pushComponent(rank, entry);
  }

  #append(state: number): void {
    const { targets, marks, count } = this.#fetched;
    let bound = state + 1;
    for (let i = 0; i < count; i++) bound = Math.max(bound, targets[i] + 1);
    if (bound > this.#ranks.length) this.#ranks = this.memory.grown(this.#ranks, bound);
    const end = this.#arcCount + count;
    if (end > this.#targets.length) {
      this.#targets = this.memory.grown(this.#targets, end);
      this.#marks = this.memory.grown(this.#marks, end);
    }
    this.#targets.set(targets.subarray(0, count), this.#arcCount);
    this.#marks.set(marks.subarray(0, count), this.#arcCount);
    this.#arcCount = end;
    this.#waiting += count;
  }

  #pushComponent(root: number, entry: number): void {
    const at = this.#components++;
    if (at === this.#roots.length) {
      this.#roots = this.memory.grown(this.#roots, at + 1);
      this.#inside = this.memory.grown(this.#inside, at + 1);
      this.#entries = this.memory.grown(this.#entries, at + 1);
    }
    this.#roots[at] = root;
    this.#inside[at] = 0;
    this.#entries[at] = entry;
  }

  #merge(rank: number, marks: number): boolean {
    let top = this.#components - 1;
    let union = marks;
    for (; rank < this.#roots[top]; top--) union |= this.#inside[top] | this.#entries[top];
    this.#components = top + 1;
    this.#inside[top] |= union;
    return this.#inside[top] === this.full;
  }

  /** Leaves the states above the topmost component's root; their arcs wait with those of the root. */
  #pool(): boolean {
    const root = this.#roots[this.#components - 1];
    const before = this.#height;
    while (this.#ranks[this.#states[this.#height - 1]] > root) this.#height--;
    return this.#height < before;
  }

  #leave(): boolean {
    const root = this.#ranks[this.#states[--this.#height]];
    if (root === this.#roots[this.#components - 1]) {
      this.#components--;
      for (let rank = root; rank <= this.#lastRank; rank++) this.#ranks[this.#live[rank]] = DEAD;
      this.#lastRank = root - 1;
    }
    return this.#height > 0 || this.finish("empty");
  }
}

const DEAD = -1;
const GONE = -1;
