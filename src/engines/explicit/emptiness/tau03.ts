/**
 * `tau03` (Tauriainen 2003): generalised nested depth-first search. When a state is left, its arcs are gone through once
 * more, and inner searches carry the marks seen so far to all states behind them. A state that has received all marks when
 * it is left is on an accepting cycle. For at least one condition.
 */
import type { AcceptanceGraph } from "../../../model/index.js";
import { EmptinessSearch, type Evidence, type SearchLimits } from "./emptiness-search.js";
import { EMPTY } from "./memory.js";
import { Path } from "./path.js";

export class Tau03 extends EmptinessSearch {
  readonly #blue: Path;
  readonly #red: Path;
  /** By state: the marks received, and `VISITED`. */
  #received: Int32Array = EMPTY;
  /** Is the topmost state gone through for the second time? */
  #isSecondTime = false;
  /** What the inner search under way carries. */
  #carried = 0;

  constructor(graph: AcceptanceGraph, limits: SearchLimits) {
    super(graph, limits);
    this.#blue = new Path(graph, limits.memory);
    this.#red = new Path(graph, limits.memory);
  }

  get depth(): number {
    return this.#blue.highest - 1;
  }

  hasVisited(state: number): boolean {
    return (this.#received[state] ?? 0) !== 0;
  }

  evidence(): Evidence {
    return {
      kind: "cycle",
      start: this.#blue.top,
      isVisited: (state) => this.hasVisited(state),
      size: this.states,
    };
  }

  protected start(): void {
    this.#enter(this.graph.initial, 0);
  }

  protected step(): boolean {
    if (this.#red.height > 0) return this.#redStep();
    const blue = this.#blue;
    const arc = blue.next();
    if (arc < 0) return this.#isSecondTime ? this.#leave() : this.#goAgain();
    this.transitions++;
    const target = blue.targets[arc];
    if (this.#isSecondTime) this.#carry(target, blue.marks[arc] | this.#received[blue.top]);
    else if (this.#received[target] === 0) {
      if (blue.height > this.maxDepth) this.isCut = true;
      else this.#enter(target, blue.marks[arc]);
    }
    return true;
  }

  #goAgain(): true {
    this.#isSecondTime = true;
    this.#blue.rewind();
    return true;
  }

  #carry(target: number, marks: number): void {
    const received = this.#received[target];
    if (received === 0 || (marks & ~received) === 0) return;
    this.#carried = marks;
    this.#enterRed(target, marks);
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
    const received = this.#received[target];
    if (received !== 0 && (this.#carried & ~received) !== 0) this.#enterRed(target, red.marks[arc]);
    return true;
  }

  #enter(state: number, entry: number): void {
    const blue = this.#blue;
    blue.push(state, entry);
    if (blue.bound > this.#received.length) this.#received = this.memory.grown(this.#received, blue.bound);
    this.#received[state] = VISITED;
    this.states++;
    this.measure(blue.height);
  }

  #leave(): boolean {
    const blue = this.#blue;
    if (this.#received[blue.top] === (this.full | VISITED)) return this.finish("accepting");
    this.#isSecondTime = false;
    blue.pop();
    return blue.height > 0 || this.finish("empty");
  }

  #enterRed(state: number, entry: number): void {
    this.#received[state] |= this.#carried;
    this.#red.push(state, entry);
    this.measure(this.#blue.height + this.#red.height);
  }
}

/** Beside the marks, which are the lower 31 bits. */
const VISITED = 1 << 31;
