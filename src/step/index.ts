/**
 * Step code: the small language of everything that runs in the hot loop of a search.
 *
 * Generators (`compile/`) and search cores (`engines/explicit`) write it as text. The text is JavaScript, and where the runtime or the model asks for
 * more than step code has, it is run as such; otherwise it becomes WebAssembly.
 *
 * Read `syntax.ts` (the trees), `parse.ts`, `lower.ts` (trees to instructions), `atomics.ts` and `encode.ts` (the binary format), then `instance.ts` (a module,
 * tied to objects of the host), with `memory.ts` and `mirror.ts` under it.
 *
 * Always true: both ways give the same results; a trap of WebAssembly is an internal error, since the text checks what can fail.
 */
export { StepText, instantiateStep, type StepHost, type StepInstance } from "./instance.js";
export { StepMemory, type PlacedArray } from "./memory.js";
export { NotStepCode } from "./syntax.js";
