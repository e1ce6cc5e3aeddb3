/**
 * Learning of assumptions: proves a safety property of components that run together without composing all of them.
 *
 * In: components, a deterministic property, and a rule. Out: assumptions and premises that imply the property, or a trace of the whole that
 * violates it. Read `rules.ts` first, then `teacher.ts` (answers to queries), `learner.ts` (L* with the counterexamples of Rivest and
 * Schapire), `automata.ts` (candidates as transition systems) and `orders.ts`. The caller composes, so there is one product.
 *
 * Always true: languages of assumptions are prefix-closed; a violation is one of all components together.
 */
export { automatonOf, assumptionLts, type Dfa } from "./automata.js";
export { Learner, type Word } from "./learner.js";
export { inOrder, orders, type Order } from "./orders.js";
export {
  assumptionOf,
  prove,
  rules,
  type Found,
  type Learned,
  type Outcome,
  type Rule,
  type RuleOptions,
} from "./rules.js";
export {
  Teacher,
  type Component,
  type Question,
  type Searched,
  type Student,
  type Tools,
} from "./teacher.js";
