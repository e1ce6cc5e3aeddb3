/** Replaces each fragment of embedded C by one token, so that the rest of the model parses. */
import { spanBetween } from "../toolkit/source-token.js";
import { Token } from "./token.js";
import { nth } from "../../model/known.js";

export function foldEmbeddedC(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.some((token) => KEYWORDS.has(token.image))) return tokens;
  const out: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = nth(tokens, i);
    if (token.lexical !== "identifier" || !KEYWORDS.has(token.image)) {
      out.push(token);
      continue;
    }
    const last = endOfFragment(tokens, i);
    out.push(fragment(token, nth(tokens, last)));
    i = last;
  }
  return out;
}

const KEYWORDS = new Set(["c_code", "c_expr", "c_decl", "c_state", "c_track"]);

function fragment(keyword: Token, last: Token): Token {
  const token = new Token("embeddedC", keyword.image, spanBetween(keyword, last));
  token.newlineBefore = keyword.newlineBefore;
  return token;
}

/** Index of the fragment's last token: its closing brace, or the last string of `c_state "…" "…"`. */
function endOfFragment(tokens: readonly Token[], start: number): number {
  let i = start + 1;
  if (nth(tokens, start).image === "c_state" || nth(tokens, start).image === "c_track") {
    while (tokens[i]?.lexical === "string") i++;
    return i - 1;
  }
  if (tokens[i]?.is("[")) i = closing(tokens, i, "[", "]") + 1;
  return tokens[i]?.is("{") ? closing(tokens, i, "{", "}") : start;
}

function closing(tokens: readonly Token[], start: number, open: string, close: string): number {
  let depth = 0;
  for (let i = start; i < tokens.length; i++) {
    if (nth(tokens, i).is(open)) depth++;
    else if (nth(tokens, i).is(close) && --depth === 0) return i;
  }
  return tokens.length - 1;
}
