/** From a text to a model: finds the language, loads it, and says in diagnostics what is wrong. */
import { extname } from "node:path";
import { Sources, type Diagnostic } from "../model/index.js";
import type { Language, Loaded, Registry } from "./registry.js";
import type { Input, ModelOptions } from "./request.js";

export interface LoadedInput extends Loaded {
  readonly language: string;
  readonly sources: Sources;
}

export async function load(
  input: Input,
  options: ModelOptions & { readonly isPlain?: boolean; readonly warnsTruncation?: boolean },
  registry: Registry,
): Promise<LoadedInput> {
  const sources = new Sources();
  sources.add(input.file, input.text);
  const language = languageOf(input, options.language, registry);
  if ("code" in language)
    return { language: "", sources, model: undefined, unsupported: [], diagnostics: [language] };
  const { isPlain = false, warnsTruncation = false } = options;
  const loaded = await language.load(input, { ...options, isPlain, warnsTruncation, sources });
  if (loaded.model && loaded.model.invariants.length !== (options.invariants ?? []).length)
    throw new Error("an invariant was lost on the way to the model");
  return {
    ...loaded,
    diagnostics: [...loaded.diagnostics, ...notYet(loaded, input)],
    language: language.name,
    sources,
  };
}

function languageOf(input: Input, asked: string | undefined, { languages }: Registry): Language | Diagnostic {
  const extension = extname(input.file).toLowerCase();
  const found = languages.find((l) =>
    asked === undefined ? l.extensions.includes(extension) : l.name === asked,
  );
  if (found) return found;
  const known = languages.map((l) => `${l.name} (${l.extensions.join(", ")})`).join(", ");
  return {
    code: "session/unknown-language",
    severity: "error",
    message:
      asked === undefined ? `no language has files named '*${extension}'` : `there is no language '${asked}'`,
    span: { file: input.file, start: 0, end: 0 },
    hint: `--language NAME chooses one of: ${known}`,
  };
}

/** Nothing declared is passed over in silence. */
const notYet = ({ unsupported }: Loaded, { file }: Input): Diagnostic[] =>
  unsupported.map(({ kind, name, span }) => ({
    code: "session/property-not-supported",
    severity: "warning",
    message: `'${name}' is not checked: properties of kind '${kind}' are not yet supported`,
    span: span ?? { file, start: 0, end: 0 },
    hint: "assertions, deadlocks, run-time errors and --invariant are checked all the same",
  }));
