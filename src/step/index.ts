/**
 * Step code: the small language of the hot loop of a search.
 *
 * Generators (`compile/`) and search cores (`engines/explicit`) write it as text. The text is JavaScript, and runs as such if
 * the runtime or the model needs more than step code has; otherwise it becomes WebAssembly, or OpenCL C for a device.
 *
 * Read `syntax.ts` (the trees), `parse.ts`, `lower.ts` (trees to instructions), `atomics.ts` and `encode.ts` (the binary
 * format), then `instance.ts` (a module, tied to objects of the host), with `memory.ts` and `mirror.ts` under it; `opencl.ts` and its
 * neighbours print the same trees as OpenCL C.
 *
 * Always true: all ways give the same results; a trap of WebAssembly is an internal error, since the text checks every
 * operation that can fail.
 */
export { StepText, instantiateStep, type StepHost, type StepInstance } from "./instance.js";
export { StepMemory, type PlacedArray } from "./memory.js";
export { printOpenCl, type OpenClText } from "./opencl.js";
export type { OpenClNames } from "./opencl-names.js";
export { OPENCL_ARITHMETIC } from "./opencl-function.js";
export { NotStepCode } from "./syntax.js";
