/** The explicit engine as the registry wants it. */
import {
  DEFAULT_SETTINGS,
  checkExplicit,
  formatProbability,
  storeFor,
  type StoreSettings,
  type ExplicitResult,
  type Stop,
} from "../engines/explicit/index.js";
import type { Model, Scope } from "../model/index.js";
import type { EngineOptions, EngineResult, SearchEnd } from "./registry.js";

export async function check(model: Model, options: EngineOptions): Promise<EngineResult> {
  const { properties, search, store, budget, maxErrors, control } = options;
  const result = await checkExplicit(model, {
    order: search,
    ...(store ? { store: storeFor(store, storeSettings(options)) } : {}),
    storeSettings: storeSettings(options),
    takesProbable: options.takesProbable,
    checkDeadlock: properties.some((property) => property.kind === "deadlock"),
    errors: maxErrors === Infinity ? "all" : maxErrors,
    budget,
    control,
    isChecked: (property) => properties.includes(property),
  });
  return { ...result, scope: scopeOf(result), end: endOf(result), reductions: [] };
}

function storeSettings({ storeRequest, seed }: EngineOptions): StoreSettings {
  const { tableBytes, expectStates, hashFunctions, hashBits, hash, deltaDistance } = storeRequest;
  return {
    tableBytes: tableBytes ?? DEFAULT_SETTINGS.tableBytes,
    hash: hash ?? DEFAULT_SETTINGS.hash,
    distance: deltaDistance ?? DEFAULT_SETTINGS.distance,
    seed,
    ...(expectStates === undefined ? {} : { expectStates }),
    ...(hashFunctions === undefined ? {} : { functions: hashFunctions }),
    ...(hashBits === undefined ? {} : { width: hashBits }),
  };
}

function scopeOf({ stop, store }: ExplicitResult): Scope {
  if (stop !== undefined) return { kind: "partial", by: "exhaustion", notes: [stopNotes[stop]] };
  if (!store.omissions) return { kind: "complete", by: "exhaustion", notes: [] };
  const note = `${store.kind} store, probability of an omission ${formatProbability(store.omissions.probability)}`;
  return { kind: "probabilistic", by: "exhaustion", notes: [note] };
}

const stopNotes: Record<Stop, string> = {
  states: "stopped by --max-states",
  depth: "limited by --max-depth",
  memory: "stopped by --memory",
  full: "stopped by a full table",
  time: "stopped by --time",
  interrupted: "interrupted",
  errors: "stopped at an error",
};

function endOf({ stop, store }: ExplicitResult): SearchEnd {
  if (stop === undefined) return store.omissions ? "probable" : "complete";
  if (stop === "errors") return "errors";
  return stop === "interrupted" ? "stopped" : "budget";
}
