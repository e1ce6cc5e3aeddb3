/**
 * `cou99-norem` (Couvreur 1999, as first published): `cou99` without a list of live states. It goes through the arcs of a finished component
 * again: twice the arcs, a smaller stack.
 */
import type { AcceptanceGraph } from "../../../model/index.js";
import { rankedComponent, type Evidence, type SearchLimits } from "./emptiness-search.js";
import { OpenComponents } from "./open-components.js";
import { Path } from "./path.js";
import { DEAD, RankedSearch } from "./path-search.js";

export class Cou99Norem extends RankedSearch {
  /** The second way through a finished component. */
  readonly #again: Path;
  readonly #components: OpenComponents;
  #closing = 0;

  constructor(graph: AcceptanceGraph, limits: SearchLimits) {
    super(graph, limits);
    this.#again = new Path(graph, limits.memory);
    this.#components = new OpenComponents(limits.memory, this.full);
  }

  evidence(): Evidence {
    const root = this.#components.topRoot;
    const ranks = this.ranks;
    const size = ranks.reduce((size, rank) => size + (rank >= root ? 1 : 0), 0);
    return rankedComponent(this.#closing, ranks, root, size);
  }

  protected override step(): boolean {
    if (this.#again.height > 0) return this.#removeNext();
    return this.path.height === 0 ? this.finish("empty") : super.step();
  }

  protected close(target: number, marks: number): boolean {
    // sound: test/engines/emptiness/answers.test.ts
    if (!this.#components.merge(this.ranks[target], marks)) return true;
    this.#closing = target;
    return this.finish("accepting");
  }

  protected override enter(state: number, entry: number): void {
    super.enter(state, entry);
    this.measure(this.path.height);
    this.#components.push(this.lastRank, entry);
  }

  protected leave(): boolean {
    const path = this.path;
    const state = path.top;
    const root = this.ranks[state];
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
      if (this.ranks[again.targets[arc]] > 0) this.#removeAgain(again.targets[arc]);
    }
    return true;
  }

  #removeAgain(state: number): void {
    this.ranks[state] = DEAD;
    this.#again.push(state, 0);
  }
}
