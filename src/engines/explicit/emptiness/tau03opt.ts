/**
 * `tau03opt` (Couvreur, Duret-Lutz and Poitrenaud 2005): marks are carried as in `tau03`, but when an arc is taken, not when
 * a state is left, and the outer search counts the occurrences of each mark on its path. So it sees at once when an arc back
 * to a state of the path closes an accepting cycle. For any number of conditions.
 *
 * A state's note holds the marks it has received, and `VISITED`.
 */
import type { AcceptanceGraph } from "../../../model/index.js";
import type { SearchLimits } from "./emptiness-search.js";
import { EMPTY } from "./memory.js";
import { NestedSearch } from "./nested-search.js";

export class Tau03Opt extends NestedSearch {
  /** By state: its level on the path, + 1 (cyan), else 0. */
  #levels: Int32Array = EMPTY;
  /** Number of arcs of the path that carry each mark; and by level, the same when the state there was entered. */
  readonly #weights: Int32Array;
  #weightsAt: Int32Array = EMPTY;
  #carried = 0;

  constructor(graph: AcceptanceGraph, limits: SearchLimits) {
    super(graph, limits);
    this.#weights = new Int32Array(graph.conditions);
  }

  protected take(target: number, marks: number): boolean {
    return this.hasVisited(target) ? this.#startCarrying(target, marks) : this.descend(target, marks);
  }

  /** Carries the marks of the topmost state and of the arc to the arc's target. */
  #startCarrying(target: number, marks: number): boolean {
    const { top } = this.blue;
    this.#carried = (this.notes[top]! | marks) & ~VISITED;
    return this.#carry(top, target, marks);
  }

  protected takeRed(target: number, marks: number): boolean {
    return !this.hasVisited(target) || this.#carry(this.red.top, target, marks);
  }

  #carry(source: number, target: number, marks: number): boolean {
    const received = this.notes[target]!;
    // sound: test/engines/emptiness/answers.test.ts
    if (this.#levels[target] !== 0 && this.#closes(source, target)) return this.closed();
    // sound: test/engines/emptiness/answers.test.ts
    if ((this.#carried & ~received) !== 0) this.enterRedAs(received | this.#carried, target, marks);
    return true;
  }

  /** Does an arc to a state of the path close an accepting cycle? */
  #closes(source: number, target: number): boolean {
    const missing = this.full & ~(this.notes[source]! | this.#carried | this.notes[target]!);
    const base = (this.#levels[target]! - 1) * this.#weights.length;
    for (let rest = missing; rest !== 0; rest &= rest - 1) {
      const condition = 31 - Math.clz32(rest & -rest);
      // sound: test/engines/emptiness/answers.test.ts
      if (this.#weights[condition]! <= this.#weightsAt[base + condition]!) return false;
    }
    return true;
  }

  protected enter(state: number, entry: number): void {
    this.enterAs(VISITED, state, entry);
    const { bound, height } = this.blue;
    if (bound > this.#levels.length) this.#levels = this.memory.grown(this.#levels, bound);
    this.#levels[state] = height;
    this.#weigh(entry, 1);
    this.#keepWeights();
  }

  #weigh(marks: number, amount: number): void {
    for (let rest = marks; rest !== 0; rest &= rest - 1)
      this.#weights[31 - Math.clz32(rest & -rest)] += amount;
  }

  #keepWeights(): void {
    const base = (this.blue.height - 1) * this.#weights.length;
    if (base + this.#weights.length > this.#weightsAt.length)
      this.#weightsAt = this.memory.grown(this.#weightsAt, base + this.#weights.length);
    for (let i = 0; i < this.#weights.length; i++) this.#weightsAt[base + i] = this.#weights[i];
  }

  protected leave(): boolean {
    const { blue } = this;
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
