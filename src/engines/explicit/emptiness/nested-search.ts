/**
 * Shared by the nested depth-first searches: an outer (blue) search, an inner (red) one, started by it, that runs until
 * its path is empty, and a note for each visited state.
 */
import type { AcceptanceGraph } from "../../../model/index.js";
import { SteppedSearch, type Evidence, type SearchLimits } from "./emptiness-search.js";
import { EMPTY } from "./memory.js";
import { Path } from "./path.js";

export abstract class NestedSearch extends SteppedSearch {
  protected readonly blue: Path;
  protected readonly red: Path;
  /** By state: the algorithm's note; 0 until visited. */
  protected notes: Int32Array = EMPTY;

  constructor(graph: AcceptanceGraph, limits: SearchLimits) {
    super(graph, limits);
    this.blue = new Path(graph, limits.memory);
    this.red = new Path(graph, limits.memory);
  }

  get depth(): number {
    return this.blue.highest - 1;
  }

  hasVisited(state: number): boolean {
    return (this.notes[state] ?? 0) !== 0;
  }

  evidence(): Evidence {
    return {
      kind: "cycle",
      start: this.blue.top,
      isVisited: (state) => this.hasVisited(state),
      size: this.states,
    };
  }

  protected start(): void {
    this.enter(this.graph.initial, 0);
  }

  protected step(): boolean {
    if (this.red.height > 0) return this.#redStep();
    const arc = this.blue.next();
    if (arc < 0) return this.leave();
    this.transitions++;
    return this.take(this.blue.targets[arc]!, this.blue.marks[arc]!);
  }

  /** An arc of the topmost state of the outer search; false when the search is over. */
  protected abstract take(target: number, marks: number): boolean;
  /** All arcs of the topmost state of the outer search were taken. */
  protected abstract leave(): boolean;
  /** An arc of the topmost state of the inner search. */
  protected abstract takeRed(target: number, marks: number): boolean;

  /** A state that the outer search has not visited, unless it is too deep. */
  protected descend(state: number, entry: number): true {
    // sound: test/engines/emptiness/answers.test.ts
    if (this.blue.height > this.maxDepth) this.isCut = true;
    else this.enter(state, entry);
    return true;
  }

  protected abstract enter(state: number, entry: number): void;

  protected enterAs(note: number, state: number, entry: number): void {
    const { blue } = this;
    blue.push(state, entry);
    if (blue.bound > this.notes.length) this.notes = this.memory.grown(this.notes, blue.bound);
    this.notes[state] = note;
    this.states++;
    this.measure(blue.height);
  }

  protected enterRedAs(note: number, state: number, entry: number): void {
    this.notes[state] = note;
    this.red.push(state, entry);
    this.measure(this.blue.height + this.red.height);
  }

  /** The current arc closes an accepting cycle. */
  protected closed(): false {
    this.measure(this.blue.height + this.red.height + 1);
    return this.finish("accepting");
  }

  #redStep(): boolean {
    const { red } = this;
    const arc = red.next();
    if (arc < 0) {
      red.pop();
      return true;
    }
    this.transitions++;
    return this.takeRed(red.targets[arc]!, red.marks[arc]!);
  }
}
