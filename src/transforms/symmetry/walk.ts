/** Enumerates the expressions and statements of a frame, outer ones first, without called procedures. */
import type { Frame, RuleExpr, RuleStatement } from "../../model/rules.js";

export function* nodesIn(frame: Frame & object): Generator<RuleExpr | RuleStatement> {
  for (const [key, value] of Object.entries(frame)) if (key !== "slots") yield* below(value);
}

export function* below(value: unknown): Generator<RuleExpr | RuleStatement> {
  if (Array.isArray(value)) for (const item of value) yield* below(item);
  else if (typeof value === "object" && value !== null) {
    if ("kind" in value && KINDS.has(value.kind as string) && "span" in value)
      yield value as RuleExpr | RuleStatement;
    for (const [key, part] of Object.entries(value)) if (!LEFT_OUT.has(key)) yield* below(part);
  }
}

/** Types may look like expressions; they are irrelevant here. */
const LEFT_OUT = new Set(["type", "span", "array", "slots"]);

const KINDS: ReadonlySet<string> = new Set<(RuleExpr | RuleStatement)["kind"]>([
  "constant",
  "slot",
  "read",
  "unary",
  "binary",
  "logical",
  "conditional",
  "quantified",
  "is-undefined",
  "same",
  "has-value",
  "is-within",
  "convert",
  "call",
  "multiset-count",
  "bind",
  "refer",
  "assign",
  "copy",
  "clear",
  "undefine",
  "if",
  "for",
  "while",
  "assert",
  "assume",
  "cover",
  "error",
  "put",
  "return",
  "multiset-add",
  "multiset-remove",
  "multiset-remove-if",
]);
