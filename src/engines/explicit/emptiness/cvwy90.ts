/**
 * `cvwy90` (Courcoubetis, Vardi, Wolper and Yannakakis 1990): nested depth-first search. When the outer (blue) search is
 * done with an accepting arc, an inner (red) search looks for a way back to the arc's source. For at most one condition.
 *
 * The inner search starts when the outer one has finished behind the arc, never earlier: only then is it enough to
 * paint every state red once.
 */
import type { AcceptanceGraph } from "../../../model/index.js";
import { EmptinessSearch, type Evidence, type SearchLimits } from "./emptiness-search.js";
import { runFromStacks } from "./lasso.js";
import { EMPTY } from "./memory.js";
import { Path } from "./path.js";

export class Cvwy90 extends EmptinessSearch {
  readonly #blue: Path;
  readonly #red: Path;
  #colours: Int32Array = EMPTY;
  #closingMarks = 0;

  constructor(graph: AcceptanceGraph, limits: SearchLimits) {
    super(graph, limits);
    this.#blue = new Path(graph, limits.memory);
    this.#red = new Path(graph, limits.memory);
  }

  get depth(): number {
    return this.#blue.highest - 1;
  }

  hasVisited(state: number): boolean {
    return (this.#colours[state] ?? 0) !== WHITE;
  }

  evidence(): Evidence {
    return {
      kind: "cycle",
      start: this.#blue.top,
      isVisited: (state) => this.hasVisited(state),
      size: this.states,
      fromStack: () => runFromStacks(this.#blue, this.#red, this.#closingMarks, this.#blue.top),
    };
  }

  protected start(): void {
    this.#enter(this.graph.initial, 0);
  }

  protected step(): boolean {
    if (this.#red.height > 0) return this.#redStep();
    const blue = this.#blue;
    const arc = blue.next();
    if (arc < 0) return this.#leave();
    this.transitions++;
    const target = blue.targets[arc];
    if (this.#colours[target] !== WHITE) this.#finishArc(target, blue.marks[arc]);
    else if (blue.height > this.maxDepth) this.isCut = true;
    else this.#enter(target, blue.marks[arc]);
    return true;
  }

  #redStep(): boolean {
    const red = this.#red;
    const arc = red.next();
    if (arc < 0) {
      red.pop();
      return true;
    }
    this.transitions++;
    const target = red.targets[arc];
    if (target === this.#blue.top) {
      this.#closingMarks = red.marks[arc];
      this.measure(this.#blue.height + red.height + 1);
      return this.finish("accepting");
    }
    if (this.#colours[target] === BLUE) this.#enterRed(target, red.marks[arc]);
    return true;
  }

  #enter(state: number, entry: number): void {
    const blue = this.#blue;
    blue.push(state, entry);
    if (blue.bound > this.#colours.length) this.#colours = this.memory.grown(this.#colours, blue.bound);
    this.#colours[state] = BLUE;
    this.states++;
    this.measure(blue.height);
  }

  #leave(): boolean {
    const blue = this.#blue;
    const state = blue.top;
    const entry = blue.entries[blue.height - 1];
    blue.pop();
    if (blue.height === 0) return this.finish("empty");
    this.#finishArc(state, entry);
    return true;
  }

  /** The outer search is done with an arc from its topmost state. */
  #finishArc(target: number, marks: number): void {
    if (marks === this.full && this.#colours[target] === BLUE) this.#enterRed(target, marks);
  }

  #enterRed(state: number, entry: number): void {
    this.#colours[state] = RED;
    this.#red.push(state, entry);
    this.measure(this.#blue.height + this.#red.height);
  }
}

const WHITE = 0;
const BLUE = 1;
const RED = 2;
