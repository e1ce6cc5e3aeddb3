/** `node:perf_hooks`: the clock of the world. */
export const performance = globalThis.performance;
export default { performance };
