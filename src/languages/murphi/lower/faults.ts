import { NO_SITE, type RuleExpr } from "../../../model/rules.js";
import type { Context } from "./context.js";
import { nth } from "../../../model/known.js";

/** True if a part has a fault site, or calls a procedure that can fault. */
export function mayFault(context: Context, expression: RuleExpr): boolean {
  const pending: unknown[] = [expression];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== "object" || next === null) continue;
    const node = next as Record<string, unknown>;
    if (SITES.some((name) => typeof node[name] === "number" && node[name] !== NO_SITE)) return true;
    if (node["kind"] === "call" && nth(context.procedures, node["procedure"] as number).mayFault) return true;
    pending.push(...Object.values(node));
  }
  return false;
}

const SITES = ["site", "range", "tooDeep", "wrongWay"] as const;
