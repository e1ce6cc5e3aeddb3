/** Comments addressed to Everypath, which Spin ignores: `everypath: symmetric P, Q`. */
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { Program } from "../../model/program.js";
import { nth } from "../../model/known.js";

/** The text after `everypath:`, with its position. */
export interface Remark {
  readonly text: string;
  readonly span: Span;
}

/** The remark in a comment (without delimiters) that begins at `span.start`, if any. */
export function remarkIn(comment: string, { file, start }: Span): Remark | undefined {
  const found = /^(\s*everypath:\s*)(\S[^]*?)\s*$/.exec(comment);
  if (!found) return undefined;
  const [, before, text] = found as unknown as [string, string, string];
  const at = start + before.length;
  return { text, span: { file, start: at, end: at + text.length } };
}

/** Processes that meet in pairs, with open channels. */
export const areComponents = ({ text }: Remark): boolean => text === "components";

/** Applies the declarations of remarks to the program. */
export function withRemarks(
  program: Program,
  remarks: readonly Remark[],
): { readonly program: Program; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const interchangeable = remarks.flatMap((remark) => {
    const names = symmetricNames(remark);
    if (!names) diagnostics.push(unknownRemark(remark));
    return (names ?? []).flatMap(({ text, span }) => {
      const template = program.templates.findIndex(({ name }) => name === text);
      if (template < 0) diagnostics.push(noProctype(text, span));
      return template < 0 ? [] : [{ template, span }];
    });
  });
  return { program: interchangeable.length > 0 ? { ...program, interchangeable } : program, diagnostics };
}

/** Undefined for other remarks. */
function symmetricNames({ text, span }: Remark): Remark[] | undefined {
  const found = /^symmetric\s+(\w+(?:\s*,\s*\w+)*)$/.exec(text);
  if (!found) return undefined;
  const first = text.length - nth(found, 1).length;
  return [...nth(found, 1).matchAll(/\w+/g)].map(({ 0: name, index }) => {
    const start = span.start + first + index;
    return { text: name, span: { file: span.file, start, end: start + name.length } };
  });
}

const unknownRemark = ({ text, span }: Remark): Diagnostic => ({
  code: "promela/unknown-remark",
  severity: "error",
  message: `\`everypath: ${text.replace(/\s+/g, " ")}\` is not a known remark`,
  span,
  hint: "write `everypath: symmetric P` for a proctype P, `everypath: components`, or another comment",
});

const noProctype = (name: string, span: Span): Diagnostic => ({
  code: "promela/not-symmetric",
  severity: "error",
  message: `there is no proctype '${name}' whose processes could be interchangeable`,
  span,
});
