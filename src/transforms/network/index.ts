/**
 * Reductions of networks: the reductions that the checked properties and the network allow (`gate.ts`), and the multiplicity
 * of each step of a reduced trace in the concrete network (`demand.ts`).
 *
 * Always true: an allowed reduction keeps every violation; an example in the tests justifies every refusal.
 */
export {
  gate,
  refusals,
  type Gated,
  type GateRequest,
  type NetworkReduction,
  type Refusal,
  type RefusalReason,
} from "./gate.js";
export { demandedActions, type AbstractStep, type Goal } from "./demand.js";
