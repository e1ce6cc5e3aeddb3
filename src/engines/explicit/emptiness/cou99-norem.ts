/**
 * `cou99-norem` (Couvreur 1999, as first published): `cou99` without a list of live states. It goes through the arcs of a finished component
 * again: twice the arcs, a smaller stack.
 */
import type { AcceptanceGraph } from "../../../model/index.js";
import { rankedComponent, type Evidence, type SearchLimits } from "./emptiness-search.js";
import { EMPTY } from "./memory.js";
import { OpenComponents } from "./open-components.js";
import { Path } from "./path.js";
import { PathSearch } from "./path-search.js";

export class Cou99Norem extends PathSearch {
  /** The second way through a finished component. */
  readonly #again: Path;
  /** By state: 0 for unknown, `DEAD`, or the rank. */
  #ranks: Int32Array = EMPTY;
  #lastRank = 0;
  readonly #components: OpenComponents;
  #closing = 0;

  constructor(graph: AcceptanceGraph, limits: SearchLimits) {
    super(graph, limits);
    this.#again = new Path(graph, limits.memory);
    this.#components = new OpenComponents(limits.memory, this.full);
  }

  hasVisited(state: number): boolean {
    return (this.#ranks[state] ?? 0) !== 0;
  }

  evidence(): Evidence {
    const root = this.#components.topRoot;
    const ranks = this.#ranks;
    const size = ranks.reduce((size, rank) => size + (rank >= root ? 1 : 0), 0);
    return rankedComponent(this.#closing, ranks, root, size);
  }

  protected start(): void {
    this.#enter(this.graph.initial, 0);
  }

  protected step(): boolean {
    if (this.#again.height > 0) return this.#removeNext();
    const path = this.path;
    if (path.height === 0) return this.finish("empty");
    const arc = path.next();
    if (arc < 0) return this.#leave();
    this.transitions++;
    const target = path.targets[arc];
    const rank = this.#ranks[target];
    if (rank === 0) {
      // sound: test/engines/emptiness/answers.test.ts
      if (path.height > this.maxDepth) this.isCut = true;
      else this.#enter(target, path.marks[arc]);
      // sound: test/engines/emptiness/answers.test.ts
    } else if (rank > 0 && this.#components.merge(rank, path.marks[arc])) {
      this.#closing = target;
      return this.finish("accepting");
    }
    return true;
  }

  #enter(state: number, entry: number): void {
    const path = this.path;
    path.push(state, entry);
    if (path.bound > this.#ranks.length) this.#ranks = this.memory.grown(this.#ranks, path.bound);
    const rank = ++this.#lastRank;
    this.#ranks[state] = rank;
    this.states++;
    this.measure(path.height);
    this.#components.push(rank, entry);
  }

  #leave(): true {
    const path = this.path;
    const state = path.top;
    const root = this.#ranks[state];
    path.pop();
    // sound: test/engines/emptiness/answers.test.ts
    if (root === this.#components.topRoot) {
      this.#components.pop();
      this.#removeAgain(state);
    }
    return true;
  }

  #removeNext(): true {
    const again = this.#again;
    const arc = again.next();
    if (arc < 0) again.pop();
    else {
      this.transitions++;
      // sound: test/engines/emptiness/answers.test.ts
      if (this.#ranks[again.targets[arc]] > 0) this.#removeAgain(again.targets[arc]);
    }
    return true;
  }

  #removeAgain(state: number): void {
    this.#ranks[state] = DEAD;
    this.#again.push(state, 0);
  }
}

const DEAD = -1;
