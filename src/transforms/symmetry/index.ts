/**
 * Symmetry: which scalarsets of a rule program may be renamed at will without changing what the program does.
 *
 * `plan.ts` looks for whatever singles out an element; `loops.ts` decides whether the rounds of a loop over a scalarset can change
 * places; `conditions.ts` tests in single states what they found. The representatives themselves are made by generated code (`compile/rules/codegen/canonical.ts`).
 *
 * Always true: a scalarset for which that cannot be shown is left alone, and the user is told why.
 */
export { planSymmetry, isSymmetric, type SymmetryPlan, type Refusal } from "./plan.js";
export { testSymmetry, type SymmetrySubject } from "./conditions.js";
