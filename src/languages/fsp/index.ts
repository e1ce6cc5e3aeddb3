/**
 * FSP, the language of LTSA: finite state processes.
 *
 * In: text. Out: the term of a process, and questions, or diagnostics. `grammar.ts` parses (`label-grammar.ts`: labels and expressions),
 * `names.ts` evaluates, `process.ts` unfolds primitive processes, `composition.ts` builds terms of composite ones.
 */
import { hasErrors, type Diagnostic, type Span } from "../../model/diagnostic.js";
import type { FluentQuestion } from "../../model/fluents.js";
import type { LtsTerm, ProgressQuestion } from "../../model/lts-term.js";
import { PropertyNames } from "../../model/verdict.js";
import { inTextOrder } from "../toolkit/diagnostics.js";
import { MAX_TOKENS, tooDeep, tooManyTokens } from "../toolkit/limits.js";
import type { Scanned } from "../toolkit/scan.js";
import type { ProgressTree, Source } from "./ast.js";
import { Definitions } from "./composition.js";
import { assertionsOf } from "./fluents.js";
import { grammar } from "./grammar.js";
import { Mistake, Names } from "./names.js";
import { membership } from "./relabelling.js";
import { scanFsp } from "./vocabulary.js";

export interface LoadedFsp {
  /** The last composite process, or all processes side by side. Absent if a diagnostic is an error. */
  readonly system: NamedTerm | undefined;
  readonly progress: readonly ProgressQuestion[];
  readonly assertions: readonly FluentQuestion[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface NamedTerm {
  readonly name: string;
  readonly term: LtsTerm;
  readonly span: Span;
}

export interface FspOptions {
  /** Values of constants, as written: `N` and `4`. */
  readonly constants?: readonly { readonly name: string; readonly value: string | undefined }[];
  /** The process to build; absent: the last composite one. */
  readonly process?: string | undefined;
}

/** Codes of mistakes that show when a term is built. */
export const TERM_CODES = {
  deterministic: "fsp/deterministic",
  property: "fsp/property",
  "too-large": "fsp/too-large",
} as const;

export function loadFsp(file: string, text: string, options: FspOptions = {}): LoadedFsp {
  const scanned = scanFsp(file, text);
  const diagnostics: Diagnostic[] = [...scanned.diagnostics];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const failed = (): LoadedFsp => ({
    system: undefined,
    progress: [],
    assertions: [],
    diagnostics: inTextOrder(diagnostics),
  });
  const refused = tooLarge(scanned);
  if (refused) return { ...failed(), diagnostics: [refused] };
  const source = grammar().parseSource(scanned.tokens, scanned.end, report);
  if (hasErrors(diagnostics)) return failed();
  try {
    const built = build(source, options, { file, start: 0, end: 0 }, report);
    return hasErrors(diagnostics) ? failed() : { ...built, diagnostics: inTextOrder(diagnostics) };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    const { code, span, message, hint } = error;
    report({ code, severity: "error", message, span, ...(hint === undefined ? {} : { hint }) });
    return failed();
  }
}

function build(
  source: Source,
  { constants = [], process }: FspOptions,
  start: Span,
  report: (diagnostic: Diagnostic) => void,
): Omit<LoadedFsp, "diagnostics"> {
  const names = new Names(source, overrides(constants, source, start));
  const warn = (code: string, span: Span, message: string): void =>
    report({ code, severity: "warning", message, span });
  const definitions = new Definitions(source, names, warn);
  const taken = new PropertyNames();
  const progress = source.items.flatMap((item) =>
    item.kind === "progress" ? questions(item, names, taken) : [],
  );
  const assertions = assertionsOf(source.items, names, (name) => taken.take(name));
  return { system: definitions.system(process, start), progress, assertions };
}

function questions(item: ProgressTree, names: Names, taken: PropertyNames): ProgressQuestion[] {
  return names.combinations(item.indices, new Map()).map(({ values, env }) => ({
    name: taken.take(["progress " + item.name, ...values].join(".")),
    span: item.span,
    premise: item.premise && membership(item.premise, names, env),
    has: membership(item.set, names, env),
  }));
}

function overrides(
  constants: NonNullable<FspOptions["constants"]>,
  { items }: Source,
  start: Span,
): Map<string, number> {
  const found = new Map<string, number>();
  for (const { name, value = "" } of constants) {
    if (!items.some((item) => item.kind === "const" && item.name === name))
      throw new Mistake("fsp/bad-define", start, `-D ${name} has no effect: there is no constant '${name}'`);
    if (!/^-?\d{1,9}$/.test(value))
      throw new Mistake("fsp/bad-define", start, `-D ${name} needs an integer`, `write -D ${name}=2`);
    found.set(name, Number(value));
  }
  return found;
}

/** Refuses texts that would exhaust memory or the stack. */
function tooLarge({ tokens, end }: Scanned): Diagnostic | undefined {
  if (tokens.length > MAX_TOKENS) return tooManyTokens("fsp/too-many-tokens", end);
  const opening = new Set(["(", "[", "{", "!", "-", "+", "if", "else", ";", "forall", "'", "[]", "<>", "X"]);
  const nesting = { opening, closing: new Set([")", "]", "}"]), ending: new Set(["."]) };
  return tooDeep("fsp/too-deep", tokens, nesting, "the text");
}
