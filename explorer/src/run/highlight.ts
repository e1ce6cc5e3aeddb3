/** Highlights words, comments and strings by the language's registry entry. */
import { HighlightStyle, StreamLanguage, syntaxHighlighting, type StringStream } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import type { Highlighting } from "../../../src/session/languages/highlighting.js";

export function highlight(highlighting: Highlighting | null): Extension {
  if (!highlighting) return [];
  const words = wordKinds(highlighting);
  const { blockComments = [], lineComments = [], quotes = [], directive, ignoresCase } = highlighting;
  const language = StreamLanguage.define<{ until: string | null }>({
    startState: () => ({ until: null }),
    token(stream, state) {
      if (state.until !== null) return inComment(stream, state);
      if (directive !== undefined && stream.sol() && stream.match(new RegExp(`^\\s*${escape(directive)}`))) {
        stream.match(/^\s*\w*/);
        return "meta";
      }
      if (stream.eatSpace()) return null;
      for (const open of lineComments) if (stream.match(open)) return (stream.skipToEnd(), "comment");
      for (const { open, close } of blockComments)
        if (stream.match(open)) return ((state.until = close), inComment(stream, state));
      for (const quote of quotes) if (stream.match(quote)) return (readString(stream, quote), "string");
      if (stream.match(/^\d[\w.]*/)) return "number";
      const word = stream.match(/^[\p{L}_$][\p{L}\p{N}_$]*/u) as RegExpMatchArray | null;
      if (word) return words.get(ignoresCase ? word[0].toLowerCase() : word[0]) ?? "variableName";
      stream.next();
      return null;
    },
    languageData: {
      commentTokens: { line: lineComments[0], block: blockComments[0] },
    },
  });
  return [language, syntaxHighlighting(colours)];
}

function wordKinds({ keywords, types = [], constants = [], ignoresCase }: Highlighting): Map<string, string> {
  const key = (word: string): string => (ignoresCase ? word.toLowerCase() : word);
  return new Map([
    ...constants.map((word) => [key(word), "atom"] as const),
    ...types.map((word) => [key(word), "typeName"] as const),
    ...keywords.map((word) => [key(word), "keyword"] as const),
  ]);
}

function inComment(stream: StringStream, state: { until: string | null }): string {
  while (!stream.eol()) {
    if (stream.match(state.until!)) {
      state.until = null;
      return "comment";
    }
    stream.next();
  }
  return "comment";
}

function readString(stream: StringStream, quote: string): void {
  while (!stream.eol() && !stream.match(quote)) if (stream.next() === "\\") stream.next();
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--keyword)", fontWeight: "600" },
  { tag: tags.typeName, color: "var(--type)" },
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--string)" },
  { tag: [tags.number, tags.atom], color: "var(--number)" },
  { tag: tags.meta, color: "var(--type)" },
]);
