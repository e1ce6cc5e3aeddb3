/** Temporal formulas over fluents: facts that actions make true and false. */
import type { Span } from "./diagnostic.js";
import type { Formula } from "./formula.js";

export interface Fluent {
  readonly name: string;
  readonly isInitially: boolean;
  starts(label: string): boolean;
  ends(label: string): boolean;
  readonly span: Span;
}

/** Proposition `i` is fluent `i`. A position of a run is the moment after a visible action; a run that ends stays in its last one. */
export interface FluentQuestion {
  readonly name: string;
  readonly span: Span;
  readonly formula: Formula;
  readonly fluents: readonly Fluent[];
}
