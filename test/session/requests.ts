/** A request to an engine, with default values. */
import type { Property, ReductionRequest } from "../../src/model/index.js";
import type { EngineRequest } from "../../src/session/contracts.js";

export const requestFor = (
  properties: readonly Property[],
  more: Partial<EngineRequest> = {},
): EngineRequest => ({
  file: "toy",
  properties,
  isPlain: false,
  reductions: ["por", "slice", "merge"],
  reducesAtOnce: false,
  checksReduction: false,
  warnsTruncation: false,
  counts: undefined,
  wantsProofs: false,
  search: "bfs",
  store: undefined,
  storeRequest: { tableBytes: 1 << 16 },
  seed: 1,
  takesProbable: false,
  budget: {},
  maxErrors: Infinity,
  fairness: "none",
  emptiness: "auto",
  control: {},
  workers: 1,
  disk: undefined,
  ...more,
});

/** Requested by name. */
export const reductionRequest = (wanted: readonly string[]): ReductionRequest => ({
  wanted,
  isAsked: true,
  fairness: "none",
  workers: 1,
});
