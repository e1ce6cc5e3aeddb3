/**
 * The `Model`: a system with its properties. Languages and compilers create it; engines, transforms,
 * reports and the explorer use it, independently of the language.
 */
import type { ProcessControl } from "./control.js";
import type { Span } from "./diagnostic.js";
import type { Coverage, Explainer, System, Words } from "./system.js";
import type { Numbering } from "./numbering.js";
import type { Reductions } from "./reduction.js";
import type { Property } from "./verdict.js";
import type { Site } from "./program.js";
import type { Temporal } from "./temporal.js";
import type { Trace } from "./trace.js";
import { known, nth } from "./known.js";

/** Of a model with temporal properties. */
export const temporalOf = ({ temporal }: Model): Temporal =>
  known(temporal, "the temporal part of the model");

export interface Model {
  /** For searching: fast, may execute an atomic sequence without branches as one step. */
  readonly system: System;
  /** For traces: one step a statement. The same states outside atomic sequences; traces are choices of it. */
  readonly steps: System & Explainer;
  readonly properties: readonly Property[];
  /** Descriptions of faults by number. */
  readonly sites: readonly Site[];
  /** Condition `index` of `invariants` in that state. */
  holds(index: number, state: Words, at: number): boolean;
  /**
   * Properties of states, by index. Kind `invariant`: the condition holds in all states. Kind `cover`: it is false
   * in the states to be reached. Kind `agef`: it is true in the states that must stay reachable.
   */
  readonly invariants: readonly Property[];
  /**
   * Of a property of kind `agef`: it is required only from states from which one that satisfies the premise stays reachable. Absent or
   * undefined: from all.
   */
  premise?(index: number): ((state: Words, at: number) => boolean) | undefined;
  /** Why invariant `index` does not hold there, where there is more to say than that it does not: it cannot be evaluated. */
  violationReason?(index: number, state: Words, at: number): string | undefined;
  /** Description of the violation of invariant `index`: different descriptions are different errors. Absent: there is only one. */
  violationClass?(index: number, state: Words, at: number): string;
  /** Does a run show that the formula over actions is false? Of properties of kind `actions`. */
  refutes?(property: Property, run: Pick<Trace, "choices" | "loopStart">): boolean;
  /** Was the cover met by a step that a search has taken? Absent: states alone meet covers. */
  isMet?(property: Property): boolean;
  /** Facet: features for guided search. Absent: the values of states. */
  readonly guide?: Guide;
  /** Facet: properties of infinite executions. Absent: none. */
  readonly temporal?: Temporal;
  /** Does the increase of a step repeat when the step is repeated from a larger state? Absent: yes. */
  growsAgain?(state: Words, at: number, choice: number): boolean;
  /** Facet: numbered actions. Absent: steps are distinguished by their descriptions. */
  readonly actions?: Actions;
  /** Facet: the control of processes, to be drawn. Absent: there are no processes, or their control has no locations. */
  readonly control?: ProcessControl;
  /** Facet: reductions. Absent: none. Code that changes a model must drop them, like its recipe. */
  readonly reductions?: Reductions;
  /** Why a state without successors is wrong, in words; absent: processes wait. */
  readonly stuck?: string;
  readonly coverage: Coverage;
  /** Statements that truncated an assigned value; only on request. */
  readonly truncation?: Coverage;
  /**
   * The same system with smaller states, judged by `count` states that a search has seen. A guess: the smaller
   * system throws `LayoutExceeded` when a state does not fit.
   */
  compact?(states: (index: number) => Words, count: number): Model;
  /**
   * How to rebuild this model in another thread or from disk. Code that changes a model must
   * drop the recipe or extend it: otherwise the unchanged model would be rebuilt.
   */
  readonly recipe?: Recipe;
  /** Facet: states contain numbers of parts, which a search on disk stores with them. Absent: words are contents. */
  readonly numbering?: Numbering;
}

/** Actions as numbers, without a text for each step. */
export interface Actions {
  /** The same as `Model.steps`; writes the action of each successor into `Successors.labels`. */
  readonly system: System;
  /** Names the action; undefined: it is internal. */
  nameOf(action: number): string | undefined;
  sourcesOf(action: number): readonly Span[];
  /** What is seen of a state itself, as text, for relations that compare states. Absent: only actions are seen. */
  observe?(state: Words, at: number): string;
  /** Is the action of this name one with the environment? Present with `observe`. */
  isInteraction?(name: string): boolean;
  /** The same system, started in every state that can be observed; a text: why this is impossible. */
  among?(how: Surroundings): Actions | string;
}

/** `alone`, or in an `environment` that may change the observed state at any time. */
export type Surroundings = "alone" | "environment";

/** Relevant features of states for guided search, without bookkeeping. */
export interface Guide {
  /** The abstract state: equal texts for states that are to count as alike. It decides on the order of a search, never on its answer. */
  abstract(state: Words, at: number): string;
}

/** Describes the violation of condition `index` in a state. */
export function violationReason(model: Model, index: number, state: Words, at: number): string {
  const { kind, name } = nth(model.invariants, index);
  return (
    model.violationReason?.(index, state, at) ??
    (kind === "coverability" ? `covered: ${name}` : `${kind} violated: ${name}`)
  );
}

/** A deadlock, in words. */
export function whyStuck({ properties, stuck }: Pick<Model, "properties" | "stuck">): string {
  if (stuck !== undefined) return `deadlock: ${stuck}`;
  const isTraced = properties.some(({ kind }) => kind === "trace" || kind === "notrace");
  return `deadlock: no process can move, and not all are at a valid end${isTraced ? ", or the trace is not" : ""}`;
}

/** Plain data from which `maker` makes a model: functions do not cross threads, this does. */
export interface Recipe {
  readonly maker: string;
  readonly data: unknown;
  /** Layout of states, if derived from an earlier search: JSON. */
  readonly layout?: unknown;
}

/** Makes a model whose states have at least `width` words from the start. */
export type MakeModel = (recipe: Recipe, width: number) => Model | Promise<Model>;

/** A state does not fit the layout that was guessed: the search must restart with another model. */
export class LayoutExceeded extends Error {
  readonly retry: () => Model;

  constructor(retry: () => Model) {
    super("a state does not fit its layout");
    this.retry = retry;
  }
}
