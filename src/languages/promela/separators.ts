/**
 * Inserts the separators that Spin lets the user omit.
 *
 * As in Spin, inside a body (of a process, claim, trace or typedef) and outside parentheses, a line break after a token
 * that can end a statement implies `;`, as does a closing brace or `else` before a token that can only start a
 * statement. Unlike in Spin, a line that starts with an operator continues the previous one.
 */
import { Token } from "./token.js";

export function addImpliedSeparators(tokens: readonly Token[]): readonly Token[] {
  const out: Token[] = [];
  const place = new Place();
  let last: Token | undefined;
  for (const token of tokens) {
    if (last && isImplied(last, token, place)) out.push(impliedSeparator(last));
    out.push(token);
    place.step(token, last);
    last = token;
  }
  return out;
}

function isImplied(last: Token, next: Token, place: Place): boolean {
  if (!startsStatement(next)) return false;
  if (last.is("}") || last.is("else")) return true;
  return (
    next.newlineBefore && place.isInBody && place.parentheses === 0 && place.mayEnd && endsStatement(last)
  );
}

/** Tracks braces and parentheses to determine whether the position is in a body. */
class Place {
  parentheses = 0;
  isInBody = false;
  /** The last token is not a name that must be followed by more: a type's, or the one after `run`. */
  mayEnd = true;
  readonly #types = new Set<string>();
  #braces = 0;
  #bodyComes = false;

  step(token: Token, before: Token | undefined): void {
    if (token.lexical === "string") return;
    if (before?.is("typedef")) this.#types.add(token.image);
    this.mayEnd = !before?.is("run") && !this.#types.has(token.image);
    switch (token.image) {
      case "(":
        this.parentheses++;
        break;
      case ")":
        if (this.parentheses > 0) this.parentheses--;
        break;
      case "{":
        if (this.#braces++ === 0) this.isInBody = this.#bodyComes;
        break;
      case "}":
        if (this.#braces > 0) this.#braces--;
        if (this.#braces === 0) this.isInBody = this.#bodyComes = false;
        // An unclosed parenthesis must not disable the rule for the rest of the file.
        this.parentheses = 0;
        break;
      default:
        if (this.#braces === 0 && token.lexical === "identifier") this.#atTop(token.image);
    }
  }

  #atTop(word: string): void {
    if (OPENS_BODY.has(word)) this.#bodyComes = true;
    else if (this.parentheses === 0 && (word === "ltl" || word === "mtype")) this.#bodyComes = false;
  }
}

const OPENS_BODY = new Set(["proctype", "D_proctype", "init", "never", "trace", "notrace", "typedef"]);

/** True for names and constants, false for keywords that need more. */
function endsStatement(token: Token): boolean {
  switch (token.lexical) {
    case "identifier":
      return !NEEDS_MORE.has(token.image);
    case "number":
    case "character":
    case "embeddedC":
      return true;
    case "operator":
      return token.is("}") || token.is(")") || token.is("]") || token.is("++") || token.is("--");
    default:
      return false;
  }
}

const NEEDS_MORE = new Set(
  (
    "active assert atomic bit bool byte D_proctype do chan empty enabled eval for full get_priority goto hidden if in " +
    "init inline int len local ltl mtype nempty never nfull notrace of pc_value pid printf printm priority " +
    "proctype provided return run d_step select set_priority short trace show typedef unless unsigned xr xs"
  ).split(" "),
);

/** A token that cannot start a statement continues the previous one. */
function startsStatement(token: Token): boolean {
  if (token.lexical === "identifier") return !CONTINUES.has(token.image);
  if (token.lexical !== "operator") return true;
  return STARTS.has(token.image);
}

const CONTINUES = new Set([
  "unless",
  "fi",
  "od",
  "proctype",
  "D_proctype",
  "init",
  "never",
  "of",
  "priority",
  "provided",
]);
const STARTS = new Set(["{", "(", "!", "!!", "~", "-"]);

function impliedSeparator(after: Token): Token {
  const span = { file: after.span.file, start: after.span.end, end: after.span.end };
  const token = new Token("operator", ";", span, after.frame);
  token.implied = true;
  token.expandedFrom = after.expandedFrom;
  return token;
}
