/** Adapts Promela to the registry: parses, resolves, and lowers to a program. */
import { dirname, relative } from "node:path";
import { loadPromela } from "../../languages/promela/index.js";
import { hasErrors, type Diagnostic } from "../../model/index.js";
import { promelaMessages, promelaProcesses } from "../declarations.js";
import { parseDefine, unknownDefine, unmentionedMacros } from "../defines.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import type { Input } from "../request.js";
import { loadedProgram } from "./program.js";

export async function load(input: Input, options: LoadOptions): Promise<Loaded> {
  const {
    program,
    messages,
    unsupported,
    diagnostics: found,
  } = loadPromela({
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
    invariants: options.invariants ?? [],
    formulas: options.ltl ?? [],
  });
  const diagnostics = [...found, ...inVain(input, options)];
  if (!program || hasErrors(diagnostics)) return { model: undefined, unsupported, diagnostics };
  if (messages) {
    const { loadedMessages } = await import("./mpp.js");
    return { ...loadedMessages(messages, diagnostics, options), unsupported, accepts: promelaMessages };
  }
  const loaded = loadedProgram({ program, unsupported, diagnostics }, input, options);
  return loaded.model ? { ...loaded, accepts: promelaProcesses } : loaded;
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
