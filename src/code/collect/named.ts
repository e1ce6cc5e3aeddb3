/** Declared tests, by their names and their suites' names. Used inside realms and by the process that runs them. */

/** Mode of a test or suite in its framework. */
export type Mode = "run" | "only" | "skip" | "todo";

/** A test declared by `everySchedule`. */
export interface DeclaredTest {
  /** From the outermost suite to the test. */
  readonly names: readonly string[];
  readonly modes: readonly Mode[];
  /** Options as JSON, in which `plainValue` replaces values that JSON lacks. */
  readonly options: string;
  readonly stack: string;
}

export interface DeclaredFile {
  readonly tests: readonly DeclaredTest[];
  /** Whether something in the file is marked `only`, including tests of the framework. */
  readonly hasOnly: boolean;
}

/** For `JSON.stringify`. */
export const plainValue = (_key: string, value: unknown): unknown =>
  typeof value === "number" && !Number.isFinite(value)
    ? { [NUMBER]: String(value) }
    : ["function", "symbol", "bigint"].includes(typeof value)
      ? { [NO_DATA]: typeof value }
      : value;

/** For `JSON.parse`; markers of non-data remain, for the reader to refuse. */
export const revivedValue = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && NUMBER in value ? Number(value[NUMBER]) : value;

const NUMBER = "everypath.number";
export const NO_DATA = "everypath.type";

/** Whether `wanted` denotes the test. It may omit the suites, or join all names, as Jest and `node:test` do. */
export const isNamed = (names: readonly string[], wanted: readonly string[]): boolean =>
  (wanted.length > 0 && wanted.every((name, i) => names.at(i - wanted.length) === name)) ||
  (wanted.length === 1 && [" ", " > "].some((between) => names.join(between) === wanted[0])); // sound: test/code/collect.test.ts
