/**
 * What is asked of infinite executions: a formula that all of them are to satisfy, or a claim that none may match.
 *
 * Both speak of numbered propositions, conditions that have a truth value in every nominal state; bit `i` of a valuation is
 * proposition `i` of the property. A finite execution counts as one that stays in its last state for ever.
 */
import type { Automaton } from "./automaton.js";
import type { Span } from "./diagnostic.js";
import type { Formula } from "./formula.js";
import type { System, Words } from "./system.js";
import type { Property } from "./verdict.js";

export interface TemporalProperty extends Property {
  /** At most `MOST_PROPOSITIONS`. */
  readonly propositions: readonly Proposition[];
  readonly requirement: Requirement;
  /** Why a search that finds nothing proves nothing: it asks for something that no nominal state shows. */
  readonly unseen?: string | undefined;
  /** Control can go round inside an atomic sequence: an execution that stays there for ever passes no nominal state. */
  readonly mayStayInside?: boolean;
}

/** A condition over a state. `ObservedSystem.valuation` evaluates it; models that are compiled keep it as an expression (`program.ts`, `rules.ts`). */
export interface Proposition {
  /** As the user wrote it, on one line. */
  readonly name: string;
}

export type Requirement =
  /** Every execution satisfies the formula. */
  | { readonly kind: "satisfies"; readonly formula: Formula }
  /** No execution is accepted by the automaton. */
  | { readonly kind: "avoids"; readonly claim: Claim };

export interface Claim {
  readonly automaton: Automaton;
  /**
   * States that are an error as soon as they are entered: the automaton accepts everything from there on.
   */
  readonly errors: readonly ClaimError[];
}

export interface ClaimError {
  readonly state: number;
  readonly message: string;
  readonly span: Span | undefined;
}

/** Which executions count: all, or those in which no agent waits for ever that can move all the time (`weak`), or again and again (`strong`). */
export type Fairness = "none" | "weak" | "strong";

/** A system whose states can be asked for the propositions of temporal properties. */
export interface ObservedSystem extends System {
  /**
   * The propositions of property `index` in a nominal state; `~site` (negative) if one of them cannot be evaluated: the
   * fault it is.
   */
  valuation(index: number, state: Words, at: number): number;
}

/** Facet of a model: what the search for infinite executions needs beyond its system. */
export interface Temporal {
  readonly properties: readonly TemporalProperty[];
  /** The model's system. */
  readonly system: ObservedSystem;
  /** The fine-grained system of the model, likewise: the propositions once more, by the other semantics. */
  readonly steps: ObservedSystem;
  /** The same states and successors as `system`, with agents as labels. Made when first asked for. */
  labelled(): ObservedSystem;
  /** At most so many agents, if it is known beforehand. */
  readonly agents: number | undefined;
}
