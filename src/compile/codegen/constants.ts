/** Static evaluation of expressions. */
import { binary, unary } from "../../model/arithmetic.js";
import type { Expr, Place } from "../../model/index.js";
import type { Layout, ScalarSlot, Slot } from "../layout.js";
import { literal, type Scope } from "./scope.js";

/** The value if known statically; includes variables that this process never changes. */
export function constantOf(e: Expr, layout: Layout, scope: Scope): number | undefined {
  switch (e.kind) {
    case "constant":
      return e.value | 0;
    case "self":
      return literal(scope.pid);
    case "load":
      return constantLoad(e.place, layout, scope);
    case "unary": {
      const v = constantOf(e.operand, layout, scope);
      if (v === undefined) return undefined;
      return unary(e.op, v);
    }
    case "binary": {
      const l = constantOf(e.left, layout, scope);
      if (l === undefined) return undefined;
      const r = constantOf(e.right, layout, scope);
      if (r === undefined) return undefined;
      // sound: test/compile/cases/values.test.ts test/compile/faults.test.ts
      return r === 0 && (e.op === "/" || e.op === "%") ? undefined : binary(e.op, l, r);
    }
    case "conditional": {
      const test = constantOf(e.test, layout, scope);
      return test === undefined ? undefined : constantOf(test !== 0 ? e.then : e.otherwise, layout, scope);
    }
    default:
      return undefined;
  }
}

/** A variable without bits has a constant value; storing another value is detected. */
function constantLoad(place: Place, layout: Layout, scope: Scope): number | undefined {
  const { bits, base } = slotOf(place, layout, scope);
  // sound: test/compile/narrow.test.ts
  if (bits > 0) return undefined;
  const isInRange = place.path.every((step) => {
    if (step.kind === "field") return true;
    const index = constantOf(step.index, layout, scope);
    // sound: test/compile/narrow.test.ts
    return index !== undefined && index >= 0 && index < step.length;
  });
  return isInRange ? base : undefined;
}

/** Storage of a place, regardless of the array element. */
export function slotOf(place: Place, layout: Layout, scope: Scope): ScalarSlot {
  const slots = place.scope === "global" ? layout.globals : scope.record!.locals;
  let slot: Slot = slots[place.variable]!;
  for (const step of place.path) {
    if (slot.kind === "record" && step.kind === "field") slot = slot.fields[step.field]!;
    else if (slot.kind === "array") slot = slot.element;
  }
  if (slot.kind !== "scalar") throw new Error("a place ends in a scalar");
  return slot;
}
