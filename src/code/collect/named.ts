/** Tests as a file declares them, by their names and those of their suites. Used inside realms and by the process that runs them. */

/** Whether a framework runs a test, or a suite, that it is told of. */
export type Mode = "run" | "only" | "skip" | "todo";

/** A body that was given to `everySchedule`. */
export interface DeclaredTest {
  /** From the outermost suite to the test. */
  readonly names: readonly string[];
  /** Likewise. */
  readonly modes: readonly Mode[];
  /** The options, as JSON in which `plainValue` stands for what JSON lacks. */
  readonly options: string;
  /** Of the call. */
  readonly stack: string;
}

export interface DeclaredFile {
  readonly tests: readonly DeclaredTest[];
  /** Something in the file is marked as the only thing to run, if only a test of the framework. */
  readonly hasOnly: boolean;
}

/** For `JSON.stringify`. */
export const plainValue = (_key: string, value: unknown): unknown =>
  typeof value === "number" && !Number.isFinite(value)
    ? { [NUMBER]: String(value) }
    : ["function", "symbol", "bigint"].includes(typeof value)
      ? { [NO_DATA]: typeof value }
      : value;

/** For `JSON.parse`; what is no data stays as it is, for whoever reads it to refuse. */
export const revivedValue = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && NUMBER in value ? Number(value[NUMBER]) : value;

const NUMBER = "everypath.number";
export const NO_DATA = "everypath.type";

/** Are these its names? The suites may be missing, or all may be joined, as Jest and `node:test` tell them. */
export const isNamed = (names: readonly string[], wanted: readonly string[]): boolean =>
  (wanted.length > 0 && wanted.every((name, i) => names.at(i - wanted.length) === name)) ||
  (wanted.length === 1 && [" ", " > "].some((between) => names.join(between) === wanted[0])); // sound: test/code/collect.test.ts
