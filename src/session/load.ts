/** Loads a model from a text: finds the language, calls its front end, collects diagnostics. */
import { basename, extname } from "node:path";
import { CIRCULAR_QUESTION, Sources, hasErrors, type Diagnostic } from "../model/index.js";
import { refusedByLanguage, refusedByRun, withoutRuns, type SingleRun } from "./accepting.js";
import type { Language, LoadOptions, Loaded, Registry } from "./contracts.js";
import type { CheckOptions, Input } from "./request.js";

export interface LoadedInput extends Loaded {
  readonly language: string;
  readonly sources: Sources;
}

export async function load(
  input: Input,
  options: CheckOptions &
    Pick<LoadOptions, "isSearched"> & {
      /** A single run follows; absent: a search. */
      readonly run?: SingleRun;
      /** The run is only judged and needs no states to step through. */
      readonly judges?: boolean;
    },
  registry: Registry,
): Promise<LoadedInput> {
  const sources = new Sources();
  sources.add(input.file, input.text);
  const language = languageOf(input, options.language, registry);
  if ("code" in language)
    return { language: "", sources, model: undefined, unsupported: [], diagnostics: [language] };
  const { run } = options;
  const nothing = (diagnostics: readonly Diagnostic[]): LoadedInput => ({
    language: language.name,
    sources,
    model: undefined,
    unsupported: [],
    diagnostics,
  });
  const refused = refusedBefore(language, options, input.file);
  if (refused.length > 0) return nothing(refused);
  const { isPlain = false, warnsTruncation = false } = options;
  const loaded = await loadWith(language, input, { ...options, isPlain, warnsTruncation, sources });
  const { accepts } = loaded;
  const narrower = accepts ? refusedByLanguage({ name: language.name, accepts }, options, input.file) : [];
  if (narrower.length > 0) return nothing(narrower);
  const isStepped = loaded.model !== undefined || loaded.simulate !== undefined;
  const isRun = isStepped || (options.judges && loaded.replay !== undefined);
  if (run && !isRun && !hasErrors(loaded.diagnostics))
    return nothing([
      ...loaded.diagnostics,
      withoutRuns({ name: language.name, accepts: accepts ?? language.accepts }, run, input.file),
    ]);
  if (loaded.model && loaded.model.invariants.length < (options.invariants ?? []).length)
    throw new Error("an invariant was lost on the way to the model");
  return {
    ...loaded,
    accepts: accepts ?? language.accepts,
    language: language.name,
    sources,
  };
}

type Asked = Parameters<typeof load>[1];

const refusedBefore = (language: Language, options: Asked, file: string): Diagnostic[] => [
  ...refusedByLanguage(language, options, file),
  ...(options.run ? refusedByRun(options.run, options, file) : []),
];

/** Does the language or the command refuse some option? Loads nothing. */
export function isRefused(input: Input, options: Asked, registry: Registry): boolean {
  const language = languageOf(input, options.language, registry);
  return !("code" in language) && refusedBefore(language, options, input.file).length > 0;
}

/** Reports errors without running the text. Loads it if its language does not run texts on loading. */
export async function inspect(input: Input, options: Asked, registry: Registry): Promise<LoadedInput> {
  const language = languageOf(input, options.language, registry);
  const isReadOnly = "code" in language || !language.inspect;
  if (isReadOnly || isRefused(input, options, registry)) return load(input, options, registry);
  const sources = new Sources();
  sources.add(input.file, input.text);
  const diagnostics = await language.inspect!(input, options);
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
      ? (l.extensions.includes(extension) && l.recognises?.(input.text) !== false) || // sound: test/session/schedules/selecting.test.ts
        l.fileNames?.includes(basename(input.file))
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

const unknownExtension = ({ file }: Input, extension: string): string =>
  extension === ""
    ? `'${file}' has no extension that says its language`
    : `no language has files named '*${extension}'`;

/** Diagnoses resource limits of JavaScript; undefined for all other errors. */
export function tooLarge(error: unknown, file: string): Diagnostic | undefined {
  if (error instanceof RangeError && error.message === CIRCULAR_QUESTION)
    return {
      code: "session/circular-question",
      severity: "error",
      message: CIRCULAR_QUESTION,
      span: { file, start: 0, end: 0 },
      hint: "let one of them ask for a condition on variables instead",
    };
  if (!(error instanceof RangeError) || !limits.test(error.message)) return undefined;
  return {
    code: "session/too-large",
    severity: "error",
    message: `this is too large to work with (${error.message})`,
    span: { file, start: 0, end: 0 },
    hint: "make the model smaller: fewer or less deeply nested statements, shorter arrays",
  };
}

const limits =
  /call stack|Invalid (string|array|typed array|array buffer) length|allocation failed|Set maximum size|Map maximum size/;
