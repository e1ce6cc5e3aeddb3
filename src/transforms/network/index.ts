/**
 * Reductions of networks: which of them the checked properties and the network allow (`gate.ts`), and how often each step of a
 * reduced trace must happen for the concrete network to follow (`demand.ts`).
 *
 * Always true: what the gate lets pass keeps every violation; for what it refuses there is an example in the tests that shows
 * why.
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
