/** `node:console`: the global one. */
export const { log, info, debug, warn, error, trace, dir, table, group, groupEnd, count, time, timeEnd } =
  globalThis.console;
export default globalThis.console;
