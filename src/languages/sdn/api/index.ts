/**
 * Networks described in TypeScript. In: a `NetworkDescription`. Out: a `Network`, as from `.sdn` text.
 *
 * Read `description.ts` first (the API), then `lower.ts` and `properties.ts` (the network); `vocabulary.ts` translates
 * between names and indices.
 */
export { lowerDescription, type LoweredDescription } from "./lower.js";
export { HandlerMistake } from "./vocabulary.js";
export type { DescribedFormula } from "./properties.js";
export * from "./description.js";
