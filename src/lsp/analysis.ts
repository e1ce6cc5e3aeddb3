/** Analyses a text with the registry: the only part of the server that depends on languages. */
import {
  hasErrors,
  type Diagnostic,
  type Model,
  type Property,
  type Sources,
  type Span,
} from "../model/index.js";
import { inspect, languageOf, registry, type Input, type LoadedInput } from "../session/index.js";
import type { Highlighting } from "../session/languages/highlighting.js";
import { keyOf, wordsOf, type Word } from "./words.js";

export interface Analysis {
  readonly language: string;
  readonly input: Input;
  readonly highlighting: Highlighting;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
  readonly words: readonly Word[];
  readonly outline: readonly OutlineItem[];
  /** Loading would run the text, so that its meaning is unknown here. */
  readonly isCode: boolean;
}

export interface OutlineItem {
  readonly name: string;
  readonly detail: string;
  readonly kind: "property" | "process" | "test";
  readonly span: Span;
}

/** Undefined: the text is in no language of the registry. Never runs the text. */
export async function analyse(input: Input, languageId: string): Promise<Analysis | undefined> {
  const named = registry.languages.some(({ name }) => name === languageId) ? languageId : undefined;
  const byFile = languageOf(input, undefined, registry);
  const language = "code" in byFile ? languageOf(input, named ?? "", registry) : byFile;
  if ("code" in language) return undefined;
  const { highlighting = { keywords: [] } } = language;
  const loaded = await read(input, language.name);
  return {
    language: language.name,
    input,
    highlighting,
    diagnostics: loaded.diagnostics,
    sources: loaded.sources,
    words: wordsOf(input.text, highlighting),
    outline: [...outlineOf(loaded, input.file), ...testsOf(input, language.testPattern)],
    isCode: language.inspect !== undefined,
  };
}

const read = (input: Input, language: string): Promise<LoadedInput> => inspect(input, { language }, registry);

function outlineOf({ model, subject }: LoadedInput, file: string): OutlineItem[] {
  const properties: readonly Property[] = subject?.properties ?? model?.properties ?? [];
  const items = [
    ...(model ? processesOf(model) : []),
    ...properties.flatMap(({ name, kind, span }): OutlineItem[] =>
      span ? [{ name, detail: kind, kind: "property", span }] : [],
    ),
  ];
  return items.filter(({ span }) => span.file === file).sort((a, b) => a.span.start - b.span.start);
}

/** Tests that code declares, outside comments. */
function testsOf({ file, text }: Input, pattern: RegExp | undefined): OutlineItem[] {
  if (!pattern) return [];
  return [...text.matchAll(pattern)].flatMap((match): OutlineItem[] => {
    const line = text.slice(text.lastIndexOf("\n", match.index) + 1, match.index);
    if (/^\s*(\/\/|\*|\/\*)/.test(line)) return [];
    const span = { file, start: match.index, end: match.index + match[0].length };
    return [{ name: match.groups?.["name"] ?? "", detail: "every schedule", kind: "test", span }];
  });
}

/** Owners of statements: processes, rules, nodes; each spans its statements. */
function processesOf({ coverage }: Model): OutlineItem[] {
  const spans = new Map<string, Span>();
  for (const { owner, span } of coverage.parts) {
    const known = spans.get(owner);
    if (known && known.file !== span.file) continue;
    const [start, end] = [
      Math.min(known?.start ?? span.start, span.start),
      Math.max(known?.end ?? 0, span.end),
    ];
    spans.set(owner, { file: span.file, start, end });
  }
  return [...spans].map(([name, span]) => ({ name, detail: "", kind: "process", span }));
}

export const wordAt = ({ words }: Analysis, offset: number): Word | undefined =>
  words.find(({ start, end }) => start <= offset && offset <= end);

/** Every occurrence of the name, the first of which declares it where names are declared before their use. */
export function occurrencesOf({ words, highlighting }: Analysis, word: Word): readonly Word[] {
  const key = keyOf(word.text, highlighting);
  return words.filter(({ text, kind }) => kind === "name" && keyOf(text, highlighting) === key);
}

export type Renaming = { readonly places: readonly Word[] } | { readonly problem: string };

/**
 * Renames every occurrence to a name that the text does not have: things with the same name keep the same name, others
 * keep theirs, so that the meaning stays. Refuses where names have a meaning outside the text.
 */
export async function renaming(analysis: Analysis, word: Word, name: string): Promise<Renaming> {
  const { input, highlighting, words, isCode, sources, diagnostics } = analysis;
  const problem = (text: string): Renaming => ({ problem: text });
  if (isCode)
    return problem("names of code have meanings outside this file: rename with the code's own server");
  if (word.kind !== "name") return problem(`'${word.text}' is a word of the language`);
  if (hasErrors(diagnostics)) return problem("the text has errors: mend them first");
  const [fresh] = wordsOf(name, highlighting);
  if (fresh?.text !== name || fresh.kind !== "name") return problem(`'${name}' is not a name`);
  // sound: test/lsp/rename.test.ts
  if (words.some(({ text }) => keyOf(text, highlighting) === keyOf(name, highlighting)))
    return problem(`'${name}' is in the text already`);
  // sound: test/lsp/rename.test.ts
  if (
    sources
      .files()
      .some((file) => file !== input.file && mentions(sources.text(file) ?? "", [word.text, name]))
  )
    return problem("an included file also has the name");
  const places = occurrencesOf(analysis, word);
  const after = await read({ ...input, text: replaced(input.text, places, name) }, analysis.language);
  // Names that the language itself gives, and names in strings, show here.
  // sound: test/lsp/rename.test.ts
  const error = after.diagnostics.find(({ severity }) => severity === "error");
  if (error) return problem(`'${word.text}' cannot be renamed: ${error.message}`);
  return { places };
}

const mentions = (text: string, names: readonly string[]): boolean =>
  names.some((name) => text.toLowerCase().includes(name.toLowerCase()));

function replaced(text: string, places: readonly Word[], name: string): string {
  let result = "";
  let at = 0;
  for (const { start, end } of places) {
    result += text.slice(at, start) + name;
    at = end;
  }
  return result + text.slice(at);
}
