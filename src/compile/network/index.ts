/**
 * A `Network` as a `Model`: its concrete semantics, or a reduced one.
 *
 * Read `machine.ts` first: the successor function, with `config.ts` for the ways in which it can differ from the concrete
 * semantics. `bags.ts` keeps multisets, `symbols.ts` packets, rules and controller states, `control-queues.ts` what is
 * between controller and switches, `delivery.ts` where packets go. `model.ts` makes a `Model` of it, `explain.ts`
 * says it to people, `murphi/` writes it as a model in another language.
 *
 * Always true: the order of steps depends on the state's contents, never on what was met before, so that a list of choices
 * means the same in every run.
 */
export { concreteConfig, type NetworkConfig } from "./config.js";
export { compileNetwork, type NetworkModel } from "./model.js";
export { murphiOf, type MurphiText } from "./murphi/index.js";
export { ruleKey } from "./symbols.js";
export { showPacket, showRule } from "./explain.js";
