/**
 * Networks with a controller, as `.sdn` text. In: text. Out: a `Network` or diagnostics.
 *
 * Read `ast.ts` first, then `lower.ts` (declarations to the network), `expressions.ts` and `statements.ts` (type checks
 * and compilation) and `properties.ts`. `grammar.ts` and its parts parse, `topology.ts` resolves nodes and links,
 * `topology-file.ts` imports the published JSON format, `print.ts` and its parts print declarations. `api/` has
 * networks described in TypeScript.
 */
import { dirname, join } from "node:path";
import { hasErrors, type Diagnostic, type Sources } from "../../model/diagnostic.js";
import type { Network } from "../../model/network.js";
import { inTextOrder } from "../toolkit/diagnostics.js";
import type { Declaration } from "./ast.js";
import { parseSdn } from "./front.js";
import { lowerSdn, type ConditionReader } from "./lower.js";
import type { WrittenFormula } from "./properties.js";
import { diagnostic } from "./scope.js";
import { importTopology } from "./topology-file.js";

export interface SdnInput {
  readonly file: string;
  readonly text: string;
  /** `NAME=VALUE` for constants of the file. */
  readonly defines: ReadonlyMap<string, string>;
  readonly readFile: (path: string) => string | undefined;
  readonly sources: Sources;
}

export interface LoadedSdn {
  /** Absent if a diagnostic is an error. */
  readonly network: Network | undefined;
  /** Most times that a client sends each packet, if the file has a bound. */
  readonly sends: number | undefined;
  readonly formulas: readonly WrittenFormula[];
  readonly conditionOf: ConditionReader;
  readonly diagnostics: readonly Diagnostic[];
}

export function loadSdn(input: SdnInput): LoadedSdn {
  const { declarations, diagnostics } = readSdn(input);
  if (hasErrors(diagnostics)) return rejected(diagnostics);
  const whole = { file: input.file, start: 0, end: 0 };
  const lowered = lowerSdn(declarations, input.defines, whole);
  const all = inTextOrder([...diagnostics, ...lowered.diagnostics]);
  if (hasErrors(all)) return rejected(all);
  return { ...lowered, diagnostics: all };
}

/** Declarations of the text and of imported files. */
export function readSdn(input: Omit<SdnInput, "defines">): {
  readonly declarations: readonly Declaration[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const parsed = parseSdn(input.file, input.text);
  const imported = parsed.declarations.map((d) => withTopology(d, input));
  return {
    declarations: imported.flatMap((part) => part.declarations),
    diagnostics: [...parsed.diagnostics, ...imported.flatMap((part) => part.diagnostics)],
  };
}

const rejected = (diagnostics: readonly Diagnostic[]): LoadedSdn => ({
  network: undefined,
  sends: undefined,
  formulas: [],
  conditionOf: () => [],
  diagnostics: inTextOrder(diagnostics),
});

/** Replaces an import by the declarations of the file. */
function withTopology(
  declaration: Declaration,
  { file, readFile, sources }: Omit<SdnInput, "defines">,
): { readonly declarations: readonly Declaration[]; readonly diagnostics: readonly Diagnostic[] } {
  if (declaration.kind !== "topology") return { declarations: [declaration], diagnostics: [] };
  const path = join(dirname(file), declaration.path);
  const text = readFile(path);
  if (text === undefined) {
    const problem = diagnostic("sdn/no-such-file", `'${path}' cannot be read`, declaration.span);
    return { declarations: [], diagnostics: [problem] };
  }
  sources.add(path, text);
  return importTopology(declaration.path, text, declaration.span);
}

export type { ConditionReader } from "./lower.js";
export type { WrittenFormula } from "./properties.js";
export { parseSdn } from "./front.js";
export { printSdn } from "./print.js";
