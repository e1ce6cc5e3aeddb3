/** Aliases of places and values: before a rule, and in `alias` statements. */
import type { RuleStatement } from "../../../model/rules.js";
import type { AliasNode } from "../ast.js";
import type { Context } from "./context.js";
import { resolveValue } from "./places.js";

/** Declares aliases; evaluates the indices of places once. Later aliases can use earlier ones. */
export function lowerAliases(
  context: Context,
  aliases: readonly AliasNode[],
): readonly (RuleStatement & { kind: "bind" | "refer" })[] {
  return aliases.flatMap((alias): readonly (RuleStatement & { kind: "bind" | "refer" })[] => {
    const { name, value: node, span } = alias;
    const resolved = resolveValue(context, node);
    if (!resolved) {
      context.declare(name, { kind: "broken" });
      return [];
    }
    if (resolved.kind === "place") {
      const { place, readOnly } = resolved;
      const { type } = place;
      const slot = context.newSlot({
        kind: "reference",
        name: name.text,
        type,
        isReadOnly: readOnly !== undefined,
      });
      if (context.isLocal(place)) context.localReferences.add(slot);
      context.declare(name, { kind: "place", slot, type, readOnly });
      return [{ kind: "refer", slot, place, span }];
    }
    const { value } = resolved;
    const { type } = value;
    if (value.kind === "constant") {
      context.declare(name, { kind: "constant", type, value: value.value });
      return [];
    }
    const slot = context.newSlot({ kind: "value", name: name.text, type, isReadOnly: true });
    context.declare(name, { kind: "value", slot, type, what: `the alias \`${name.text}\` of a value` });
    return [{ kind: "bind", slot, value, span }];
  });
}
