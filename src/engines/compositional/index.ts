/**
 * Compositions: products that are built bottom-up, each group replaced by its quotient before it joins the next.
 *
 * Read `parts.ts` (vectors as a group of parts sees them), `compose.ts` (the order), `lift.ts` (a path of the result as steps of the parts).
 * The caller supplies exploration and minimisation, and judges the composed system.
 */
export {
  compose,
  type Composed,
  type ComposedGroup,
  type CompositionTools,
  type Culprit,
  type ProductWalk,
} from "./compose.js";
export { Cursor, type PartStep } from "./lift.js";
export { completeLabel } from "./parts.js";
