/**
 * `tau03opt` (Couvreur, Duret-Lutz and Poitrenaud 2005): marks are carried as in `tau03`, but when an arc is taken, not when a
 * state is left, and the outer search counts how often each mark occurs on its path. So it sees at once when an arc back to
 * a state of the path closes an accepting cycle. For any number of conditions.
 */
import type { AcceptanceGraph } from "../../../model/index.js";
import { EmptinessSearch, type Evidence, type SearchLimits } from "./emptiness-search.js";
import { EMPTY } from "./memory.js";
import { Path } from "./path.js";

export class Tau03Opt extends EmptinessSearch {
  readonly #blue: Path;
  readonly #red: Path;
  /** By state: the marks received, and `VISITED`. */
  #received: Int32Array = EMPTY;
  /** By state: its level on the path, + 1 (cyan), else 0. */
  #levels: Int32Array = EMPTY;
  /** How many arcs of the path carry each mark; and by level what that was when the state there was entered. */
  readonly #weights: Int32Array;
  #weightsAt: Int32Array = EMPTY;
  #carried = 0;

  constructor(graph: AcceptanceGraph, limits: SearchLimits) {
    super(graph, limits);
    this.#blue = new Path(graph, limits.memory);
    this.#red = new Path(graph, limits.memory);
    this.#weights = new Int32Array(graph.conditions);
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
    if (arc < 0) return this.#leave();
    this.transitions++;
    const target = blue.targets[arc];
    if (this.#received[target] !== 0) return this.#startCarrying(target, blue.marks[arc]);
    if (blue.height > this.maxDepth) this.isCut = true;
    else this.#enter(target, blue.marks[arc]);
    return true;
  }

  /** Carries what the topmost state has, and the marks of the arc, to the arc's target. */
  #startCarrying(target: number, marks: number): boolean {
    const top = this.#blue.top;
    this.#carried = (this.#received[top] | marks) & ~VISITED;
    return this.#carry(top, target, marks);
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
    return this.#received[target] === 0 || this.#carry(red.top, target, red.marks[arc]);
  }

  #carry(source: number, target: number, marks: number): boolean {
    const received = this.#received[target];
    if (this.#levels[target] !== 0 && this.#closes(source, target)) {
      this.measure(this.#blue.height + this.#red.height + 1);
      return this.finish("accepting");
    }
    if ((this.#carried & ~received) !== 0) {
      this.#received[target] = received | this.#carried;
      this.#red.push(target, marks);
      this.measure(this.#blue.height + this.#red.height);
    }
    return true;
  }

  /** Does an arc to a state of the path close an accepting cycle? */
  #closes(source: number, target: number): boolean {
    const missing = this.full & ~(this.#received[source] | this.#carried | this.#received[target]);
    const base = (this.#levels[target] - 1) * this.#weights.length;
    for (let rest = missing; rest !== 0; rest &= rest - 1) {
      const condition = 31 - Math.clz32(rest & -rest);
      if (this.#weights[condition] <= this.#weightsAt[base + condition]) return false;
    }
    return true;
  }

  #enter(state: number, entry: number): void {
    const blue = this.#blue;
    blue.push(state, entry);
    if (blue.bound > this.#received.length) {
      this.#received = this.memory.grown(this.#received, blue.bound);
      this.#levels = this.memory.grown(this.#levels, blue.bound);
    }
    this.#received[state] = VISITED;
    this.#levels[state] = blue.height;
    this.#weigh(entry, 1);
    this.#keepWeights();
    this.states++;
    this.measure(blue.height);
  }

  #weigh(marks: number, amount: number): void {
    for (let rest = marks; rest !== 0; rest &= rest - 1)
      this.#weights[31 - Math.clz32(rest & -rest)] += amount;
  }

  #keepWeights(): void {
    const base = (this.#blue.height - 1) * this.#weights.length;
    if (base + this.#weights.length > this.#weightsAt.length)
      this.#weightsAt = this.memory.grown(this.#weightsAt, base + this.#weights.length);
    for (let i = 0; i < this.#weights.length; i++) this.#weightsAt[base + i] = this.#weights[i];
  }

  #leave(): boolean {
    const blue = this.#blue;
    const state = blue.top;
    const entry = blue.entries[blue.height - 1];
    blue.pop();
    this.#levels[state] = 0;
    if (blue.height === 0) return this.finish("empty");
    this.#weigh(entry, -1); // before the arc is looked at: it is no longer on the path
    return this.#startCarrying(state, entry);
  }
}

/** Beside the marks, which are the lower 31 bits. */
const VISITED = 1 << 31;
