import type { Expression } from "../ast.js";
import type { Context } from "./context.js";
import type { Constant } from "./scope.js";

export function lowerConstant(context: Context, node: Expression): Constant | undefined {
  const lowered = context.expression(node);
  if (!lowered) return undefined;
  if (lowered.kind === "constant") return lowered;
  if (lowered.kind === "binary" && lowered.left.kind === "constant" && lowered.right.kind === "constant")
    return context.error(
      "bad-constant",
      "this cannot be computed",
      lowered.span,
      "it divides by zero, or is too large",
    );
  return context.error(
    "not-constant",
    "this must be known before the model runs",
    node.span,
    "use numbers, constants and operators only",
  );
}
