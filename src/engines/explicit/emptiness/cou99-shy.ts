/**
 * `cou99-shy-` and `cou99-shy`: as `cou99`, but all arcs of a state are fetched at once, and arcs to known states are handled
 * before any new state is entered. `shy` pools the waiting arcs of a whole component, the lower state's first, as they are
 * consecutive in one list.
 */
import { Arcs, type AcceptanceGraph } from "../../../model/index.js";
import { SteppedSearch, rankedComponent, type Evidence, type SearchLimits } from "./emptiness-search.js";
import { EMPTY } from "./memory.js";
import { OpenComponents } from "./open-components.js";
import { WaitingArcs } from "./waiting-arcs.js";

export class Cou99Shy extends SteppedSearch {
  readonly #pools: boolean;
  /** By state: 0 for unknown, `DEAD`, or the rank. */
  #ranks: Int32Array = EMPTY;
  #live: Int32Array = EMPTY;
  #lastRank = 0;
  readonly #components: OpenComponents;
  /** The path: states, the start of their arcs, and the position before which no arc waits. */
  #states: Int32Array = EMPTY;
  #firsts: Int32Array = EMPTY;
  #cursors: Int32Array = EMPTY;
  #height = 0;
  #highest = 0;
  #closing = 0;
  readonly #waiting: WaitingArcs;
  readonly #fetched = new Arcs();

  constructor(graph: AcceptanceGraph, limits: SearchLimits, pools: boolean) {
    super(graph, limits);
    this.#pools = pools;
    this.#components = new OpenComponents(limits.memory, this.full);
    this.#waiting = new WaitingArcs(limits.memory);
  }

  get depth(): number {
    return this.#highest - 1;
  }

  hasVisited(state: number): boolean {
    return (this.#ranks[state] ?? 0) !== 0;
  }

  evidence(): Evidence {
    const root = this.#components.topRoot;
    return rankedComponent(this.#closing, this.#ranks, root, this.#lastRank - root + 1);
  }

  protected start(): void {
    this.#enter(this.graph.initial, 0);
  }

  protected step(): boolean {
    const waiting = this.#waiting;
    const ready = waiting.takeReady(this.#firsts[this.#height - 1]);
    if (ready >= 0) return this.#handle(ready);
    const first = waiting.firstFrom(this.#cursors[this.#height - 1]);
    this.#cursors[this.#height - 1] = first;
    if (first === waiting.end) return this.#leave();
    const target = waiting.targets[first];
    waiting.remove(first);
    // sound: test/engines/emptiness/answers.test.ts
    if (this.#height > this.maxDepth) this.isCut = true;
    else this.#enter(target, waiting.marks[first]);
    return true;
  }

  /** An arc to a known state. */
  #handle(arc: number): boolean {
    const target = this.#waiting.targets[arc];
    const rank = this.#ranks[target];
    this.#waiting.remove(arc);
    // sound: test/engines/emptiness/answers.test.ts
    if (rank === DEAD) return true;
    // sound: test/engines/emptiness/answers.test.ts
    if (this.#components.merge(rank, this.#waiting.marks[arc])) {
      this.#closing = target;
      return this.finish("accepting");
    }
    if (this.#pools) this.#pool();
    return true;
  }

  #enter(state: number, entry: number): void {
    if (this.#height === this.#states.length) {
      this.#states = this.memory.grown(this.#states, this.#height + 1);
      this.#firsts = this.memory.grown(this.#firsts, this.#height + 1);
      this.#cursors = this.memory.grown(this.#cursors, this.#height + 1);
    }
    this.#states[this.#height] = state;
    this.#firsts[this.#height] = this.#cursors[this.#height] = this.#waiting.end;
    this.#height++;
    this.#highest = Math.max(this.#highest, this.#height);
    this.graph.successors(state, this.#fetched);
    this.#know(state);
    this.#waiting.append(state, this.#fetched, this.#ranks);
    this.states++;
    this.transitions += this.#fetched.count;
    this.measure(this.#lastRank + this.#waiting.count);
    this.#components.push(this.#lastRank, entry);
  }

  #know(state: number): void {
    const { targets, count } = this.#fetched;
    let bound = state + 1;
    for (let i = 0; i < count; i++) bound = Math.max(bound, targets[i] + 1);
    if (bound > this.#ranks.length) this.#ranks = this.memory.grown(this.#ranks, bound);
    const rank = ++this.#lastRank;
    if (rank >= this.#live.length) this.#live = this.memory.grown(this.#live, rank + 1);
    this.#live[rank] = state;
    this.#ranks[state] = rank;
  }

  /** Leaves the states above the topmost component's root; their arcs join the root's. */
  #pool(): void {
    const root = this.#components.topRoot;
    // sound: test/engines/emptiness/answers.test.ts
    while (this.#ranks[this.#states[this.#height - 1]] > root) this.#height--;
  }

  #leave(): boolean {
    const root = this.#ranks[this.#states[--this.#height]];
    this.#waiting.cutAt(this.#firsts[this.#height]);
    // sound: test/engines/emptiness/answers.test.ts
    if (root === this.#components.topRoot) {
      this.#components.pop();
      for (let rank = root; rank <= this.#lastRank; rank++) this.#ranks[this.#live[rank]] = DEAD;
      this.#lastRank = root - 1;
    }
    return this.#height > 0 || this.finish("empty");
  }
}

const DEAD = -1;
