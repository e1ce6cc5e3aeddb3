/** The elements of a multiset that satisfy a condition, to count or to remove. */
import type { RuleExpr } from "../../../model/rules.js";
import type { Expression, Statement } from "../ast.js";
import type { Context } from "./context.js";
import { keyOf, lowerMultiset } from "./places.js";
import { lowerCondition } from "./values.js";

type Chosen = (Expression & { kind: "multisetcount" }) | (Statement & { kind: "multisetremovepred" });

export interface ElementsWhere {
  readonly multiset: NonNullable<ReturnType<typeof lowerMultiset>>;
  /** Slot of the element while the condition is evaluated. */
  readonly slot: number;
  readonly condition: RuleExpr;
}

export function lowerElementsWhere(
  context: Context,
  { kind, name, multiset: written, condition: wanted }: Chosen,
  isChanged: boolean,
): ElementsWhere | undefined {
  const multiset = lowerMultiset(context, written, isChanged);
  if (!multiset) return undefined;
  return context.inBlock(() => {
    const { type } = multiset;
    const slot = context.newSlot({ kind: "element", name: name.text, type: type.element, isReadOnly: true });
    context.declare(name, { kind: "element", slot, multiset: type, key: keyOf(multiset) });
    const condition = lowerCondition(context, wanted, `condition of \`${kind}\``);
    return condition && { multiset, slot, condition };
  });
}
