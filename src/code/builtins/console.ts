/** `node:console`: the global object. */
export const { log, info, debug, warn, error, trace, dir, table, group, groupEnd, count, time, timeEnd } =
  globalThis.console;
export default globalThis.console;
