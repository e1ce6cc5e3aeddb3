/**
 * χ (`.chi`): processes of production systems, with shared variables and rendezvous channels, without time.
 *
 * In: text. Out: a `ChiProgram` or diagnostics. `grammar.ts` parses, `scope.ts` and `expressions.ts` resolve names and types, `lower.ts` expands
 * definitions. `compile/chi` gives it its semantics, `transforms/chi` its laws.
 */
import { type ChiExpr, type ChiProgram } from "../../model/chi.js";
import { hasErrors, type Diagnostic, type Span } from "../../model/diagnostic.js";
import { errorsTo, inTextOrder } from "../toolkit/diagnostics.js";
import { MAX_TOKENS, tooDeep, tooManyTokens } from "../toolkit/limits.js";
import { stemOf } from "../toolkit/names.js";
import { scan, type Scanned } from "../toolkit/scan.js";
import type { Item } from "./ast.js";
import { expected } from "./expressions.js";
import { grammar } from "./grammar.js";
import { lower } from "./lower.js";
import { Names } from "./scope.js";
import { SCAN_RULES } from "./vocabulary.js";

export interface LoadedChi {
  /** Absent if a diagnostic is an error. */
  readonly program: ChiProgram | undefined;
  /** Formulas of the file. */
  readonly formulas: readonly WrittenChi[];
  readonly diagnostics: readonly Diagnostic[];
  /** A condition over the global variables. */
  conditionOf(text: string, span: Span): ChiExpr | readonly Diagnostic[];
}

export interface WrittenChi {
  readonly kind: "ctl" | "ltl";
  readonly text: string;
  /** Of the text without its quotes. */
  readonly span: Span;
}

export interface ChiOptions {
  /** Values of constants, as written: `N` and `4`. */
  readonly constants?: readonly { readonly name: string; readonly value: string | undefined }[];
  /** Further conditions that must hold in all states. */
  readonly invariants?: readonly { readonly text: string; readonly file: string }[];
}

export function loadChi(file: string, text: string, options: ChiOptions = {}): LoadedChi {
  const scanned = scan(file, text, SCAN_RULES);
  const diagnostics: Diagnostic[] = [...scanned.diagnostics];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const names = new Names(errorsTo(report));
  const conditionOf = (condition: string, span: Span) => readCondition(condition, span, names);
  const failed = (found: readonly Diagnostic[]): LoadedChi => ({
    program: undefined,
    formulas: [],
    diagnostics: inTextOrder(found),
    conditionOf,
  });
  const refused = tooLarge(scanned);
  if (refused) return failed([refused]);
  const source = grammar().parseSource(scanned.tokens, scanned.end, report);
  // Names of declarations that could not be read would be reported again.
  if (hasErrors(diagnostics)) return failed(diagnostics);
  const start = { file, start: 0, end: 0 };
  const overrides = overridesOf(source.items, options, start, names);
  const { globals, channels, system } = lower(source, names, overrides);
  if (!source.items.some(({ kind }) => kind === "system"))
    names.error("chi/no-system", scanned.end, "there is no system", "write `system = …;`");
  const checks = source.items.flatMap((item) => (item.kind === "check" ? [item] : []));
  const written = [
    ...checks.flatMap(({ what, text: quoted }) => (what === "invariant" && quoted ? [unquoted(quoted)] : [])),
    ...(options.invariants ?? []).map(({ text: own, file: from }) => ({
      text: own,
      span: { file: from, start: 0, end: own.length },
    })),
  ];
  const invariants = written.flatMap(({ text: own, span }) => {
    const condition = conditionOf(own, span);
    if ("kind" in condition) return [{ name: own.trim(), condition, span }];
    diagnostics.push(...condition);
    return [];
  });
  if (hasErrors(diagnostics) || !system) return failed(diagnostics);
  const formulas = checks.flatMap(({ what, text: quoted }): WrittenChi[] =>
    (what === "ctl" || what === "ltl") && quoted ? [{ kind: what, ...unquoted(quoted) }] : [],
  );
  const program: ChiProgram = {
    name: stemOf(file),
    globals,
    channels,
    system,
    invariants,
    goals: [],
    checksDeadlock: true,
    span: start,
  };
  return { program, formulas, diagnostics: inTextOrder(diagnostics), conditionOf };
}

const unquoted = ({ name, span }: { readonly name: string; readonly span: Span }) => ({
  text: name.slice(1, -1),
  span: { file: span.file, start: span.start + 1, end: span.end - 1 },
});

/** Locals of scopes are not visible outside: two configurations with equal globals satisfy the same conditions. */
function readCondition(text: string, span: Span, names: Names): ChiExpr | readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const scanned = scan(span.file, " ".repeat(span.start) + text, SCAN_RULES);
  diagnostics.push(...scanned.diagnostics);
  const refused = tooLarge(scanned);
  if (refused) return [refused];
  const tree = hasErrors(diagnostics)
    ? undefined
    : grammar().parseCondition(scanned.tokens, scanned.end, report);
  if (!tree || hasErrors(diagnostics)) return inTextOrder(diagnostics);
  const inner = new Names(errorsTo(report), names);
  const condition = expected(tree, { kind: "bool" }, inner);
  return condition && !hasErrors(diagnostics) ? condition : inTextOrder(diagnostics);
}

function overridesOf(
  items: readonly Item[],
  { constants = [] }: ChiOptions,
  start: Span,
  { error }: Names,
): ReadonlyMap<string, string> {
  const declared = new Set(items.flatMap((item) => (item.kind === "const" ? [item.name] : [])));
  for (const { name, value } of constants)
    if (!declared.has(name)) error("chi/bad-define", start, `-D ${name}: there is no constant '${name}'`);
    else if (!/^-?\d{1,9}$/.test(value ?? ""))
      error("chi/bad-define", start, `-D ${name} needs an integer`, `write -D ${name}=2`);
  return new Map(constants.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
}

/** Refuses texts that would exhaust memory or the stack. */
function tooLarge({ tokens, end }: Scanned): Diagnostic | undefined {
  if (tokens.length > MAX_TOKENS) return tooManyTokens("chi/too-many-tokens", end);
  return (
    tooDeep("chi/too-deep", tokens, {
      opening: new Set(["(", "[", "{", "|[", "not", "-", "=>", ":->"]),
      closing: new Set([")", "]", "}", "]|"]),
      ending: new Set(["const", "type", "var", "proc", "system", "check"]),
    }) ?? tooLong(tokens)
  );
}

const DECLARATIONS = new Set(["const", "type", "var", "chan", "proc", "system", "check"]);
const OPERATORS = new Set([";", "[]", "||", "+", "-", "*", "/", "%", "and", "or", "="]);
const MOST_OPERATORS = 1_500;

/** Chains of operators are nested terms. */
function tooLong(tokens: Scanned["tokens"]): Diagnostic | undefined {
  let count = 0;
  for (const { image, span } of tokens) {
    if (DECLARATIONS.has(image)) count = 0;
    if (OPERATORS.has(image) && ++count > MOST_OPERATORS)
      return {
        code: "chi/too-deep",
        severity: "error",
        message: `a declaration has more than ${MOST_OPERATORS} operators`,
        span,
        hint: "divide it into processes",
      };
  }
  return undefined;
}
