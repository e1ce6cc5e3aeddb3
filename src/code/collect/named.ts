/** Names of tests, with those of their suites. Used inside realms and by the process that runs them. */

/** Are these its names? The suites may be missing, or all may be joined, as Jest and `node:test` tell them. */
export const isNamed = (names: readonly string[], wanted: readonly string[]): boolean =>
  (wanted.length > 0 && wanted.every((name, i) => names.at(i - wanted.length) === name)) ||
  (wanted.length === 1 && [" ", " > "].some((between) => names.join(between) === wanted[0])); // sound: test/code/collect.test.ts
