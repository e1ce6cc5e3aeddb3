/**
 * Partial-order reduction of a `RuleProgram`: which rule instances may be explored alone.
 *
 * Read `accesses.ts` (parts of the state that a text reads and writes), `instances.ts` (rule instances and their independence), then
 * `stubborn.ts` (closed sets of them). The proviso against postponing an instance forever belongs to the search.
 */
export { conjunctsOf, instancesOf, observedParts, type RuleInstance } from "./instances.js";
export { StubbornSets } from "./stubborn.js";
export { testOrder, type OrderSubject } from "./conditions.js";
