/**
 * The `Model`: a system with what is asked of it. Languages and compilers make it; engines, transforms,
 * reports and the explorer take it, and nobody asks which language it came from.
 */
import type { Coverage, Explainer, System, Words } from "./system.js";
import type { Reductions } from "./reduction.js";
import type { Property } from "./verdict.js";
import type { Site } from "./program.js";
import type { Temporal } from "./temporal.js";

export interface Model {
  /** For searching: fast, may run an atomic sequence as one step as long as it does not branch. */
  readonly system: System;
  /** For people: one step a statement. The same states outside atomic sequences; traces are made of its choices. */
  readonly steps: System & Explainer;
  readonly properties: readonly Property[];
  /** What a fault number means. */
  readonly sites: readonly Site[];
  /** Condition `index` of `invariants` in that state. */
  holds(index: number, state: Words, at: number): boolean;
  /**
   * What is asked of states, by index. Of kind `invariant`: the condition is to hold in all of them. Of kind `cover`: it is false
   * in the states to be reached. Of kind `agef`: it is true in the states that are always to stay reachable.
   */
  readonly invariants: readonly Property[];
  /** Why invariant `index` does not hold there, where there is more to say than that it does not: it cannot be evaluated. */
  whyBroken?(index: number, state: Words, at: number): string | undefined;
  /** In what way invariant `index` does not hold there: ways that differ are different errors. Absent: there is one way. */
  wayBroken?(index: number, state: Words, at: number): string;
  /** Was the cover met by a step that a search has taken? Absent: states alone meet covers. */
  isMet?(property: Property): boolean;
  /** Facet: what guides a search that looks for states unlike those it has seen. Absent: their values. */
  readonly guide?: Guide;
  /** Facet: what is asked of infinite executions. Absent: nothing. */
  readonly temporal?: Temporal;
  /** Would what grows by that step grow again when the step is repeated with more of everything? Absent: it would. */
  growsAgain?(state: Words, at: number, choice: number): boolean;
  /** Facet: ways to a smaller model. Absent: there are none. Whoever changes a model leaves them out, as its recipe. */
  readonly reductions?: Reductions;
  /** Why a state without successors is wrong, in words; absent: processes wait. */
  readonly stuck?: string;
  readonly coverage: Coverage;
  /** Statements that assigned a value which did not fit its variable and was cut; only when asked for. */
  readonly truncation?: Coverage;
  /**
   * The same system with smaller states, judged by `count` states that a search has seen. A guess: the smaller
   * system throws `LayoutExceeded` when a state does not fit.
   */
  compact?(states: (index: number) => Words, count: number): Model;
  /**
   * How to make this very model again, in another thread or from disk. Whoever changes a model and keeps the rest of it must
   * leave the recipe out, or put its change into it: otherwise the unchanged one would be made.
   */
  readonly recipe?: Recipe;
}

/** What of states matters to whoever looks for errors; the rest is bookkeeping. */
export interface Guide {
  /** The abstract state: equal texts for states that are to count as alike. It decides on the order of a search, never on its answer. */
  abstract(state: Words, at: number): string;
}

/** What a state violates by which condition `index` does not hold, in words. */
export function whyBroken(model: Model, index: number, state: Words, at: number): string {
  const { kind, name } = model.invariants[index]!;
  return (
    model.whyBroken?.(index, state, at) ??
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
  /** How states are laid out, if that was decided by what a search has seen: JSON. */
  readonly layout?: unknown;
}

/** Makes a model whose states have at least `width` words from the start. */
export type MakeModel = (recipe: Recipe, width: number) => Model | Promise<Model>;

/** A state does not fit the layout that was guessed: the search has to begin again with another model. */
export class LayoutExceeded extends Error {
  readonly retry: () => Model;

  constructor(retry: () => Model) {
    super("a state does not fit its layout");
    this.retry = retry;
  }
}
