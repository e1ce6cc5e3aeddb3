/** The names in a text: words outside comments and strings that are not words of the language. */
import type { Highlighting } from "../session/languages/highlighting.js";

export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** `name`: chosen by the author of the text. */
  readonly kind: "name" | "keyword" | "type" | "constant";
}

export function wordsOf(text: string, highlighting: Highlighting): Word[] {
  const kinds = kindsOf(highlighting);
  const pattern = tokenPattern(highlighting);
  const words: Word[] = [];
  for (const match of text.matchAll(pattern)) {
    const word = match.groups?.["word"];
    if (word === undefined) continue;
    const kind = kinds.get(keyOf(word, highlighting)) ?? "name";
    words.push({ text: word, start: match.index, end: match.index + word.length, kind });
  }
  return words;
}

/** Equal keys are the same name. */
export const keyOf = (word: string, { ignoresCase = false }: Highlighting): string =>
  ignoresCase ? word.toLowerCase() : word;

function kindsOf(highlighting: Highlighting): ReadonlyMap<string, Word["kind"]> {
  const { keywords, types = [], constants = [] } = highlighting;
  const listed = (words: readonly string[], kind: Word["kind"]): (readonly [string, Word["kind"]])[] =>
    words.map((word) => [keyOf(word, highlighting), kind]);
  return new Map([
    ...listed(constants, "constant"),
    ...listed(types, "type"),
    ...listed(keywords, "keyword"),
  ]);
}

/** Comments and strings are matched first, so that words in them are not found. An open one extends to the end. */
function tokenPattern({ blockComments = [], lineComments = [], quotes = [] }: Highlighting): RegExp {
  const skipped = [
    ...blockComments.map(({ open, close }) => `${escape(open)}[^]*?(?:${escape(close)}|$)`),
    ...lineComments.map((open) => `${escape(open)}[^\\n]*`),
    ...quotes.map((quote) => {
      const q = escape(quote);
      const inside = quote === "`" ? `[^${q}\\\\]` : `[^${q}\\\\\\n]`;
      return `${q}(?:${inside}|\\\\[^])*${q}?`;
    }),
  ];
  const word = "(?<word>[\\p{L}_$][\\p{L}\\p{N}_$]*)";
  return new RegExp([...skipped, "\\p{N}[\\p{L}\\p{N}_.]*", word].join("|"), "gu");
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
