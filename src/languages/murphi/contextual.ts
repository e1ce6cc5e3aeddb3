/**
 * Words that only one of the two tools reserves (`choose`, `union`, `cover`, …) are names in models written for the
 * other. Makes a token a keyword only if its context allows no name.
 */
import type { TokenType } from "chevrotain";
import type { Token } from "./lexer.js";
import * as v from "./vocabulary.js";

export function settleContextualWords(tokens: readonly Token[]): void {
  let opened = 0;
  tokens.forEach((token, i) => {
    if (token.tokenType !== v.Identifier) return;
    const type = v.CONTEXTUAL.get(token.image.toLowerCase());
    if (!type) return;
    const around = { before: tokens[i - 1], next: tokens[i + 1], afterNext: tokens[i + 2] };
    const isKeyword = type === v.EndChoose ? opened > 0 : isUsedAs(type, around);
    if (!isKeyword) return;
    if (type === v.Choose) opened++;
    if (type === v.EndChoose) opened--;
    token.become(type);
  });
}

interface Around {
  readonly before: Token | undefined;
  readonly next: Token | undefined;
  readonly afterNext: Token | undefined;
}

function isUsedAs(type: TokenType, { before, next, afterNext }: Around): boolean {
  const isBefore = (...types: TokenType[]): boolean => types.includes(before?.tokenType as TokenType);
  const isNext = (...types: TokenType[]): boolean => types.includes(next?.tokenType as TokenType);
  switch (type) {
    case v.Choose:
      return isNext(v.Identifier) && afterNext?.tokenType === v.Colon;
    case v.Union:
      return isNext(v.LeftBrace);
    case v.Refused:
      return isNext(v.Identifier, v.StringToken);
    case v.Multiset:
      return isNext(v.LeftBracket) && isBefore(v.Colon, v.Of);
    case v.Undefined:
      return isBefore(v.Becomes) || (isBefore(v.LeftParen, v.Comma) && isNext(v.RightParen, v.Comma));
    case v.IsMember:
    case v.MultisetAdd:
    case v.MultisetCount:
    case v.MultisetRemove:
    case v.MultisetRemoveIf:
      return isNext(v.LeftParen) && !isBefore(v.ProcedureWord, v.FunctionWord);
    default:
      return startsProperty(before, next);
  }
}

/** `assume`, `cover`, `liveness`, `ltl`: the previous token ends a construct, and the next begins a condition. */
function startsProperty(before: Token | undefined, next: Token | undefined): boolean {
  if (!next) return false;
  if (next.tokenType === v.LeftParen || next.tokenType === v.Minus || next.tokenType === v.Plus)
    return before === undefined || ENDS_SOMETHING.has(before.tokenType) || /^end/i.test(before.image);
  return STARTS_CONDITION.has(next.tokenType) || (next.tokenType.CATEGORIES ?? []).includes(v.TemporalPrefix);
}

const ENDS_SOMETHING: ReadonlySet<TokenType> = new Set([
  v.Semicolon,
  v.Do,
  v.Begin,
  v.Then,
  v.Else,
  v.Fires,
  v.Colon,
  v.StringToken,
]);

const STARTS_CONDITION: ReadonlySet<TokenType> = new Set([
  v.Identifier,
  v.NumberToken,
  v.StringToken,
  v.Not,
  v.Tilde,
  v.Forall,
  v.Exists,
  v.TrueWord,
  v.FalseWord,
  v.IsUndefined,
]);
