/**
 * Tarjan's algorithm on the fly, one step at a time: returns each strongly connected component that contains an arc when it
 * is complete. A single state without a self-loop is trivial and skipped.
 */
import type { AcceptanceGraph } from "../../../model/index.js";
import { EMPTY, type Memory } from "./memory.js";
import { Path } from "./path.js";

export class ComponentSearch {
  states = 0;
  transitions = 0;
  /** The most live states at once. */
  stack = 0;
  isCut = false;
  readonly #path: Path;
  readonly #memory: Memory;
  readonly #maxDepth: number;
  /** By state: 0 for unknown, `DEAD`, or the rank. */
  #ranks: Int32Array = EMPTY;
  /** By rank: the state, the least rank known to be reachable from it, and whether it has a self-loop. */
  #live: Int32Array = EMPTY;
  #lows: Int32Array = EMPTY;
  #loops: Int32Array = EMPTY;
  #lastRank = 0;

  constructor(graph: AcceptanceGraph, memory: Memory, maxDepth = Infinity) {
    this.#path = new Path(graph, memory);
    this.#memory = memory;
    this.#maxDepth = maxDepth;
  }

  get isIdle(): boolean {
    return this.#path.height === 0;
  }

  get depth(): number {
    return this.#path.highest - 1;
  }

  hasVisited(state: number): boolean {
    return (this.#ranks[state] ?? 0) !== 0;
  }

  /** Starts a search from an unvisited state; only when idle. */
  enter(state: number): void {
    const path = this.#path;
    path.push(state, 0);
    const bound = Math.max(path.bound, state + 1);
    if (bound > this.#ranks.length) this.#ranks = this.#memory.grown(this.#ranks, bound);
    const rank = ++this.#lastRank;
    if (rank >= this.#live.length) {
      this.#live = this.#memory.grown(this.#live, rank + 1);
      this.#lows = this.#memory.grown(this.#lows, rank + 1);
      this.#loops = this.#memory.grown(this.#loops, rank + 1);
    }
    this.#ranks[state] = this.#lows[rank] = rank;
    this.#loops[rank] = 0;
    this.#live[rank] = state;
    this.states++;
    this.stack = Math.max(this.stack, rank);
  }

  /** One step; the members of the component that it completed, if it did. */
  step(): Int32Array | undefined {
    const path = this.#path;
    const arc = path.next();
    if (arc < 0) return this.#leave();
    this.transitions++;
    const target = path.targets[arc];
    const rank = this.#ranks[target];
    // sound: test/engines/emptiness/streett.test.ts
    if (rank > 0) this.#meet(this.#ranks[path.top], rank);
    else if (rank === 0) {
      // sound: test/engines/emptiness/answers.test.ts
      if (path.height > this.#maxDepth) this.isCut = true;
      else this.enter(target);
    }
    return undefined;
  }

  /** Frees all arrays; the object cannot be used afterwards. */
  free(): void {
    this.#path.free();
    for (const array of [this.#ranks, this.#live, this.#lows, this.#loops]) this.#memory.free(array);
  }

  #meet(rank: number, target: number): void {
    if (rank === target) this.#loops[rank] = 1;
    else this.#lower(rank, target);
  }

  #lower(rank: number, low: number): void {
    // sound: test/engines/emptiness/streett.test.ts
    if (low < this.#lows[rank]) this.#lows[rank] = low;
  }

  #leave(): Int32Array | undefined {
    const path = this.#path;
    const rank = this.#ranks[path.top];
    path.pop();
    // sound: test/engines/emptiness/streett.test.ts
    if (this.#lows[rank] < rank) {
      this.#lower(this.#ranks[path.top], this.#lows[rank]);
      return undefined;
    }
    // sound: test/engines/emptiness/streett.test.ts
    const isAlone = rank === this.#lastRank && this.#loops[rank] === 0;
    const members = this.#live.slice(rank, this.#lastRank + 1);
    for (const member of members) this.#ranks[member] = DEAD;
    this.#lastRank = rank - 1;
    return isAlone ? undefined : members;
  }
}

const DEAD = -1;
