/**
 * `Reductions`: ways to a smaller model with the same answers.
 *
 * A family of models exports its reductions from where it lives, and each of its models carries them (`Model.reductions`). The pipeline in
 * `session/` groups properties by the reductions that they accept, applies those of a group together, lets an engine search the smaller
 * model, turns the traces that it finds into traces of the whole model, and replays them there. Engines and families know nothing of each other.
 *
 * Reductions of one family are applied together because they build on each other: what one leaves out, the next need not look at.
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
  /** Those of `names` that are applied only when they are asked for; absent: none. */
  readonly optional?: readonly string[];
  /** The user asked for the smaller model itself, such as a published encoding: no search of the whole model comes first. */
  readonly replacesModel?: boolean;
  /** Those that propose candidates to the search (`System.candidates`), which an engine may be unable to use; absent: none. */
  readonly proposing?: readonly string[];
  /** The wanted ones that this model rules out, whatever is asked of it; absent: none. */
  refused?(request: ReductionRequest): readonly Refusal[];
  /** Which of the wanted ones keep the answer about a property. */
  accepts(property: Property, request: ReductionRequest): Acceptance;
  /** The smaller model for properties that accept the same reductions; a temporal property comes alone. */
  apply(properties: readonly Property[], request: ReductionRequest): Reduced;
}

export interface ReductionRequest {
  readonly wanted: readonly string[];
  /** Were the wanted ones asked for by name? If not, one that leaves hardly anything out may give up. */
  readonly isAsked: boolean;
  readonly fairness: Fairness;
  /** Threads that are going to search. */
  readonly workers: number;
}

export interface Acceptance {
  readonly names: readonly string[];
  /** Why others do not keep it, where the reason lies in the property. */
  readonly refused: readonly Refusal[];
}

export interface Refusal {
  readonly name: string;
  readonly why: string;
  /** In some states only: in which. */
  readonly when?: string;
  readonly span?: Span;
}

export interface Reduced {
  /** Has the properties of the whole model, as the same objects. */
  readonly model: Model;
  /** The reductions that were applied; none: the model is the whole one. */
  readonly names: readonly string[];
  /** The wanted ones that were not applied, and why; asked after the search, which may have hindered one. */
  refused?(): readonly Refusal[];
  /** The trace of the whole model that a trace of this one stands for; undefined: it seems to stand for none. */
  concretise(trace: Trace, property: Property): Trace | undefined | Promise<Trace | undefined>;
  /** Asked after a search: the model to search instead, if this one rests on something that the search has disproved. Absent: it rests on nothing. */
  again?(findings: readonly Finding[]): Reduced | undefined;
  /** A finer model, to try when a trace stands for nothing; absent or undefined: there is none. */
  refine?(): Reduced | undefined;
  /** A shortest trace of this model stands for a shortest one of the whole model. */
  readonly keepsLengths?: boolean;
  /** How the model abstracts, where a proof by it is more than exhaustion. */
  readonly by?: string | undefined;
  /** Why nothing is proved by it; a violation counts all the same when the whole model shows it. */
  readonly doubt?: Doubt | undefined;
  /** What to try when a violation shows in this model alone. */
  readonly advice?: string | undefined;
  /** Tests in a state what the reductions rest on; absent: nothing can be tested in single states. */
  readonly test?: ConditionTest | undefined;
  /** What the answer rests on, in words for its scope; asked after the search. */
  notes?(): readonly string[];
  /** Marks in the whole model what a search of this one has reached. */
  transferCoverage(): void;
}

export interface Doubt {
  readonly reason: string;
  readonly advice: string;
}

/** Tests what a reduction rests on in one state of the model that was searched: the reduced one, or one that `compact` made of it. */
export type ConditionTest = (state: Words, model: Model) => BrokenCondition | undefined;

/** A reduction that does not keep the answer about one property. */
export const needsAllStates = ({ name, span }: Property, reduction: string, why: string): Refusal => ({
  name: reduction,
  why: `'${name}' needs all states, since ${why}`,
  ...(span ? { span } : {}),
});

/** The whole model, where nothing is reduced. */
export const unreduced = (model: Model, refused: readonly Refusal[] = []): Reduced => ({
  model,
  names: [],
  refused: () => refused,
  concretise: (trace) => trace,
  keepsLengths: true,
  transferCoverage: () => undefined,
});
