/** The explicit engine as the registry wants it. */
import { checkExplicit, type Stop } from "../engines/explicit/index.js";
import type { Model, Scope } from "../model/index.js";
import type { EngineOptions, EngineResult, SearchEnd } from "./registry.js";

export async function check(model: Model, options: EngineOptions): Promise<EngineResult> {
  const { properties, search, store, budget, maxErrors, control } = options;
  const result = await checkExplicit(model, {
    order: search,
    ...(store ? { store: store === "exact" ? "flat" : "tree" } : {}),
    checkDeadlock: properties.some((property) => property.kind === "deadlock"),
    errors: maxErrors === Infinity ? "all" : maxErrors,
    budget,
    control,
    isChecked: (property) => properties.includes(property),
  });
  return { ...result, scope: scopeOf(result.stop), end: endOf(result.stop), reductions: [] };
}

const scopeOf = (stop: Stop | undefined): Scope =>
  stop === undefined
    ? { kind: "complete", by: "exhaustion", notes: [] }
    : { kind: "partial", by: "exhaustion", notes: [stopNotes[stop]] };

const stopNotes: Record<Stop, string> = {
  states: "stopped by --max-states",
  depth: "limited by --max-depth",
  memory: "stopped by --memory",
  time: "stopped by --time",
  interrupted: "interrupted",
  errors: "stopped at an error",
};

function endOf(stop: Stop | undefined): SearchEnd {
  if (stop === undefined) return "complete";
  if (stop === "errors") return "errors";
  return stop === "interrupted" ? "stopped" : "budget";
}
