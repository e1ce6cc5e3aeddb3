/** `return`: without a value, of a simple value, of a record, array or multiset. */
import { isSimple, NO_SITE, type Place, type RuleStatement } from "../../../model/rules.js";
import type { StatementOf } from "../ast.js";
import { lowerComplexResult } from "./calls.js";
import { coerce } from "./coerce.js";
import type { Context } from "./context.js";
import { resolveValue } from "./places.js";
import type { Resolved } from "./scope.js";
import { describeType, fits, isAlike } from "./types.js";
import { valueOf } from "./values.js";

export function lowerReturn(
  context: Context,
  { value: node, span }: StatementOf<"return">,
): readonly RuleStatement[] {
  const { procedure } = context.body;
  const needed = procedure?.result ?? procedure?.resultPlace?.type;
  if (!node) {
    if (needed)
      context.error("missing-result", "the function must return a value", span, "write `return VALUE`");
    return [{ kind: "return", value: undefined, site: NO_SITE, span }];
  }
  const complex =
    node.kind === "call" && needed && !isSimple(needed) ? lowerComplexResult(context, node) : undefined;
  const resolved: Resolved | undefined = complex
    ? { kind: "place", place: complex, readOnly: undefined }
    : resolveValue(context, node);
  if (!resolved) return [];
  if (!needed) {
    context.error(
      "needless-result",
      "nothing is to be returned here",
      node.span,
      procedure ? "a function has a type behind its parameters" : "write `return` alone",
    );
    return [];
  }
  if (procedure?.resultPlace)
    return lowerComplexReturn(context, resolved, procedure.resultPlace, node.span, span);
  const read = valueOf(context, resolved, node.span);
  const value = read && isSimple(needed) ? coerce(context, read, needed, "result") : undefined;
  if (!value) return [];
  const site = context.siteIf(
    !fits(value.type, needed),
    "out-of-range",
    "return of an out-of-range value",
    node.span,
  );
  return [{ kind: "return", value, site, span }];
}

function lowerComplexReturn(
  context: Context,
  resolved: Resolved,
  { slot, type }: { readonly slot: number; readonly type: Place["type"] },
  at: Place["span"],
  span: Place["span"],
): readonly RuleStatement[] {
  if (resolved.kind !== "place" || !isAlike(context, resolved.place.type, type)) {
    context.error(
      "type-mismatch",
      `this is not ${describeType(context, type)} of the type to be returned`,
      at,
    );
    return [];
  }
  const target: Place = { root: { kind: "slot", slot }, path: [], type, span: at };
  const site = context.siteIf(
    !fits(resolved.place.type, type),
    "out-of-range",
    "return of an out-of-range value",
    at,
  );
  return [
    { kind: "copy", source: resolved.place, target, offset: 0, site, span },
    { kind: "return", value: undefined, site: NO_SITE, span },
  ];
}
