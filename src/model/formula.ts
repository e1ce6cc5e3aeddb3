/**
 * Formulas of linear temporal logic over numbered propositions. Their meaning is given beside the
 * formula (`TemporalProperty.propositions`, or the names of an automaton), so code for formulas does not depend on states.
 */
export type Formula =
  | { readonly kind: "true" }
  | { readonly kind: "false" }
  | { readonly kind: "proposition"; readonly index: number }
  | { readonly kind: "not"; readonly operand: Formula }
  | { readonly kind: TemporalUnary; readonly operand: Formula }
  | { readonly kind: BooleanBinary | TemporalBinary; readonly left: Formula; readonly right: Formula };

export type TemporalUnary = "next" | "eventually" | "always";
export type BooleanBinary = "and" | "or" | "xor" | "implies" | "equivalent";
/** `release`: right holds up to and including where left does, if ever; `strong-release`: and left does. */
export type TemporalBinary = "until" | "release" | "weak-until" | "strong-release";
