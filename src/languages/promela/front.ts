/**
 * Parses Promela text to a syntax tree.
 *
 * In order: `preprocess.ts` (on top of `lexer.ts` and `macros.ts`), `embedded-c.ts`, `inlines.ts`, `separators.ts`,
 * `classify.ts`, then the grammar, in layers that extend each other: `grammar-expressions.ts`, `-declarations`,
 * `-simple`, `-statements`, `-mistakes`, `grammar.ts`.
 *
 * Not here: name resolution and types (`check.ts`).
 */
import { hasErrors, type Diagnostic, type Sources, type Span } from "../../model/diagnostic.js";
import type { PromelaModel, Unit } from "./ast.js";
import { inTextOrder, type Report } from "../toolkit/diagnostics.js";
import { expandAbstract } from "./abstract/expand.js";
import { refactored } from "./abstract/refactor.js";
import { classify, usesAbstract } from "./classify.js";
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
  /** As `#define NAME VALUE` before the first line; the default value is 1. */
  readonly defines: readonly { readonly name: string; readonly value?: string }[];
  /** Text of an included file; undefined if unreadable. */
  readFile(path: string): string | undefined;
  /** Carry out `refactorby`. */
  readonly refactors?: boolean | undefined;
  /** Receives every text that spans refer to. */
  readonly sources: Sources;
}

export interface ParseResult {
  /** After errors, the part that could be parsed. */
  readonly model: PromelaModel;
  /** Declarations of asynchronous channels and provenance, if any. */
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
  const written = parseUnits(tokens, { ...span, start: span.end }, report);
  const parsed =
    input.refactors === true && !hasErrors(diagnostics)
      ? refactored(written, input.sources, report)
      : written;
  const { units, abstracts } = usesAbstract(tokens)
    ? expandAbstract(parsed, report)
    : { units: parsed, abstracts: undefined };
  return {
    model: { kind: "model", file: input.file, span, units, macroUses, macros, abstracts },
    messages: parts.channels.length + parts.blocks.length > 0 ? parts : undefined,
    remarks,
    diagnostics: inTextOrder(diagnostics),
  };
}

function parseUnits(tokens: readonly Token[], end: Span, report: Report): readonly Unit[] {
  const tooDeep = checkNesting(tokens);
  if (!tooDeep) return grammar().parseUnits(tokens, end, report);
  report(tooDeep);
  return [];
}

let shared: PromelaGrammar | undefined;

/** Constructed on first use: the analysis of the grammar takes milliseconds. */
export function grammar(): PromelaGrammar {
  shared ??= new PromelaGrammar();
  return shared;
}
