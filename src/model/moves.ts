/**
 * The steps of a `Program` as its own edges. Rewritten programs are mapped back by them, and the conditions of reductions are
 * tested on them: a statement can be looked for again in another state.
 */
import type { Edge } from "./program.js";
import type { Explainer, Words } from "./system.js";

/** One step: whose, and by which statement. */
export interface Move {
  readonly process: number;
  /** Undefined for a fault in a `provided` clause. */
  readonly edge: Edge | undefined;
  /** The other half of a rendezvous. */
  readonly partner: { readonly process: number; readonly edge: Edge } | undefined;
}

/** A step with its target. */
export interface Taken extends Move {
  /** Undefined: it fails, and has no successor. */
  readonly state: Words | undefined;
  /** The first fault, or -1. */
  readonly fault: number;
  /** Inside an atomic sequence: the state is invisible. */
  readonly isIntermediate: boolean;
}

/** A program that is run statement by statement. States are as long as they need to be, so that equal ones have equal words. */
export interface Stepping extends Explainer {
  /** Earlier words do not distinguish states. */
  readonly compareFrom: number;
  /** The entries of `successors` there, in their order. */
  takenAt(state: Words): readonly Taken[];
  /** The values of all properties in a state: equal texts for equal values. */
  observe(state: Words): string;
}
