/**
 * The `Reductions` of a model: smaller models with the same answers.
 *
 * A family of models exports its reductions, and each of its models carries them (`Model.reductions`). The pipeline in `session/` groups
 * properties by the reductions that they accept, applies the reductions of a group, lets an engine search the smaller model, and concretises and
 * replays the traces. Engines and families do not depend on each other.
 *
 * A family applies its reductions together, because each builds on the result of the one before
 * (docs/decisions/reductions-in-a-check.md).
 */
import type { BrokenCondition } from "./condition.js";
import type { Span } from "./diagnostic.js";
import type { Model } from "./model.js";
import type { Words } from "./system.js";
import type { Fairness } from "./temporal.js";
import type { Trace } from "./trace.js";
import type { Finding, Property } from "./verdict.js";

export interface Reductions {
  /** In the order in which they are applied. */
  readonly names: readonly string[];
  /** Members of `names` that apply only on request; absent: none. */
  readonly optional?: readonly string[];
  /** The user selected the smaller model itself, such as a published encoding: no search of the full model comes first. */
  readonly replacesModel?: boolean;
  /** Members that propose candidates to the search (`System.candidates`), which an engine may be unable to use; absent: none. */
  readonly proposing?: readonly string[];
  /** The candidates are part of the step code (`propose`, `candidateBelow`, `expandAgent`). */
  readonly proposesInStepCode?: boolean;
  /** Requested members that are unsound for this model under all properties; absent: none. */
  refused?(request: ReductionRequest): readonly Refusal[];
  /** Requested members that preserve the verdict of a property. */
  accepts(property: Property, request: ReductionRequest): Acceptance;
  /** The smaller model for properties that accept the same reductions, or for a single temporal property. Ignores wanted ones that these do not accept. */
  apply(properties: readonly Property[], request: ReductionRequest): Reduced;
}

export interface ReductionRequest {
  readonly wanted: readonly string[];
  /** The user named them. Otherwise a reduction with little effect may give up. */
  readonly isAsked: boolean;
  readonly fairness: Fairness;
  /** Threads of the search. */
  readonly workers: number;
}

export interface Acceptance {
  readonly names: readonly string[];
  /** Reductions that this property rules out. */
  readonly refused: readonly Refusal[];
}

export interface Refusal {
  readonly name: string;
  readonly why: string;
  /** The states in which it is off, if not in all. */
  readonly when?: string;
  readonly span?: Span;
}

export interface Reduced {
  /** Has the properties of the whole model, as the same objects. */
  readonly model: Model;
  /** The reductions that were applied; none: the model is the whole one. */
  readonly names: readonly string[];
  /** Wanted reductions that were not applied. Called after the search, which may have ruled out some. */
  refused?(): readonly Refusal[];
  /** The trace of the whole model that corresponds to a trace of this one; undefined: none was found. */
  concretise(trace: Trace, property: Property): Trace | undefined | Promise<Trace | undefined>;
  /** The model to search instead, if the search disproved an assumption of this one. Absent: it assumes nothing. */
  again?(findings: readonly Finding[]): Reduced | undefined;
  /** A finer model, for a trace without a counterpart; absent or undefined: there is none. */
  refine?(): Reduced | undefined;
  /** Shortest traces of this model correspond to shortest traces of the whole model. */
  readonly keepsLengths?: boolean;
  /** Names the abstraction that a proof by this model uses. */
  readonly by?: string | undefined;
  /** The reason why this model proves nothing. Violations that replay in the whole model still count. */
  readonly doubt?: Doubt | undefined;
  /** Advice for a violation without a counterpart in the whole model. */
  readonly advice?: string | undefined;
  /** Tests the conditions of the reductions in a state. Absent: they cannot be tested in single states. */
  readonly test?: ConditionTest | undefined;
  /** Notes for the scope of the answer. Called after the search. */
  notes?(): readonly string[];
  /** Copies coverage from this model to the whole one. */
  transferCoverage(): void;
}

export interface Doubt {
  readonly reason: string;
  readonly advice: string;
}

/** Tests the conditions of a reduction in one state of the searched model: the reduced one, or its `compact` variant. */
export type ConditionTest = (state: Words, model: Model) => BrokenCondition | undefined;

/** A refusal because of one property. */
export const needsAllStates = ({ name, span }: Property, reduction: string, why: string): Refusal => ({
  name: reduction,
  why: `'${name}' needs all states, since ${why}`,
  ...(span ? { span } : {}),
});

/** The whole model as its own reduction. */
export const unreduced = (model: Model, refused: readonly Refusal[] = []): Reduced => ({
  model,
  names: [],
  refused: () => refused,
  concretise: (trace) => trace,
  keepsLengths: true,
  transferCoverage: () => undefined,
});
