/**
 * `dfs`: a plain depth-first search, for weak graphs: in each strongly connected component either all arcs carry all
 * marks or none does. Then a cycle is accepting if its last arc is.
 *
 * A product is weak if the property's automaton is and the system adds no conditions of its own.
 */
import { allMarks, type Automaton } from "../../../model/index.js";
import { componentsOf } from "./components.js";
import type { Evidence } from "./emptiness-search.js";
import { EMPTY } from "./memory.js";
import { PathSearch } from "./path-search.js";

export class WeakDfs extends PathSearch {
  #colours: Int32Array = EMPTY;
  #closing = 0;

  hasVisited(state: number): boolean {
    return (this.#colours[state] ?? 0) !== WHITE;
  }

  evidence(): Evidence {
    return {
      kind: "cycle",
      start: this.#closing,
      isVisited: (state) => this.hasVisited(state),
      size: this.states,
    };
  }

  protected start(): void {
    this.#enter(this.graph.initial, 0);
  }

  protected step(): boolean {
    const path = this.path;
    const arc = path.next();
    if (arc < 0) return this.#leave();
    this.transitions++;
    const target = path.targets[arc];
    const colour = this.#colours[target];
    if (colour === WHITE) {
      // sound: test/engines/emptiness/answers.test.ts
      if (path.height > this.maxDepth) this.isCut = true;
      else this.#enter(target, path.marks[arc]);
      // sound: test/engines/emptiness/answers.test.ts
    } else if (colour === CYAN && path.marks[arc] === this.full) {
      this.#closing = target;
      return this.finish("accepting");
    }
    return true;
  }

  #enter(state: number, entry: number): void {
    const path = this.path;
    path.push(state, entry);
    if (path.bound > this.#colours.length) this.#colours = this.memory.grown(this.#colours, path.bound);
    this.#colours[state] = CYAN;
    this.states++;
    this.measure(path.height);
  }

  #leave(): boolean {
    const path = this.path;
    this.#colours[path.top] = BLUE;
    path.pop();
    return path.height > 0 || this.finish("empty");
  }
}

const WHITE = 0;
const CYAN = 1;
const BLUE = 2;

/** Does `dfs` suffice for products with this automaton? */
export function isWeak(automaton: Automaton): boolean {
  const full = allMarks(automaton.conditions);
  const component = componentsOf(automaton.states.map((edges) => edges.map((edge) => edge.to)));
  const inside = automaton.states.flatMap((edges, state) =>
    edges
      // sound: test/engines/emptiness/answers.test.ts
      .filter((edge) => component[edge.to] === component[state])
      .map(({ marks }) => ({ owner: component[state], marks })),
  );
  const united = new Map<number, number>();
  for (const { owner, marks } of inside) united.set(owner, (united.get(owner) ?? 0) | marks);
  // sound: test/engines/emptiness/answers.test.ts
  return inside.every(({ owner, marks }) => marks === full || united.get(owner) !== full);
}
