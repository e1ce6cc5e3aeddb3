/** Definitions (`-D NAME=VALUE`): what they say, and whether a text has any use for them. */
import type { Diagnostic } from "../model/index.js";

export interface Definition {
  readonly name: string;
  /** Undefined: `NAME` alone. */
  readonly value: string | undefined;
}

export function parseDefine(define: string): Definition {
  const equals = define.indexOf("=");
  return equals < 0
    ? { name: define, value: undefined }
    : { name: define.slice(0, equals), value: define.slice(equals + 1) };
}

/** Macros that none of the texts mentions outside of comments and strings: what is defined in vain is misspelled. */
export function unmentionedMacros(defines: readonly Definition[], texts: readonly string[]): string[] {
  const values = defines.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const all = [...texts, ...values].map(withoutComments);
  // Pasted names are made while the text is expanded.
  if (all.some((text) => text.includes("##"))) return [];
  return unmentioned(
    defines.map(({ name }) => name),
    all,
  );
}

/** Names that are no word of any of the texts. */
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
