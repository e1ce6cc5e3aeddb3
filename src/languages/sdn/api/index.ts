/**
 * Networks described in TypeScript. In: a `NetworkDescription`. Out: the same `Network` that `.sdn` texts become.
 *
 * Read `description.ts` first: what can be said. `lower.ts` makes the network of it, with `properties.ts`; `vocabulary.ts`
 * translates between names and numbers.
 */
export { lowerDescription, type LoweredDescription } from "./lower.js";
export { HandlerMistake } from "./vocabulary.js";
export {
  allPackets,
  defineNetwork,
  type Change,
  type ClientDescription,
  type ControllerDescription,
  type EndName,
  type EventDescription,
  type EventName,
  type EventOutcome,
  type LinkEnds,
  type NetworkDescription,
  type PacketFields,
  type PacketOf,
  type PropertyClaim,
  type PropertyDescription,
  type Reply,
  type Request,
  type RuleDescription,
  type Seen,
  type SwitchCommand,
  type Where,
} from "./description.js";
