/**
 * Networks described in TypeScript. In: a `NetworkDescription`. Out: the same `Network` that `.sdn` texts become.
 *
 * Read `description.ts` first: what can be said. `lower.ts` makes the network of it, with `properties.ts`; `vocabulary.ts`
 * translates between names and numbers.
 */
export { lowerDescription, type LoweredDescription } from "./lower.js";
export { HandlerMistake } from "./vocabulary.js";
export type { DescribedFormula } from "./properties.js";
export * from "./description.js";
