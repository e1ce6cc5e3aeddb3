/** The interface of a module for a printer of functions: names and their places. */
import type { Effects } from "./opencl-effects.js";
import type { Expr, FunctionText, Module } from "./syntax.js";

/** Printing of names of a text that are tied to lists of the host. */
export interface OpenClNames {
  /** Variables with a fixed value. */
  readonly constants: Readonly<Record<string, number>>;
  /** Statement for an assignment, by variable; the value is dropped. */
  readonly assignments: Readonly<Record<string, string>>;
  /** Functions whose bodies are given as C. */
  readonly functions: Readonly<Record<string, Replacement>>;
  /** Module variables that are arrays, with their numbers of words. */
  readonly arrays: Readonly<Record<string, number>>;
  /** Arrays of which only one element exists at a time, by the field that it is. */
  readonly single: Readonly<Record<string, string>>;
  /** Arrays that are written and never read. */
  readonly ignored: ReadonlySet<string>;
  /** Objects whose fields are written and never read, and whose methods are not called on a device: the statement for a call. */
  readonly records: Readonly<Record<string, string>>;
}

export interface Replacement {
  readonly body: string;
  /** Variables of the text that it uses, and functions that it calls. */
  readonly uses: readonly string[];
  readonly calls?: readonly string[];
}

/** Place of an array. */
export type ArrayPlace = "private" | "constant";

export type Global =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "scalar"; readonly text: string }
  | { readonly kind: "array"; readonly text: string; readonly place: ArrayPlace; readonly length: number }
  | { readonly kind: "nested"; readonly text: string; readonly length: number }
  | { readonly kind: "marks"; readonly first: number }
  | { readonly kind: "counters"; readonly first: number };

/** The module around a function. */
export interface Surroundings {
  readonly module: Module;
  readonly names: OpenClNames;
  readonly effects: Effects;
  /** The function of the text, printed on demand. */
  callee(name: string): FunctionText;
  /** Number of a function of the host. */
  hostCall(name: string): number;
  global(name: string): Global;
  lengthOf(e: Expr): number;
}

/** A 32-bit integer; C has no literal for the smallest. */
export function literal(value: number): string {
  const word = value | 0;
  return word === -(2 ** 31) ? "(-2147483647 - 1)" : word < 0 ? `(${word})` : `${word}`;
}
