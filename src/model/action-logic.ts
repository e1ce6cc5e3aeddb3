/**
 * Branching-time formulas over actions: action-based CTL with regular modalities, and the alternation-free μ-calculus. They hold in
 * states of a labelled transition system. A path is maximal if it is infinite or ends in a state without transitions.
 */
import { TAU_NAME } from "./lts.js";

/** Actions by name; τ is `TAU_NAME`. */
export type ActionSet =
  | { readonly kind: "any" }
  | { readonly kind: "tau" }
  | { readonly kind: "label"; readonly label: string }
  | { readonly kind: "where"; readonly text: string; readonly has: (label: string) => boolean }
  | { readonly kind: "not"; readonly of: ActionSet }
  | { readonly kind: "and" | "or"; readonly left: ActionSet; readonly right: ActionSet };

export type StateFormula =
  | { readonly kind: "true" | "false" | "deadlock" }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "not"; readonly of: StateFormula }
  | { readonly kind: "and" | "or"; readonly left: StateFormula; readonly right: StateFormula }
  /** Some transition of the set leads to `of`, or all do. */
  | { readonly kind: "diamond" | "box"; readonly by: ActionSet; readonly of: StateFormula }
  /** Some path of `by` through `during` reaches `then`; or every maximal path does so, by `by` alone. */
  | {
      readonly kind: "exists-until" | "all-until";
      readonly during: StateFormula;
      readonly by: ActionSet;
      readonly then: StateFormula;
    }
  /** Some maximal path of `by` stays in `of`. */
  | { readonly kind: "exists-always"; readonly by: ActionSet; readonly of: StateFormula }
  | { readonly kind: "least" | "greatest"; readonly name: string; readonly of: StateFormula };

export function contains(set: ActionSet, label: string): boolean {
  switch (set.kind) {
    case "any":
      return true;
    case "tau":
      return label === TAU_NAME;
    case "label":
      return label === set.label;
    case "where":
      return label !== TAU_NAME && set.has(label);
    case "not":
      return !contains(set.of, label);
    case "and":
      return contains(set.left, label) && contains(set.right, label);
    case "or":
      return contains(set.left, label) || contains(set.right, label);
  }
}

/** Every set of actions in the formula. */
export function actionSetsOf(formula: StateFormula): ActionSet[] {
  switch (formula.kind) {
    case "true":
    case "false":
    case "deadlock":
    case "variable":
      return [];
    case "not":
    case "least":
    case "greatest":
      return actionSetsOf(formula.of);
    case "and":
    case "or":
      return [...actionSetsOf(formula.left), ...actionSetsOf(formula.right)];
    case "diamond":
    case "box":
    case "exists-always":
      return [formula.by, ...actionSetsOf(formula.of)];
    case "exists-until":
    case "all-until":
      return [formula.by, ...actionSetsOf(formula.during), ...actionSetsOf(formula.then)];
  }
}
