/**
 * Promela text to a syntax tree.
 *
 * In order: `preprocess.ts` (on top of `lexer.ts` and `macros.ts`), `embedded-c.ts`, `inlines.ts`,
 * `separators.ts`, `classify.ts`, then the grammar, in layers that each extend the one before:
 * `grammar-expressions.ts`, `-declarations`, `-simple`, `-statements`, `-mistakes`, `grammar.ts`.
 *
 * Not here: what the tree means, which `check.ts` says.
 */
import type { Diagnostic, Sources, Span } from "../../model/diagnostic.js";
import type { PromelaModel, Unit } from "./ast.js";
import { inTextOrder } from "../toolkit/diagnostics.js";
import { classify } from "./classify.js";
import { foldEmbeddedC } from "./embedded-c.js";
import { PromelaGrammar } from "./grammar.js";
import { expandInlines } from "./inlines.js";
import { checkNesting } from "./limits.js";
import { takeMessageParts, type MessageParts } from "./messages/tokens.js";
import { preprocess } from "./preprocess.js";
import type { Remark } from "./remarks.js";
import { addImpliedSeparators } from "./separators.js";
import type { Token } from "./token.js";

export interface PromelaInput {
  readonly file: string;
  readonly text: string;
  /** As if by `#define NAME VALUE` before the first line; without a value, 1. */
  readonly defines: readonly { readonly name: string; readonly value?: string }[];
  /** The text of an included file; undefined if it cannot be read. */
  readFile(path: string): string | undefined;
  /** Every text that spans point into is added here. */
  readonly sources: Sources;
}

export interface ParseResult {
  /** With errors, what could be made of the text. */
  readonly model: PromelaModel;
  /** What is said of asynchronous channels and provenance; undefined: nothing. */
  readonly messages: MessageParts | undefined;
  readonly remarks: readonly Remark[];
  readonly diagnostics: Diagnostic[];
}

export function parsePromela(input: PromelaInput): ParseResult {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const { tokens: plain, macroUses, macros, remarks } = preprocess(input, report);
  const parts = takeMessageParts(foldEmbeddedC(plain), report);
  const tokens = addImpliedSeparators(expandInlines(parts.tokens, report));
  classify(tokens, report);
  const span: Span = { file: input.file, start: 0, end: input.text.length };
  const units = parseUnits(tokens, { ...span, start: span.end }, report);
  return {
    model: { kind: "model", file: input.file, span, units, macroUses, macros },
    messages: parts.channels.length + parts.blocks.length > 0 ? parts : undefined,
    remarks,
    diagnostics: inTextOrder(diagnostics),
  };
}

function parseUnits(
  tokens: readonly Token[],
  end: Span,
  report: (diagnostic: Diagnostic) => void,
): readonly Unit[] {
  const tooDeep = checkNesting(tokens);
  if (!tooDeep) return grammar().parseUnits(tokens, end, report);
  report(tooDeep);
  return [];
}

let shared: PromelaGrammar | undefined;

/** Made when first needed: the analysis of the grammar takes some milliseconds. */
export function grammar(): PromelaGrammar {
  shared ??= new PromelaGrammar();
  return shared;
}
