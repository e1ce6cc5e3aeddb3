/** Definitions (`-D NAME=VALUE`): their syntax, and detection of unused ones. */
import type { Diagnostic } from "../model/index.js";

export interface Definition {
  readonly name: string;
  /** Undefined for `NAME` alone. */
  readonly value: string | undefined;
}

export function parseDefine(define: string): Definition {
  const equals = define.indexOf("=");
  return equals < 0
    ? { name: define, value: undefined }
    : { name: define.slice(0, equals), value: define.slice(equals + 1) };
}

/** Macros that occur in none of the texts outside comments and strings: an unused definition is probably misspelled. */
export function unmentionedMacros(defines: readonly Definition[], texts: readonly string[]): string[] {
  const values = defines.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const all = [...texts, ...values].map(withoutComments);
  // Token pasting creates names during expansion.
  if (all.some((text) => text.includes("##"))) return [];
  return unmentioned(
    defines.map(({ name }) => name),
    all,
  );
}

/** Names that occur in none of the texts. */
export function unmentioned(names: readonly string[], texts: readonly string[]): string[] {
  const words = new Set(texts.flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []));
  return names.filter((name) => !words.has(name));
}

const withoutComments = (text: string): string =>
  text.replace(/"(?:[^"\\\n]|\\.)*"|\/\*[^]*?\*\/|\/\/[^\n]*/g, " ");

export const unknownDefine = (name: string, why: string, file: string): Diagnostic => ({
  code: "session/unknown-define",
  severity: "error",
  message: `-D ${name} has no effect: ${why}`,
  span: { file, start: 0, end: 0 },
  hint: `check its spelling, or omit -D ${name}`,
});
