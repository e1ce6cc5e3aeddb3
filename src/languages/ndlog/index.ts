/**
 * NDLog (`.ndlog`) and its specifications (`.ndspec`): rules with locations, properties of derivations, constraints on the network.
 *
 * In: texts. Out: an `NdlogProgram` or diagnostics. `grammar.ts` parses, `scope.ts` resolves names, `clauses.ts` binds
 * variables, `expressions.ts` lowers arithmetic and eliminates quantifiers, `lower.ts` puts the program together.
 */
import { hasErrors, type Diagnostic } from "../../model/diagnostic.js";
import type { NdlogProgram } from "../../model/ndlog.js";
import { errorsTo, inTextOrder } from "../toolkit/diagnostics.js";
import { MAX_TOKENS, tooDeep, tooManyTokens } from "../toolkit/limits.js";
import { stemOf } from "../toolkit/names.js";
import { scan, type Scanned } from "../toolkit/scan.js";
import { suggest } from "../toolkit/spelling.js";
import type { Item } from "./ast.js";
import { grammar } from "./grammar.js";
import { lower } from "./lower.js";
import { Scope } from "./scope.js";
import { underivable } from "./underivable.js";
import { SCAN_RULES } from "./vocabulary.js";

export interface LoadedNdlog {
  /** Absent if a diagnostic is an error. */
  readonly program: NdlogProgram | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface NdlogText {
  readonly file: string;
  readonly text: string;
}

export interface NdlogOptions {
  /** Specifications, in other files. */
  readonly specifications?: readonly NdlogText[];
  /** Values of constants, as written: `N` and `4`. */
  readonly parameters?: readonly { readonly name: string; readonly value: string | undefined }[];
}

export function loadNdlog(
  file: string,
  text: string,
  { specifications = [], parameters = [] }: NdlogOptions = {},
): LoadedNdlog {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const items: Item[] = [];
  for (const each of [{ file, text }, ...specifications]) items.push(...itemsOf(each, report));
  // Names of declarations that could not be read would be reported again.
  if (hasErrors(diagnostics)) return { program: undefined, diagnostics: inTextOrder(diagnostics) };
  const error = errorsTo(report);
  const start = { file, start: 0, end: 0 };
  const defined = items.flatMap((item) => (item.kind === "define" ? [item.name] : []));
  const overrides = new Map<string, bigint>();
  for (const { name, value = "" } of parameters)
    if (!/^-?\d{1,15}$/.test(value))
      error("ndlog/bad-define", start, `-D ${name} needs an integer`, `write -D ${name}=2`);
    else if (!defined.includes(name))
      error(
        "ndlog/unknown-constant",
        start,
        `-D ${name} has no effect: there is no #define ${name}`,
        suggest(name, defined),
      );
    else overrides.set(name, BigInt(value));
  const program = lower(stemOf(file), items, new Scope(error), overrides, report);
  if (program.properties.length === 0 && !hasErrors(diagnostics))
    error(
      "ndlog/no-property",
      { file, start: text.length, end: text.length },
      "nothing is asked",
      "state `property NAME { … => … }` or `derivable NAME { … }` in the file, in the .ndspec file beside it, or with --claim FILE",
    );
  if (!hasErrors(diagnostics)) underivable(program).forEach(report);
  const found = inTextOrder(diagnostics);
  return { program: hasErrors(found) ? undefined : program, diagnostics: found };
}

function itemsOf({ file, text }: NdlogText, report: (diagnostic: Diagnostic) => void): readonly Item[] {
  const scanned = scan(file, text, SCAN_RULES);
  const refused = tooLarge(scanned);
  if (refused) {
    report(refused);
    return [];
  }
  scanned.diagnostics.forEach(report);
  return grammar().parseSource(scanned.tokens, scanned.end, report).items;
}

/** Refuses texts that would exhaust memory or the stack. */
function tooLarge({ tokens, end }: Scanned): Diagnostic | undefined {
  if (tokens.length > MAX_TOKENS) return tooManyTokens("ndlog/too-many-tokens", end);
  return tooDeep("ndlog/too-deep", tokens, {
    opening: new Set(["(", "!", "-", "=>", ":"]),
    closing: new Set([")"]),
    ending: new Set([";", ".", "}"]),
  });
}
