/**
 * Networks to be composed part by part: the input of the engine `compositional`. Each property has a question, whose answer the
 * composed system gives.
 */
import type { StateFormula } from "./action-logic.js";
import type { Automaton } from "./automaton.js";
import type { Formula } from "./formula.js";
import type { LtsNetwork } from "./lts.js";
import type { Subject } from "./subject.js";
import type { Property } from "./verdict.js";

export interface Composition extends Subject {
  readonly kind: "composition";
  readonly network: LtsNetwork;
  /** By name of the property. */
  readonly questions: ReadonlyMap<string, ActionQuestion>;
  /** The order of composition; absent: the engine chooses. */
  readonly hierarchy?: Hierarchy | undefined;
}

export type ActionQuestion =
  /** Is a state without transitions reachable? */
  | { readonly kind: "deadlock" }
  /** Is an error state of a part reachable, or the violating state of the part that watches? */
  | { readonly kind: "error"; readonly watcher: number | undefined }
  | { readonly kind: "states"; readonly formula: StateFormula }
  /**
   * Do all maximal runs satisfy the formula? A letter is an action that some proposition names, `letterOf` is 0 for all others, which
   * are not read. A run with finitely many letters is followed by empty ones.
   */
  | {
      readonly kind: "runs";
      readonly formula: Formula;
      /** Of the runs that violate the formula. */
      readonly automaton: Automaton;
      readonly letterOf: (label: string) => number;
      /** Letters of the formula from those of a run; absent: they are the same. No letter in the cycle: the run stays as it is. */
      readonly valuesOf?: (
        prefix: readonly number[],
        cycle: readonly number[],
      ) => { readonly prefix: readonly number[]; readonly cycle: readonly number[] };
    };

/** The parts below a node are composed at once. */
export interface Hierarchy {
  readonly name: string;
  readonly children: readonly (Hierarchy | string)[];
}

export const isComposition = (subject: Subject | undefined): subject is Composition =>
  subject?.kind === "composition";

/** A property about actions, in any logic. */
export const actionProperty = (name: string, span: Property["span"]): Property => ({
  name,
  kind: "actions",
  span,
});

/** One step of a composition. */
export interface CompositionStep {
  readonly name: string;
  readonly parts: readonly string[];
  readonly states: number;
  readonly transitions: number;
  readonly minimal: { readonly states: number; readonly transitions: number };
  /** Number of actions that other parts can still observe or join. */
  readonly exported: number;
}
