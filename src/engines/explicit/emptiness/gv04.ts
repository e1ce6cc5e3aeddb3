/**
 * `gv04` (Geldenhuys and Valmari 2004): Tarjan's algorithm, extended by the deepest accepting arc above each state, so that
 * it notices an accepting cycle as soon as an arc closes it. For at most one condition.
 */
import { rootOf } from "./cou99-lazy.js";
import type { Evidence } from "./emptiness-search.js";
import { EMPTY } from "./memory.js";
import { PathSearch } from "./path-search.js";

export class Gv04 extends PathSearch {
  /** By state: its position on the stack + 1 when pushed; 0 for unknown. It is still there if the stack agrees. */
  #places: Int32Array = EMPTY;
  /** The stack of all live states: state, least place reachable, deepest place that an accepting arc leaves. */
  #states: Int32Array = EMPTY;
  #lows: Int32Array = EMPTY;
  #accepting: Int32Array = EMPTY;
  #top = -1;
  #isViolated = false;

  hasVisited(state: number): boolean {
    return (this.#places[state] ?? 0) !== 0;
  }

  evidence(): Evidence {
    const start = this.path.top;
    const root = rootOf(this.#lows, this.#places[start] - 1, this.#top);
    return {
      kind: "component",
      start,
      isMember: (state) => this.#isOnStack(state) && this.#places[state] - 1 >= root,
      isVisited: (state) => this.#isOnStack(state),
      size: this.#top - root + 1,
    };
  }

  protected start(): void {
    this.#enter(this.graph.initial, 0, NONE);
  }

  protected step(): boolean {
    const path = this.path;
    const arc = path.next();
    if (arc < 0) return this.#leave();
    this.transitions++;
    const target = path.targets[arc];
    const isAccepting = path.marks[arc] === this.full;
    if (this.#places[target] === 0) {
      // sound: test/engines/emptiness/answers.test.ts
      if (path.height > this.maxDepth) this.isCut = true;
      else {
        const above = isAccepting ? this.#top : this.#accepting[this.#places[path.top] - 1];
        this.#enter(target, path.marks[arc], above);
      }
      // sound: test/engines/emptiness/answers.test.ts
    } else if (this.#isOnStack(target)) {
      // sound: test/engines/emptiness/answers.test.ts
      if (isAccepting) this.#isViolated = true;
      this.#update(this.#places[path.top] - 1, this.#places[target] - 1);
    }
    return !this.#isViolated || this.finish("accepting");
  }

  #isOnStack(state: number): boolean {
    const place = this.#places[state] - 1;
    // sound: test/engines/emptiness/answers.test.ts
    return place >= 0 && place <= this.#top && this.#states[place] === state;
  }

  #enter(state: number, entry: number, accepting: number): void {
    const path = this.path;
    path.push(state, entry);
    if (path.bound > this.#places.length) this.#places = this.memory.grown(this.#places, path.bound);
    const place = ++this.#top;
    if (place === this.#states.length) {
      this.#states = this.memory.grown(this.#states, place + 1);
      this.#lows = this.memory.grown(this.#lows, place + 1);
      this.#accepting = this.memory.grown(this.#accepting, place + 1);
    }
    this.#places[state] = place + 1;
    this.#states[place] = state;
    this.#lows[place] = place;
    this.#accepting[place] = accepting;
    this.states++;
    this.measure(place + 1);
  }

  #update(place: number, other: number): void {
    const low = this.#lows[other];
    // sound: test/engines/emptiness/answers.test.ts
    if (low > this.#lows[place]) return;
    // sound: test/engines/emptiness/answers.test.ts
    if (low <= this.#accepting[place]) this.#isViolated = true;
    this.#lows[place] = low;
  }

  #leave(): boolean {
    const path = this.path;
    const place = this.#places[path.top] - 1;
    path.pop();
    const below = path.height > 0 ? this.#places[path.top] - 1 : NONE;
    if (below !== NONE) this.#update(below, place);
    // sound: test/engines/emptiness/answers.test.ts
    if (this.#lows[place] === place) this.#top = place - 1;
    if (this.#isViolated) return this.finish("accepting");
    return below !== NONE || this.finish("empty");
  }
}

const NONE = -1;
