/**
 * Automata over infinite words, with acceptance on transitions: a run is accepting iff it sees every acceptance
 * condition infinitely often. Without conditions every infinite run is accepting.
 *
 * `Automaton` is an explicit one, with guards over propositions (a property). `AcceptanceGraph` is explored on the fly
 * (a product of a system and a property): the input of the emptiness checks.
 */
export interface Automaton {
  /** Names of the propositions that guards speak of, at most `MOST_PROPOSITIONS`. */
  readonly propositions: readonly string[];
  /** How many acceptance conditions, at most `MOST_CONDITIONS`; bit `i` of `marks` is condition `i`. */
  readonly conditions: number;
  readonly initial: number;
  /** Edges by source state, in the order in which they are to be tried. */
  readonly states: readonly (readonly AutomatonEdge[])[];
}

export interface AutomatonEdge {
  /** Any of these lets the edge be taken; none at all is never. */
  readonly guard: readonly Cube[];
  readonly marks: number;
  readonly to: number;
}

/** A conjunction of literals: holds for a valuation `v` iff `(v & care) === value`. */
export interface Cube {
  readonly care: number;
  readonly value: number;
}

export const MOST_PROPOSITIONS = 31;
export const MOST_CONDITIONS = 31;

/** All `n` conditions. */
export const allMarks = (n: number): number => (n === 0 ? 0 : 0x7fffffff >>> (31 - n));

/** A graph with acceptance marks on its arcs, explored as needed. States are dense numbers from 0 on. */
export interface AcceptanceGraph {
  readonly conditions: number;
  readonly initial: number;
  /** Replaces the contents of `out` by the arcs out of `state`, in a deterministic order. */
  successors(state: number, out: Arcs): void;
}

/** A growable list of arcs, reused from one call to the next. */
export class Arcs {
  targets = new Int32Array(16);
  marks = new Int32Array(16);
  count = 0;

  add(target: number, marks: number): void {
    if (this.count === this.targets.length) {
      const { targets } = this;
      this.targets = new Int32Array(2 * targets.length);
      this.targets.set(targets);
      const old = this.marks;
      this.marks = new Int32Array(2 * old.length);
      this.marks.set(old);
    }
    this.targets[this.count] = target;
    this.marks[this.count++] = marks;
  }
}
