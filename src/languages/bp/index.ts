/**
 * Boolean programs (`.bp`): threads over Boolean variables with choices, constrained parallel assignments and inlined calls, in the
 * spelling of C and in the older one of `decl`, `begin`, `end` and `:=`.
 *
 * In: text. Out: a `BooleanProgram` and the same as a `Program`, or diagnostics. `grammar.ts` parses, `calls.ts` refuses recursion,
 * `statements.ts` lowers the statements of a thread, `flow.ts` numbers its locations, `program.ts` makes the `Program`, and
 * `promela.ts` prints Promela.
 */
import type { BooleanProgram } from "../../model/boolean.js";
import { hasErrors, type Diagnostic, type Span } from "../../model/diagnostic.js";
import { errorsTo, inTextOrder } from "../toolkit/diagnostics.js";
import { MAX_TOKENS, tooManyTokens } from "../toolkit/limits.js";
import { stemOf } from "../toolkit/names.js";
import { scan, type Scanned } from "../toolkit/scan.js";
import { reportRecursion } from "./calls.js";
import { grammar } from "./grammar.js";
import { lower } from "./lower.js";
import { processesOf, type Processes } from "./program.js";
import { SCAN_RULES } from "./vocabulary.js";

export type { Hop, Processes } from "./program.js";
export { promelaOf } from "./promela.js";

export interface LoadedBp {
  /** Absent if a diagnostic is an error. */
  readonly program: BooleanProgram | undefined;
  /** The same system of processes, one edge a step. */
  readonly processes: Processes | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface BpOptions {
  /** Variables without an initial value: `false`, or either value. */
  readonly initial?: "false" | "nondet";
  /** Questions `THREAD:LABEL`; each text is a file of the same name. */
  readonly targets?: readonly { readonly text: string; readonly file: string }[];
}

export function loadBp(file: string, text: string, options: BpOptions = {}): LoadedBp {
  const { initial = "false", targets = [] } = options;
  const scanned = scan(file, text, SCAN_RULES);
  const diagnostics: Diagnostic[] = [...scanned.diagnostics];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const error = errorsTo(report);
  const failed = (all: readonly Diagnostic[]): LoadedBp => ({
    program: undefined,
    processes: undefined,
    diagnostics: inTextOrder(all),
  });
  const refused = tooLarge(scanned);
  if (refused) return failed([refused]);
  const source = grammar().parseSource(scanned.tokens, scanned.end, report);
  // Names of declarations that could not be read would be reported again; recursion would be inlined for ever.
  if (hasErrors(diagnostics) || reportRecursion(source.functions, error)) return failed(diagnostics);
  if (source.threads.length === 0 && !source.functions.some(({ name }) => name === "main"))
    error("bp/no-thread", scanned.end, "nothing runs", "declare `thread NAME { … }`, or a function `main`");
  const asked = targets.map((target) => ({
    text: target.text,
    span: { file: target.file, start: 0, end: target.text.length },
  }));
  const program = lower(
    stemOf(file),
    text,
    source,
    { defaultInitial: initial === "nondet" ? "*" : false, targets: asked },
    error,
  );
  if (program.properties.length === 0 && !hasErrors(diagnostics))
    error(
      "bp/no-property",
      scanned.end,
      "nothing is asked",
      "write `assert(…)`, label a statement ERROR, or give --target THREAD:LABEL",
    );
  if (hasErrors(diagnostics)) return failed(diagnostics);
  return { program, processes: processesOf(program), diagnostics: inTextOrder(diagnostics) };
}

/** Refuses texts that would exhaust memory or the stack. */
function tooLarge({ tokens, end }: Scanned): Diagnostic | undefined {
  if (tokens.length > MAX_TOKENS) return tooManyTokens("bp/too-many-tokens", end);
  let depth = 0;
  let blocks = 0;
  let deep: Span | undefined;
  for (const { image, span } of tokens) {
    if (image === "(" || image === "[" || image === "!" || image === "=>") depth++;
    if (image === ")" || image === "]") depth = Math.max(0, depth - 1);
    if (image === ";") depth = 0;
    if (image === "{" || image === "begin") blocks++;
    if (image === "}" || image === "end") blocks--;
    if (depth > DEEPEST || blocks > DEEPEST) deep ??= span;
  }
  return (
    deep && {
      code: "bp/too-deep",
      severity: "error",
      message: `expressions or blocks are nested more than ${DEEPEST} deep`,
      span: deep,
    }
  );
}

const DEEPEST = 300;
