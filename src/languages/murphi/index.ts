/**
 * Murphi: text in, a `RuleProgram` out.
 *
 * `lexer.ts` and the grammar build a syntax tree (`ast.ts`); `lower/` resolves names, checks types and builds the
 * program in one pass from top to bottom, because declarations precede uses. Supports the dialects of Rumur and
 * CMurphi; `Settings.dialect` decides where they differ.
 *
 * Not here: the semantics of a program, which `model/rules.ts` documents.
 */
import type { Diagnostic, Sources } from "../../model/diagnostic.js";
import { hasErrors } from "../../model/diagnostic.js";
import type { RuleProgram } from "../../model/rules.js";
import { inTextOrder } from "../toolkit/diagnostics.js";
import { lowerModel, type Define } from "./lower/model.js";
import type { Dialect } from "./lower/context.js";
import { parseMurphi } from "./parse.js";

export type { Dialect } from "./lower/context.js";
export type { Define } from "./lower/model.js";

export interface MurphiInput {
  readonly file: string;
  readonly text: string;
  readonly dialect?: Dialect;
  readonly deadlock?: RuleProgram["deadlock"]["mode"];
  readonly defines?: readonly Define[];
  /** Invariants in addition to the text's. */
  readonly invariants?: readonly string[];
  /** Temporal formulas in addition to the text's. */
  readonly formulas?: readonly string[];
  readonly maxCallDepth?: number;
  /** Most iterations of a `while`. */
  readonly maxRounds?: number;
  readonly sources: Sources;
}

export interface MurphiResult {
  /** Absent if there are errors. */
  readonly program: RuleProgram | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function loadMurphi(input: MurphiInput): MurphiResult {
  const found: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const { dialect = "rumur", sources } = input;
  const settings = {
    dialect,
    deadlock: input.deadlock ?? "stuttering",
    maxCallDepth: input.maxCallDepth ?? 1000,
    maxRounds: input.maxRounds ?? (dialect === "rumur" ? 1_000_000 : 1000),
  };
  const units = parseMurphi(input.file, input.text, dialect, report);
  const wasRead = !hasErrors(found);
  const program = lowerModel(units, { ...input, settings, sources, wasRead }, report);
  const diagnostics = inTextOrder(found);
  return { program: hasErrors(diagnostics) ? undefined : program, diagnostics };
}
