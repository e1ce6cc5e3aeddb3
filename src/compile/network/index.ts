/**
 * A `Network` as a `Model`: its concrete semantics, or a reduced one.
 *
 * Read `state-parts.ts` first (states), then `machine.ts`, the successor function, with `environment.ts` for clients, events
 * and links, and `config.ts` for the deviations from the concrete semantics. `bags.ts` keeps multisets, `symbols.ts` packets,
 * rules and controller states, `control-queues.ts` messages between controller and switches; `delivery.ts` moves packets.
 * `model.ts` makes a `Model` of it, `explain.ts` renders it, `murphi/` writes it as a Murphi model.
 *
 * Always true: the order of steps depends on the state's contents, never on the order of discovery, so that a list of choices
 * means the same in every run.
 */
export { concreteConfig, type NetworkConfig } from "./config.js";
export { compileNetwork, type NetworkModel, type NetworkSharing } from "./model.js";
export { murphiOf, type MurphiText } from "./murphi/index.js";
export { ruleKey } from "./symbols.js";
