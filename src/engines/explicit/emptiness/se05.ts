/**
 * `se05` (Schwoon and Esparza 2005): nested depth-first search that ends as soon as it meets a state on the outer search's
 * stack (cyan), in the outer search already if the arc that closes the cycle or the one before it is accepting. For at most
 * one condition.
 */
import type { AcceptanceGraph } from "../../../model/index.js";
import { EmptinessSearch, type Evidence, type SearchLimits } from "./emptiness-search.js";
import { runFromStacks } from "./lasso.js";
import { EMPTY } from "./memory.js";
import { Path } from "./path.js";

export class Se05 extends EmptinessSearch {
  readonly #blue: Path;
  readonly #red: Path;
  #colours: Int32Array = EMPTY;
  #closing = 0;
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
      start: this.#closing,
      isVisited: (state) => this.hasVisited(state),
      size: this.states,
      fromStack: () => runFromStacks(this.#blue, this.#red, this.#closingMarks, this.#closing),
    };
  }

  protected start(): void {
    this.#enter(this.graph.initial, NO_ARC);
  }

  protected step(): boolean {
    if (this.#red.height > 0) return this.#redStep();
    const blue = this.#blue;
    const arc = blue.next();
    if (arc < 0) return this.#leave();
    this.transitions++;
    const target = blue.targets[arc];
    const marks = blue.marks[arc];
    const colour = this.#colours[target];
    if (colour === WHITE) {
      if (blue.height > this.maxDepth) this.isCut = true;
      else this.#enter(target, marks);
    } else if (colour === CYAN && this.#closes(target, marks)) return this.#report(target, marks);
    else if (marks === this.full && colour !== RED) this.#enterRed(target, marks);
    return true;
  }

  /** On a self-loop the arc that led to the state is no part of the cycle. */
  #closes(target: number, marks: number): boolean {
    const blue = this.#blue;
    return marks === this.full || (target !== blue.top && blue.entries[blue.height - 1] === this.full);
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
    if (this.#colours[target] === CYAN) return this.#report(target, red.marks[arc]);
    if (this.#colours[target] === BLUE) this.#enterRed(target, red.marks[arc]);
    return true;
  }

  #report(target: number, marks: number): false {
    this.#closing = target;
    this.#closingMarks = marks;
    this.measure(this.#blue.height + this.#red.height + 1);
    return this.finish("accepting");
  }

  #enter(state: number, entry: number): void {
    const blue = this.#blue;
    blue.push(state, entry);
    if (blue.bound > this.#colours.length) this.#colours = this.memory.grown(this.#colours, blue.bound);
    this.#colours[state] = CYAN;
    this.states++;
    this.measure(blue.height);
  }

  #leave(): boolean {
    const blue = this.#blue;
    const state = blue.top;
    const entry = blue.entries[blue.height - 1];
    blue.pop();
    if (blue.height === 0) return this.finish("empty");
    if (entry === this.full) this.#enterRed(state, entry);
    else this.#colours[state] = BLUE;
    return true;
  }

  #enterRed(state: number, entry: number): void {
    this.#colours[state] = RED;
    this.#red.push(state, entry);
    this.measure(this.#blue.height + this.#red.height);
  }
}

const WHITE = 0;
const CYAN = 1;
const BLUE = 2;
const RED = 3;
/** The initial state was entered by no arc: its marks are never all there are. */
const NO_ARC = -1;
