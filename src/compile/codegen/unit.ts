/** Unit of generated code: a process, or a template. */
import type { RecordLayout } from "../layout.js";
import type { Scope } from "./scope.js";

export interface Unit {
  /** Suffix of the functions' names. */
  readonly name: string;
  readonly template: number;
  readonly record: RecordLayout;
  readonly pid: string;
  /** Origin of `record`. */
  readonly base: string;
  /** Parameter list of the functions: empty if pid and base are literals. */
  readonly parameters: string;
  /** After the first statement of an indivisible step. */
  readonly isInStep?: boolean;
}

/** Access to the source state. */
export const sourceOf = ({ pid, base, record }: Unit): Scope => ({ array: "s", pid, base, record });

/** Access to the entry under construction. */
export const entryOf = (unit: Unit): Scope => ({
  ...sourceOf(unit),
  array: "w",
  isInStep: unit.isInStep ?? false,
});

export const args = ({ parameters, pid, base }: Unit): string[] => (parameters === "" ? [] : [pid, base]);

export const block = (head: string, body: string): string => `${head} {\n${body}\n}`;
