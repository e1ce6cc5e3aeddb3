/**
 * Symmetry of rule programs: finds scalarsets whose elements can be permuted without changing the behaviour.
 *
 * `plan.ts` looks for uses that distinguish elements; `loops.ts` decides whether the iterations of a loop over a scalarset commute;
 * `conditions.ts` tests the result in single states. Generated code computes the representatives
 * (`compile/rules/codegen/canonical.ts`).
 *
 * Always true: a scalarset whose symmetry cannot be shown is not permuted, and a note gives the reason.
 */
export { planSymmetry, isSymmetric, type SymmetryPlan, type Refusal } from "./plan.js";
export { testSymmetry, type SymmetrySubject } from "./conditions.js";
