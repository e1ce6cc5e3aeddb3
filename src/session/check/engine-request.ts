/** Completes a request to an engine with defaults. */
import type { Property, Sources } from "../../model/index.js";
import { defaultMemoryBytes } from "../../sandbox/memory.js";
import type { DiskRequest, EngineRequest } from "../contracts.js";
import type { CheckOptions, Input } from "../request.js";

export const engineRequest = (
  { file }: Input,
  properties: readonly Property[],
  options: CheckOptions,
  disk: DiskRequest | undefined,
  sources: Sources,
): EngineRequest => ({
  file,
  sources,
  isPlain: options.isPlain ?? false,
  reductions: options.reductions,
  reducesAtOnce: options.reducesAtOnce ?? false,
  checksReduction: options.checksReduction ?? false,
  warnsTruncation: options.warnsTruncation ?? false,
  counts: options.counts,
  wantsProofs: options.wantsProofs ?? false,
  ...(options.slice ? { slice: options.slice } : {}),
  minimises: options.minimises ?? true,
  symbolic: options,
  isSeeded: options.seed !== undefined,
  properties,
  search: options.search ?? "bfs",
  isDefaultOrder: options.search === undefined,
  schedules: options.schedules,
  store: options.store,
  storeRequest: { tableBytes: defaultTableBytes(options), ...options.storeRequest },
  seed: options.seed ?? 1,
  takesProbable: options.accept === "probabilistic",
  budget: { memoryBytes: defaultMemoryBytes(), ...options.budget },
  maxErrors: options.maxErrors ?? 1,
  fairness: options.fairness ?? "none",
  emptiness: options.emptiness ?? "auto",
  workers: options.workers ?? 1,
  disk,
  mayUseDevice: options.engine === undefined && options.workers === undefined,
  device: { choice: options.device, memoryBytes: options.gpuMemoryBytes },
  control: options.control ?? {},
});

/** Size of a lossy store's table: three quarters of the memory budget; by default at most 256 MiB. */
const defaultTableBytes = ({ budget }: CheckOptions): number =>
  budget?.memoryBytes === undefined
    ? Math.min(2 ** 28, 0.75 * defaultMemoryBytes())
    : Math.floor(0.75 * budget.memoryBytes);
