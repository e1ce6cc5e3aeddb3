/**
 * Temporal formulas over a language's conditions: `G ("p >= 2" -> F q)`. The formula is LTL in any of our spellings; a
 * proposition is a name or a condition in double quotes, which the language interprets.
 */
import {
  observedProposition,
  PropertyNames,
  type Diagnostic,
  type Property,
  type Sources,
  type Span,
  type TemporalProperty,
} from "../model/index.js";
import { parseLtl } from "../transforms/ltl/index.js";

/** A formula with the conditions of its propositions, by index. */
export type ReadFormula<C> = TemporalProperty & { readonly kind: "ltl"; readonly conditions: readonly C[] };

export interface ReadFormulas<C> {
  readonly formulas: readonly ReadFormula<C>[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `declared`: properties whose names are taken. */
export function readFormulas<C extends object>(
  texts: readonly string[],
  conditionOf: (text: string, span: Span) => C | readonly Diagnostic[],
  declared: readonly Property[],
  sources: Sources,
): ReadFormulas<C> {
  const names = new PropertyNames();
  for (const { name } of declared) names.take(name);
  const written = texts.map((text, index): WrittenFormula => {
    const file = index === 0 ? "--ltl" : `--ltl ${index + 1}`;
    sources.add(file, text);
    return { name: names.take(text.trim()), text, span: { file, start: 0, end: text.length } };
  });
  return readWritten(written, conditionOf);
}

/** A formula with its name and its place in a source. */
export interface WrittenFormula {
  readonly name: string;
  readonly text: string;
  readonly span: Span;
}

export function readWritten<C extends object>(
  written: readonly WrittenFormula[],
  conditionOf: (text: string, span: Span) => C | readonly Diagnostic[],
): ReadFormulas<C> {
  const read = written.map((one) => readFormula(one, conditionOf));
  return {
    formulas: read.flatMap((one) => ("formula" in one ? [one.formula] : [])),
    diagnostics: read.flatMap((one) => ("formula" in one ? [] : one.diagnostics)),
  };
}

function readFormula<C extends object>(
  { name, text: unplaced, span }: WrittenFormula,
  conditionOf: (text: string, span: Span) => C | readonly Diagnostic[],
): { readonly formula: ReadFormula<C> } | { readonly diagnostics: readonly Diagnostic[] } {
  const { file } = span;
  const text = " ".repeat(span.start) + unplaced; // keeps positions equal to the source's
  const parsed = parseLtl(text, file);
  if ("diagnostics" in parsed) return parsed;
  const { formula, propositions } = parsed;
  const conditions = propositions.map((each) => conditionOf(each, placeOf(each, text, file)));
  const diagnostics = conditions.flatMap((each) => (Array.isArray(each) ? (each as Diagnostic[]) : []));
  if (diagnostics.length > 0) return { diagnostics };
  return {
    formula: {
      name,
      kind: "ltl",
      span,
      propositions: propositions.map(observedProposition),
      requirement: { kind: "satisfies", formula },
      conditions: conditions as C[],
    },
  };
}

/** `--deadlock` for a language whose deadlocks have one meaning, and are an error only on request. */
export const onlyStuck = (
  deadlock: "stuttering" | "stuck" | "off" | undefined,
  { code, what, stuck }: { readonly code: string; readonly what: string; readonly stuck: string },
): Diagnostic[] =>
  deadlock !== "stuttering"
    ? []
    : [
        {
          code,
          severity: "error",
          message: `${what} has no deadlocks of the kind 'stuttering'`,
          span: { file: "--deadlock", start: 0, end: 0 },
          hint: `--deadlock stuck asks for ${stuck}`,
        },
      ];

/** The first occurrence of a proposition in its formula. */
function placeOf(proposition: string, text: string, file: string): Span {
  const quoted = text.indexOf(`"${proposition}"`);
  const start = quoted >= 0 ? quoted + 1 : Math.max(0, text.indexOf(proposition));
  return { file, start, end: start + proposition.length };
}
