/**
 * Temporal formulas over conditions that a language reads: `G ("p >= 2" -> F q)`. The formula is LTL in any of our spellings; a
 * proposition is a name or a condition in double quotes, and the language says what it means.
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
  const read = texts.map((text, index) => {
    const file = index === 0 ? "--ltl" : `--ltl ${index + 1}`;
    sources.add(file, text);
    return readFormula(text, file, names.take(text.trim()), conditionOf);
  });
  return {
    formulas: read.flatMap((one) => ("formula" in one ? [one.formula] : [])),
    diagnostics: read.flatMap((one) => ("formula" in one ? [] : one.diagnostics)),
  };
}

function readFormula<C extends object>(
  text: string,
  file: string,
  name: string,
  conditionOf: (text: string, span: Span) => C | readonly Diagnostic[],
): { readonly formula: ReadFormula<C> } | { readonly diagnostics: readonly Diagnostic[] } {
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
      span: { file, start: 0, end: text.length },
      propositions: propositions.map(observedProposition),
      requirement: { kind: "satisfies", formula },
      conditions: conditions as C[],
    },
  };
}

/** Where a proposition first stands in its formula. */
function placeOf(proposition: string, text: string, file: string): Span {
  const quoted = text.indexOf(`"${proposition}"`);
  const start = quoted >= 0 ? quoted + 1 : Math.max(0, text.indexOf(proposition));
  return { file, start, end: start + proposition.length };
}
