/** Shared by searches along a single depth-first path: the path and its greatest depth, and for most of them the ranks of states. */
import type { AcceptanceGraph } from "../../../model/index.js";
import { SteppedSearch, type SearchLimits } from "./emptiness-search.js";
import { EMPTY } from "./memory.js";
import { Path } from "./path.js";

export abstract class PathSearch extends SteppedSearch {
  protected readonly path: Path;

  constructor(graph: AcceptanceGraph, limits: SearchLimits) {
    super(graph, limits);
    this.path = new Path(graph, limits.memory);
  }

  get depth(): number {
    return this.path.highest - 1;
  }
}

/** A state is entered with the next rank, and is dead once its component is finished. */
export abstract class RankedSearch extends PathSearch {
  /** By state: 0 for unknown, `DEAD`, or the rank. */
  protected ranks: Int32Array = EMPTY;
  protected lastRank = 0;

  hasVisited(state: number): boolean {
    return (this.ranks[state] ?? 0) !== 0;
  }

  protected start(): void {
    this.enter(this.graph.initial, 0);
  }

  protected step(): boolean {
    const path = this.path;
    const arc = path.next();
    if (arc < 0) return this.leave();
    this.transitions++;
    const target = path.targets[arc];
    const rank = this.ranks[target];
    // sound: test/engines/emptiness/answers.test.ts
    if (rank > 0) return this.close(target, path.marks[arc]);
    if (rank === DEAD) return true;
    // sound: test/engines/emptiness/answers.test.ts
    if (path.height > this.maxDepth) this.isCut = true;
    else this.enter(target, path.marks[arc]);
    return true;
  }

  protected enter(state: number, entry: number): void {
    const path = this.path;
    path.push(state, entry);
    if (path.bound > this.ranks.length) this.ranks = this.memory.grown(this.ranks, path.bound);
    this.ranks[state] = ++this.lastRank;
    this.states++;
  }

  /** All arcs of the topmost state were taken; false when the search is over. */
  protected abstract leave(): boolean;
  /** An arc of the topmost state leads to a live one. */
  protected abstract close(target: number, marks: number): boolean;
}

export const DEAD = -1;
