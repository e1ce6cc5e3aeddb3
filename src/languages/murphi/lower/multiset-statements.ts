import type { RuleStatement } from "../../../model/rules.js";
import type { StatementOf } from "../ast.js";
import type { Context } from "./context.js";
import { lowerElementsWhere } from "./multisets.js";
import { elementSlot, lowerMultiset, resolveDesignator } from "./places.js";
import { describeType, fits, isAlike } from "./types.js";

export function lowerMultisetAdd(
  context: Context,
  node: StatementOf<"multisetadd">,
): RuleStatement | undefined {
  const multiset = lowerMultiset(context, node.multiset, true);
  const resolved = resolveDesignator(context, node.element);
  if (!multiset || !resolved) return undefined;
  const { span } = node;
  const { element: type } = multiset.type;
  if (resolved.kind !== "place")
    return context.error(
      "not-a-variable",
      "`multisetadd` takes a variable",
      node.element.span,
      "assign the value to a variable first",
    );
  const { place } = resolved;
  if (!isAlike(context, place.type, type))
    return context.error(
      "type-mismatch",
      `${describeType(context, place.type)} cannot be added to this multiset: its elements have another type`,
      node.element.span,
    );
  return {
    kind: "multiset-add",
    element: place,
    multiset,
    site: context.siteIf(
      true,
      "out-of-range",
      `maximum size of multiset exceeded: ${context.text(node.multiset.span)} has room for ${multiset.type.bound}`,
      span,
    ),
    range: context.siteIf(
      !fits(place.type, type),
      "out-of-range",
      `out-of-range value in ${context.text(node.element.span)}`,
      span,
    ),
    span,
  };
}

export function lowerMultisetRemove(
  context: Context,
  node: StatementOf<"multisetremove">,
): RuleStatement | undefined {
  const multiset = lowerMultiset(context, node.multiset, true);
  const { name, span } = node;
  const slot =
    multiset && elementSlot(context, multiset, { kind: "designator", name, path: [], span: name.span });
  if (!multiset || slot === undefined) return undefined;
  const site = context.siteIf(
    true,
    "undefined-value",
    `\`${name.text}\` was removed from the multiset already`,
    span,
  );
  return { kind: "multiset-remove", slot, multiset, site, span };
}

export function lowerMultisetRemoveIf(
  context: Context,
  node: StatementOf<"multisetremovepred">,
): RuleStatement | undefined {
  const found = lowerElementsWhere(context, node, true);
  return found && { kind: "multiset-remove-if", ...found, span: node.span };
}
