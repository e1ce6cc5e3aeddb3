/** Adapts Promela to the registry: parses, resolves, and lowers to a program. */
import { dirname, relative } from "node:path";
import { loadPromela, type LoadedPromela } from "../../languages/promela/index.js";
import { hasErrors, type Diagnostic, type Program } from "../../model/index.js";
import { unbounded } from "../../transforms/unbounded/index.js";
import { promelaMessages, promelaProcesses, unboundedPromela } from "../declarations.js";
import { parseDefine, unknownDefine, unmentionedMacros } from "../defines.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import type { Input } from "../request.js";
import { withoutStates } from "./gcl.js";
import { loadedProgram } from "./program.js";

export async function load(input: Input, options: LoadOptions): Promise<Loaded> {
  const { program, messages, components, unsupported, diagnostics: found } = read(input, options);
  const diagnostics = [...found, ...inVain(input, options)];
  if (components) {
    const { refactor: _, ...plain } = options;
    const { load: loadComponents } = await import("./promela-components.js");
    return loadComponents(components, diagnostics, input, options, () => read(input, plain).components);
  }
  if (options.refactor === "verify") diagnostics.push(notComparable(input));

  if (!program || hasErrors(diagnostics)) return { model: undefined, unsupported, diagnostics };
  if (messages) {
    const { loadedMessages } = await import("./mpp.js");
    return { ...loadedMessages(messages, diagnostics, options), unsupported, accepts: promelaMessages };
  }
  if (options.integers === "unbounded") return withoutBounds(program, input, unsupported, diagnostics);
  const loaded = loadedProgram({ program, unsupported, diagnostics }, input, options);
  return loaded.model ? { ...loaded, accepts: promelaProcesses } : loaded;
}

const read = (input: Input, options: LoadOptions): LoadedPromela =>
  loadPromela({
    file: input.file,
    text: withClaims(input, options.claims ?? []),
    defines: (options.defines ?? []).map(parseDefine).map(({ name, value = "1" }) => ({ name, value })),
    readFile: input.readFile ?? (() => undefined),
    sources: options.sources,
    rules: {
      ...(options.maxProcesses === undefined ? {} : { maxProcesses: options.maxProcesses }),
      loseWhenFull: options.loseWhenFull ?? false,
      endNeedsEmptyChannels: options.endNeedsEmptyChannels ?? false,
    },
    refactors: options.refactor !== undefined,
    arrays: options.arrays,
    invariants: options.invariants ?? [],
    formulas: options.ltl ?? [],
  });

const notComparable = ({ file, text }: Input): Diagnostic => ({
  code: "promela/refactoring",
  severity: "error",
  message: "--refactor verify compares components, and this model is not declared as components",
  span: { file, start: 0, end: Math.min(1, text.length) },
  hint: "write the remark `/* everypath: components */`, or use --refactor apply",
});

/** Translates the program to guarded commands; unsupported properties are refused with the rest. */
function withoutBounds(
  program: Program,
  { file, text }: Input,
  unsupported: Loaded["unsupported"],
  diagnostics: readonly Diagnostic[],
): Loaded {
  const translated = unbounded(program, file);
  const found = [...diagnostics, ...translated.diagnostics];
  if (!translated.program) return { model: undefined, unsupported, diagnostics: found };
  const loaded = withoutStates(translated.program, text);
  return { ...loaded, unsupported, diagnostics: found, accepts: unboundedPromela };
}

/** Appends claims of other files to the model, so that its positions do not change. */
const withClaims = ({ file, text }: Input, claims: readonly string[]): string =>
  [text, ...claims.map((claim) => `#include "${relative(dirname(file), claim)}"\n`)].join("\n");

/** Formulas and conditions undergo the same macro expansion as the model. */
function inVain(
  { file }: Input,
  { sources, defines = [], invariants = [], ltl = [] }: LoadOptions,
): Diagnostic[] {
  const texts = [...sources.files().map((name) => sources.text(name) ?? ""), ...invariants, ...ltl];
  const why = "neither the model nor a file that it includes mentions the name";
  return unmentionedMacros(defines.map(parseDefine), texts).map((name) => unknownDefine(name, why, file));
}
