/** Fifty races on memory, timers, files, events, the network and services that fail. */
export { memoryRaces } from "./memory.js";
export { orderRaces } from "./order.js";
export type { Pattern, Race, Resource } from "./race.js";
export { resourceRaces } from "./resources.js";
