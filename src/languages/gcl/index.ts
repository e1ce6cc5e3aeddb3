/**
 * Guarded commands (`.gcl`): unbounded integers, undefined initial values, nondeterministic inputs.
 *
 * In: text. Out: a `GuardedProgram` or diagnostics. `grammar.ts` parses, `scope.ts` resolves names and constants, `lower.ts` unfolds
 * templates and quantifiers, `ranges.ts` checks that variables stay in their ranges.
 */
import { hasErrors, type Diagnostic } from "../../model/diagnostic.js";
import type { GuardedProgram } from "../../model/guarded.js";
import { errorsTo, inTextOrder } from "../toolkit/diagnostics.js";
import { MAX_TOKENS, tooDeep, tooManyTokens } from "../toolkit/limits.js";
import { stemOf } from "../toolkit/names.js";
import { scan, type Scanned } from "../toolkit/scan.js";
import { grammar } from "./grammar.js";
import { lower, unknownParameters } from "./lower.js";
import { checkInitial, checkRanges } from "./ranges.js";
import { Scope } from "./scope.js";
import { SCAN_RULES } from "./vocabulary.js";

export interface LoadedGcl {
  /** Absent if a diagnostic is an error. */
  readonly program: GuardedProgram | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface GclOptions {
  /** Values of parameters, as written: `N` and `4`. */
  readonly parameters?: readonly { readonly name: string; readonly value: string | undefined }[];
}

export function loadGcl(file: string, text: string, { parameters = [] }: GclOptions = {}): LoadedGcl {
  const scanned = scan(file, text, SCAN_RULES);
  const diagnostics: Diagnostic[] = [...scanned.diagnostics];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const error = errorsTo(report);
  const refused = tooLarge(scanned);
  if (refused) return { program: undefined, diagnostics: [refused] };
  const source = grammar().parseSource(scanned.tokens, scanned.end, report);
  // Names of declarations that could not be read would be reported again.
  if (hasErrors(diagnostics)) return { program: undefined, diagnostics: inTextOrder(diagnostics) };
  const start = { file, start: 0, end: 0 };
  const overrides = new Map<string, bigint>();
  for (const { name, value = "" } of parameters)
    if (/^-?\d+$/.test(value)) overrides.set(name, BigInt(value));
    else error("gcl/bad-define", start, `-D ${name} needs an integer`, `write -D ${name}=2`);
  const scope = new Scope(error);
  unknownParameters(source.items, overrides, scope, start);
  const program = lower(stemOf(file), source, scope, overrides);
  if (program.properties.length === 0 && !hasErrors(diagnostics))
    error(
      "gcl/no-property",
      scanned.end,
      "nothing is asked",
      "state `safety NAME: …;`, `error NAME: …;` or `reach NAME: …;`",
    );
  if (!hasErrors(diagnostics)) {
    checkRanges(program, report);
    const init = source.items.find(({ kind }) => kind === "init");
    checkInitial(program, init?.span ?? start, report);
  }
  const found = inTextOrder(diagnostics);
  return { program: hasErrors(found) ? undefined : program, diagnostics: found };
}

/** Refuses texts that would exhaust memory or the stack. */
function tooLarge({ tokens, end }: Scanned): Diagnostic | undefined {
  if (tokens.length > MAX_TOKENS) return tooManyTokens("gcl/too-many-tokens", end);
  return tooDeep("gcl/too-deep", tokens, {
    opening: new Set(["(", "[", "!", "-", "=>"]),
    closing: new Set([")", "]"]),
    ending: new Set([";"]),
  });
}
