/** Limits on nesting, so that all passes over the tree may recurse. */
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { SourceToken } from "../toolkit/source-token.js";

/** Most enclosing parentheses, braces, brackets, `if` and `do`. Spin's limit on braces is 128. */
export const MAX_NESTING = 200;

/** Most operators around an operand, including enclosing parentheses. */
export const MAX_DEPTH = 500;

const OPENS = new Set(["(", "[", "{", "if", "do"]);
const CLOSES = new Set([")", "]", "}", "fi", "od"]);

/** Diagnostic for the first token that is nested too deeply. */
export function checkNesting(tokens: readonly SourceToken[]): Diagnostic | undefined {
  let depth = 0;
  for (const token of tokens) {
    if (OPENS.has(token.image) && ++depth > MAX_NESTING) return tooDeep(token.span);
    if (CLOSES.has(token.image) && depth > 0) depth--;
  }
  return undefined;
}

export const tooDeep = (span: Span): Diagnostic => ({
  code: "promela/nesting-too-deep",
  severity: "error",
  message: `this is nested more than ${MAX_NESTING} levels deep, or a term of more than ${MAX_DEPTH} operators`,
  span,
  hint: "split it into smaller parts, for instance with inlines or intermediate variables",
});

/** Depth of a tree of plain objects and arrays, without recursion. */
export function depthOf(root: object): number {
  let deepest = 0;
  const pending: [object, number][] = [[root, 1]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [node, depth] = next;
    if (depth > deepest) deepest = depth;
    for (const child of Object.values(node)) {
      if (typeof child === "object" && child !== null)
        pending.push([child, "kind" in child ? depth + 1 : depth]);
    }
  }
  return deepest;
}
