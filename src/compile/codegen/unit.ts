/** What code is made for, a process or all of a template, and how its text is laid out. */
import type { RecordLayout } from "../layout.js";
import type { Scope } from "./scope.js";

export interface Unit {
  /** Suffix of the functions' names. */
  readonly name: string;
  readonly template: number;
  readonly record: RecordLayout;
  readonly pid: string;
  /** The word that `record` counts from. */
  readonly base: string;
  /** Parameter list of the functions: empty when pid and base are literals. */
  readonly parameters: string;
  /** Behind the first statement of an indivisible step. */
  readonly isInStep?: boolean;
}

/** Where a unit reads the state that is expanded. */
export const sourceOf = ({ pid, base, record }: Unit): Scope => ({ array: "s", pid, base, record });

/** Where it reads and writes the entry that is built. */
export const entryOf = (unit: Unit): Scope => ({
  ...sourceOf(unit),
  array: "w",
  isInStep: unit.isInStep ?? false,
});

export const args = (unit: Unit): string => (unit.parameters === "" ? "" : `${unit.pid}, ${unit.base}`);

export const block = (head: string, body: string): string => `${head} {\n${body}\n}`;
