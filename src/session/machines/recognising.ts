/** Recognises files with XState machines by their imports. */

/** Does the text import from XState, and define neither a system of nodes nor tests? */
export const exportsMachines = (text: string): boolean =>
  IMPORTS_XSTATE.test(text) && !DEFINES_SYSTEM.test(text);

const IMPORTS_XSTATE =
  /^[ \t]*(?:import|export)\s+(?!type\b)[^"'`;]*?from\s*["'](?:xstate(?:\/[^"']*)?|everypath\/machines)["']/m;
const DEFINES_SYSTEM = /^[ \t]*import\s+(?!type\b)[^"'`;]*?from\s*["']everypath\/system["']/m;
