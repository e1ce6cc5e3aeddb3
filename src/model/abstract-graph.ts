/** Abstract states that an analysis by predicates has explored, and the steps between them: to draw and to compare. */

/** `ase`: what was explored; `must` and `weak`: what must steps reach from the first states. */
export type AbstractModel = "must" | "weak" | "ase";

export interface AbstractGraph {
  /** The states are restricted to this model, and no predicate was added. */
  readonly model: AbstractModel | undefined;
  readonly states: readonly AbstractState[];
  readonly edges: readonly AbstractEdge[];
}

export interface AbstractState {
  /** Values of explicit variables. */
  readonly values: readonly { readonly name: string; readonly value: string }[];
  /** Conditions that hold in all of its concrete states, one per predicate. */
  readonly formulas: readonly string[];
  readonly isInitial: boolean;
  /** It violates the property. */
  readonly isError: boolean;
}

export interface AbstractEdge {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  /** Every concrete state of the source has a successor in the target. */
  readonly isExact: boolean;
  /** On the loop of a lasso. */
  readonly isLoop: boolean;
  /** In the trap: the states that no step leaves, which prove the property. */
  readonly isTrap: boolean;
}
