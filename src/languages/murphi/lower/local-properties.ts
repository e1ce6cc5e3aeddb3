import type { RuleStatement } from "../../../model/rules.js";
import type { PropertyNode } from "../ast.js";
import type { Context } from "./context.js";
import { lowerCondition } from "./values.js";

export function lowerLocalProperty(context: Context, node: PropertyNode): RuleStatement | undefined {
  const { category, message, span } = node;
  const condition = lowerCondition(context, node.condition, `condition of \`${category}\``);
  if (!context.isRumur && category !== "assert")
    return context.error(
      "not-in-dialect",
      `CMurphi has no \`${category}\` statement`,
      span,
      "write `assert`, or leave `--dialect cmurphi` out",
    );
  if (category === "liveness")
    return context.error(
      "misplaced-liveness",
      "`liveness` is not allowed inside a rule",
      span,
      "state it outside, beside the invariants",
    );
  if (!condition) return undefined;
  const text = message ?? context.text(node.condition.span);
  switch (category) {
    case "assume":
      return { kind: "assume", condition, span };
    case "cover": {
      const name = context.propertyNames.take(message ?? `cover ${context.covers.length + 1}`);
      return {
        kind: "cover",
        condition,
        cover: context.covers.push({ name, condition: undefined, span }) - 1,
        span,
      };
    }
    case "invariant":
    case "assert":
      return {
        kind: "assert",
        condition,
        site: context.site("assertion", `assertion failed: ${text}`, span),
        span,
      };
  }
}
