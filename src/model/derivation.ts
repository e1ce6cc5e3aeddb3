/** Evidence without a run of states: derivations of vectors or of tuples. Both are steps in order, each from earlier ones. */
import type { Derivation } from "./bvas.js";
import type { Span } from "./diagnostic.js";

export type Evidence = Derivation | TupleDerivation;

/** Trees of tuples; shared premises appear once. */
export interface TupleDerivation {
  readonly steps: readonly TupleStep[];
  /** The derived tuples in question. */
  readonly roots: readonly number[];
}

export interface TupleStep {
  /** `base` has no premises. */
  readonly rule: { readonly name: string; readonly span: Span };
  readonly premises: readonly number[];
  readonly tuple: string;
}

export const isOfTuples = (evidence: Evidence): evidence is TupleDerivation => "roots" in evidence;

/** Steps that nothing is derived from: the last one, or the tuples in question. */
export const rootsOf = (evidence: Evidence): readonly number[] =>
  isOfTuples(evidence) ? evidence.roots : [evidence.steps.length - 1];
