/**
 * `cou99-lazy` (after Hammer, Knapp and Merz 2005): as `cou99`, but components are merged one at a time while states are
 * left, so that an accepting component is noticed later.
 */
import { rankedComponent, type Evidence } from "./emptiness-search.js";
import { EMPTY } from "./memory.js";
import { DEAD, RankedSearch } from "./path-search.js";

export class Cou99Lazy extends RankedSearch {
  /** By rank: the state; the least rank known to be reachable from it; the marks inside its part of the component. */
  #live: Int32Array = EMPTY;
  #lows: Int32Array = EMPTY;
  #inside: Int32Array = EMPTY;
  #found = 0;

  evidence(): Evidence {
    const root = rootOf(this.#lows, this.#found, this.lastRank);
    return rankedComponent(this.#live[this.#found], this.ranks, root, this.lastRank - root + 1);
  }

  protected close(target: number, marks: number): boolean {
    this.#join(this.ranks[this.path.top], this.ranks[target], marks);
    return true;
  }

  protected override enter(state: number, entry: number): void {
    super.enter(state, entry);
    const rank = this.lastRank;
    if (rank >= this.#live.length) {
      this.#live = this.memory.grown(this.#live, rank + 1);
      this.#lows = this.memory.grown(this.#lows, rank + 1);
      this.#inside = this.memory.grown(this.#inside, rank + 1);
    }
    this.#live[rank] = state;
    this.#lows[rank] = rank;
    this.#inside[rank] = 0;
    this.measure(rank);
  }

  #join(rank: number, low: number, marks: number): void {
    // sound: test/engines/emptiness/answers.test.ts
    if (low < this.#lows[rank]) this.#lows[rank] = low;
    this.#inside[rank] |= marks | CYCLE;
  }

  protected leave(): boolean {
    const path = this.path;
    const rank = this.ranks[path.top];
    const entry = path.entries[path.height - 1];
    // sound: test/engines/emptiness/answers.test.ts
    if (this.#lows[rank] === rank) {
      if (this.#isAccepting(rank)) return this.#report(rank);
      for (let dead = rank; dead <= this.lastRank; dead++) this.ranks[this.#live[dead]] = DEAD;
      this.lastRank = rank - 1;
      path.pop();
      return path.height > 0 || this.finish("empty");
    }
    path.pop();
    const below = this.ranks[path.top];
    this.#join(below, this.#lows[rank], this.#inside[rank] | entry);
    // sound: test/engines/emptiness/answers.test.ts
    return !this.#isAccepting(below) || this.#report(below);
  }

  #isAccepting(rank: number): boolean {
    // sound: test/engines/emptiness/answers.test.ts
    return this.#inside[rank] === (this.full | CYCLE);
  }

  #report(rank: number): false {
    this.#found = rank;
    return this.finish("accepting");
  }
}

/**
 * The least rank of the component of `rank`, as far as it is known. The lows of all ranks above count: these states are in
 * the component even if no state below has been updated yet.
 */
export function rootOf(lows: Int32Array, rank: number, lastRank: number): number {
  let root = lows[rank];
  for (let above = lastRank; above >= root; above--) if (lows[above] < root) root = lows[above];
  return root;
}

/** Bit beside the marks inside a component: it contains an arc. A single state without one is not a component. */
const CYCLE = 1 << 31;
