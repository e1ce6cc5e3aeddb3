/** TextMate grammars from the registry's highlighting. */
import type { Highlighting } from "../src/session/languages/highlighting.js";

export interface Grammar {
  readonly name: string;
  readonly scopeName: string;
  readonly patterns: readonly object[];
}

export function grammarOf(name: string, highlighting: Highlighting): Grammar {
  const { keywords, types = [], constants = [], ignoresCase = false } = highlighting;
  const { lineComments = [], blockComments = [], quotes = [], directive } = highlighting;
  const scope = (kind: string): string => `${kind}.${name}`;
  const words = (list: readonly string[], kind: string): object[] =>
    list.length === 0
      ? []
      : [
          {
            name: scope(kind),
            match: `${ignoresCase ? "(?i)" : ""}(?<![\\w.])(?:${list.map(escaped).join("|")})(?!\\w)`,
          },
        ];
  return {
    name,
    scopeName: `source.${name}`,
    // The first that matches wins: a comment contains no strings, a string no comments.
    patterns: [
      ...blockComments.map(({ open, close }) => ({
        name: scope("comment.block"),
        begin: escaped(open),
        end: escaped(close),
      })),
      ...(directive === undefined
        ? []
        : [{ name: scope("meta.preprocessor"), match: `^\\s*${escaped(directive)}.*$` }]),
      ...lineComments.map((start) => ({ name: scope("comment.line"), match: `${escaped(start)}.*$` })),
      ...quotes.map((quote) => ({
        name: scope("string.quoted"),
        begin: escaped(quote),
        // Only backquotes go over lines.
        end: quote === "`" ? "`" : `${escaped(quote)}|$`,
        patterns: [{ name: scope("constant.character.escape"), match: "\\\\." }],
      })),
      ...words(keywords, "keyword.control"),
      ...words(types, "storage.type"),
      ...words(constants, "constant.language"),
      { name: scope("constant.numeric"), match: "\\b\\d[\\w.]*\\b" },
    ],
  };
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
