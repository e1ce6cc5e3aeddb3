/**
 * Properties of infinite executions: a formula that all of them must satisfy, or a claim that none may match.
 *
 * Both use numbered propositions, conditions that have a truth value in every nominal state; bit `i` of a valuation is
 * proposition `i` of the property. A finite execution is extended by repeating its last state.
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
  /** Reason why a clean search proves nothing: the property depends on states that are not nominal. */
  readonly unseen?: string | undefined;
  /** Control can cycle inside an atomic sequence: an execution that stays there forever visits no nominal state. */
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

/** Executions under consideration: all, or without agents that are continuously (`weak`) or infinitely often (`strong`) enabled but never move. */
export type Fairness = "none" | "weak" | "strong";

/** A system that evaluates the propositions of temporal properties in its states. */
export interface ObservedSystem extends System {
  /**
   * The propositions of property `index` in a nominal state; `~site` (negative) if one of them cannot be evaluated: the
   * fault it is.
   */
  valuation(index: number, state: Words, at: number): number;
}

/** Facet of a model: additional data for the search for infinite executions. */
export interface Temporal {
  readonly properties: readonly TemporalProperty[];
  /** The model's system. */
  readonly system: ObservedSystem;
  /** The fine-grained system of the model, likewise: the propositions once more, by the other semantics. */
  readonly steps: ObservedSystem;
  /** The same states and successors as `system`, with agents as labels. Created on first use. */
  labelled(): ObservedSystem;
  /** Maximum number of agents, if known in advance. */
  readonly agents: number | undefined;
}

/** A proposition whose value only the system can tell (`ObservedSystem.valuation`). */
export const observedProposition = (name: string): Proposition => ({ name });

/** The systems of a model, which know nothing of propositions. */
export interface Observable {
  readonly system: System;
  readonly steps: System;
  /** As `Temporal.labelled` and `Temporal.agents`. */
  labelled(): System;
  readonly agents: number | undefined;
}

/** The facet of a model whose propositions `isTrue` judges: proposition `p` of property `index` in a state. */
export function observing(
  { system, steps, labelled, agents }: Observable,
  properties: readonly TemporalProperty[],
  isTrue: (index: number, proposition: number, state: Words, at: number) => boolean,
): Temporal {
  const valuation = (index: number, state: Words, at: number): number =>
    (properties[index]?.propositions ?? []).reduce(
      (letter, _, p) => (isTrue(index, p, state, at) ? letter | (1 << p) : letter), // sound: test/model/temporal.test.ts
      0,
    );
  return {
    properties,
    system: observed(system, valuation),
    steps: observed(steps, valuation),
    labelled: () => observed(labelled(), valuation),
    agents,
  };
}

/** A search may use neither candidates nor undo: both are about the system without the property. */
const observed = (inner: System, valuation: ObservedSystem["valuation"]): ObservedSystem => ({
  get width() {
    return inner.width;
  },
  compareFrom: inner.compareFrom,
  get hasRoot() {
    return inner.hasRoot ?? false;
  },
  ...(inner.labels ? { labels: inner.labels } : {}),
  initial: (out) => inner.initial(out),
  successors: (state, at, out) => inner.successors(state, at, out),
  status: (state, at) => inner.status(state, at),
  valuation,
});
