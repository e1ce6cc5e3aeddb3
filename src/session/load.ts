/** From a text to a model: finds the language, loads it, and says in diagnostics what is wrong. */
import { basename, extname } from "node:path";
import { Sources, isNet, type Diagnostic } from "../model/index.js";
import type { Language, LoadOptions, Loaded, Registry } from "./registry.js";
import type { CheckOptions, Input, ModelOptions } from "./request.js";
import { tooLarge } from "./too-large.js";

export interface LoadedInput extends Loaded {
  readonly language: string;
  readonly sources: Sources;
}

export async function load(
  input: Input,
  options: ModelOptions &
    Pick<CheckOptions, "isPlain" | "warnsTruncation" | "properties" | "reductions"> &
    Pick<LoadOptions, "isSearched">,
  registry: Registry,
): Promise<LoadedInput> {
  const sources = new Sources();
  sources.add(input.file, input.text);
  const language = languageOf(input, options.language, registry);
  if ("code" in language)
    return { language: "", sources, model: undefined, unsupported: [], diagnostics: [language] };
  const { isPlain = false, warnsTruncation = false } = options;
  const loaded = await loadWith(language, input, { ...options, isPlain, warnsTruncation, sources });
  if (loaded.model && loaded.model.invariants.length < (options.invariants ?? []).length)
    throw new Error("an invariant was lost on the way to the model");
  return {
    ...loaded,
    diagnostics: [
      ...loaded.diagnostics,
      ...noNet(loaded, input, options),
      ...notYet(loaded, input, options.properties),
    ],
    language: language.name,
    sources,
  };
}

/** What can be said of a text without running it; of languages whose texts are not run by loading them, everything. */
export async function inspect(
  input: Input,
  options: Parameters<typeof load>[1],
  registry: Registry,
): Promise<LoadedInput> {
  const language = languageOf(input, options.language, registry);
  if ("code" in language || !language.inspect) return load(input, options, registry);
  const sources = new Sources();
  sources.add(input.file, input.text);
  const diagnostics = await language.inspect(input);
  return { language: language.name, sources, model: undefined, unsupported: [], diagnostics };
}

async function loadWith(language: Language, input: Input, options: LoadOptions): Promise<Loaded> {
  try {
    return await language.load(input, options);
  } catch (error) {
    const problem = tooLarge(error, input.file);
    if (!problem) throw error;
    return { model: undefined, unsupported: [], diagnostics: [problem] };
  }
}

export function languageOf(
  input: Input,
  asked: string | undefined,
  { languages }: Registry,
): Language | Diagnostic {
  const extension = extname(input.file).toLowerCase();
  const found = languages.find((l) =>
    asked === undefined
      ? l.extensions.includes(extension) || l.fileNames?.includes(basename(input.file))
      : l.name === asked,
  );
  if (found) return found;
  const known = languages
    .map((l) => `${l.name} (${[...l.extensions, ...(l.fileNames ?? [])].join(", ")})`)
    .join(", ");
  return {
    code: "session/unknown-language",
    severity: "error",
    message: asked === undefined ? unknownExtension(input, extension) : `there is no language '${asked}'`,
    span: { file: input.file, start: 0, end: 0 },
    hint: `--language NAME chooses one of: ${known}`,
  };
}

/** Questions about nets, of something that is none. */
const noNet = (
  { model, subject }: Loaded,
  { file }: Input,
  { targets = [], asksBoundedness = false }: ModelOptions,
): Diagnostic[] =>
  model === undefined || isNet(subject) || (targets.length === 0 && !asksBoundedness)
    ? []
    : [
        {
          code: "session/no-net",
          severity: "error",
          message: `${targets.length > 0 ? "--target" : "--bounded"} is a question about a net, and this is none`,
          span: { file, start: 0, end: 0 },
          hint: "--invariant states what is to hold in every state",
        },
      ];

const unknownExtension = ({ file }: Input, extension: string): string =>
  extension === ""
    ? `'${file}' has no extension that says its language`
    : `no language has files named '*${extension}'`;

/** Nothing declared is passed over in silence, unless something else was asked for. */
const notYet = (
  { unsupported }: Loaded,
  { file }: Input,
  asked: readonly string[] = unsupported.map(({ name }) => name),
): Diagnostic[] =>
  unsupported
    .filter(({ name }) => asked.includes(name))
    .map(({ kind, name, span }) => ({
      code: "session/property-not-supported",
      severity: "warning",
      message: `'${name}' is not checked: properties of kind '${kind}' are not yet supported`,
      span: span ?? { file, start: 0, end: 0 },
      hint: "assertions, deadlocks, run-time errors and --invariant are checked all the same",
    }));
