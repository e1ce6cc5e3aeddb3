/**
 * Learning of assumptions: proves a safety property of components that run together without composing all of them.
 *
 * In: components, a deterministic property, and a rule. Out: assumptions under which each component satisfies the property, or a trace of the
 * whole that violates it. Read `rules.ts` first (the teachers), then `learner.ts` (L* with the counterexamples of Rivest and Schapire) and
 * `automata.ts` (candidates as transition systems). The caller composes, so there is one product.
 *
 * Always true: languages of assumptions are prefix-closed; a violation is one of all components together.
 */
export { automatonOf, assumptionLts, type Dfa } from "./automata.js";
export { prove, rules, type Component, type Learned, type Outcome, type Rule, type Tools } from "./rules.js";
