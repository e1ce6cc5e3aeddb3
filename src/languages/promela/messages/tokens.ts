/**
 * Extensions of Promela: `async chan ch0, ch1 of { mtype };` (unbounded, unordered channels) and `provenance { … }`.
 * Removes both from the tokens before parsing; the grammar treats asynchronous channels as ordinary ones.
 */
import type { Diagnostic } from "../../../model/diagnostic.js";
import { Token } from "../token.js";
import type { Report } from "../../toolkit/diagnostics.js";
import { nth, lastOf } from "../../../model/known.js";

export interface MessageParts {
  readonly tokens: readonly Token[];
  /** Names of asynchronous channels; empty for an ordinary model. */
  readonly channels: readonly Token[];
  /** Contents of `provenance` blocks, with the token that ends each. */
  readonly blocks: readonly { readonly tokens: readonly Token[]; readonly end: Token }[];
}

export function takeMessageParts(tokens: readonly Token[], report: Report): MessageParts {
  const out: Token[] = [];
  const channels: Token[] = [];
  const blocks: MessageParts["blocks"][number][] = [];
  let depth = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = nth(tokens, i);
    const next = tokens[i + 1];
    if (depth === 0 && token.is("provenance") && next?.is("{")) {
      const end = closing(tokens, i + 1);
      blocks.push({ tokens: tokens.slice(i + 2, end), end: tokens[end] ?? lastOf(tokens) });
      i = end;
    } else if (depth === 0 && token.is("async") && next?.is("chan")) {
      const declared = channelNames(tokens, i + 2);
      if (!declared) {
        report(malformed(token));
        continue;
      }
      channels.push(...declared.names);
      out.push(...asOrdinary(next, declared.names));
      i = declared.end;
    } else {
      if (token.is("{")) depth++;
      if (token.is("}")) depth--;
      out.push(token);
    }
  }
  return { tokens: out, channels, blocks };
}

/** Index of the brace that matches `open`, or the end of the text. */
function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (nth(tokens, i).is("{")) depth++;
    if (nth(tokens, i).is("}") && --depth === 0) return i;
  }
  return tokens.length;
}

/** `ch0, ch1 of { mtype }`; `end` is the index of the last brace. */
function channelNames(tokens: readonly Token[], from: number): { names: Token[]; end: number } | undefined {
  const names: Token[] = [];
  let at = from;
  for (;;) {
    const name = tokens[at++];
    if (name?.lexical !== "identifier") return undefined;
    names.push(name);
    if (!tokens[at]?.is(",")) break;
    at++;
  }
  const isRight = ["of", "{", "mtype", "}"].every((text, i) => tokens[at + i]?.is(text));
  return isRight ? { names, end: at + 3 } : undefined;
}

/** `chan ch0 = [1] of { mtype }, ch1 = …`, at the positions of the names. */
const asOrdinary = (chan: Token, names: readonly Token[]): Token[] => [
  chan,
  ...names.flatMap((name, i) => {
    const words = (...texts: string[]): Token[] =>
      texts.map((text) => new Token(lexicalOf(text), text, name.span, name.frame));
    return [...(i > 0 ? words(",") : []), name, ...words("=", "[", "1", "]", "of", "{", "mtype", "}")];
  }),
];

const lexicalOf = (text: string): Token["lexical"] =>
  /^\d/.test(text) ? "number" : /^\w/.test(text) ? "identifier" : "operator";

const malformed = ({ span }: Token): Diagnostic => ({
  code: "promela/async-channel",
  severity: "error",
  message: "an asynchronous channel has no capacity, and messages of one mtype",
  span,
  hint: "write `async chan NAME of { mtype };`",
});
