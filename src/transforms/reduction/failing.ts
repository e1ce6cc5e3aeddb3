/** Operations that could fail at run time: a failing step has no successor. */
import type { Edge, Effect, Expr, Place } from "../../model/index.js";
import { targetOf, within } from "../../model/program-walk.js";

const canFail = (e: Expr): boolean =>
  [...within(e)].some((inner) => {
    switch (inner.kind) {
      case "binary":
        return inner.site >= 0 && !(inner.right.kind === "constant" && inner.right.value !== 0);
      case "load":
        return canFailAt(inner.place);
      case "constant":
      case "self":
      case "unary":
      case "conditional":
      case "process-count":
      case "last":
      case "timeout":
      case "no-progress":
        return false;
      default:
        return true;
    }
  });

/** An index that is not constant, or outside of the array. */
export const canFailAt = ({ path }: Place): boolean =>
  path.some(
    (step) =>
      step.kind === "index" && !(step.index.kind === "constant" && step.index.value >>> 0 < step.length), // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
  );

/** For an always executable statement without communication. A failing assertion stops no process. */
export const isFallible = ({ effects }: Edge): boolean => effects.some(mayStop);

export function mayStop(e: Effect): boolean {
  const target = targetOf(e);
  if (target && canFailAt(target)) return true;
  switch (e.kind) {
    case "assign":
      return canFail(e.value);
    case "assert":
      return canFail(e.condition);
    case "print":
      return e.arguments.some(({ value }) => canFail(value));
    case "run":
    case "set-priority":
    case "die":
      return true;
  }
}
