/**
 * Smaller states for larger searches.
 *
 * A search of a few states ends before anything could be gained. A larger one starts with the given layout; the values seen
 * after `TRIAL_STATES`, and the model's own analysis, give the number of bits that each field needs, and the search restarts
 * with states packed accordingly (`Model.compact`). The trial costs little, since the JavaScript engine has optimised nothing
 * by then. If a later state does not fit, the search restarts with the model that the exception offers. Answers and figures
 * come from the last search alone, except for the time.
 */
import { DeviceProblem, LayoutExceeded, type MakeModel, type Model } from "../../model/index.js";
import { Folder, type DiskOptions } from "./disk/folder.js";
import { searchOnDisk } from "./disk/search.js";
import type { Stop } from "./order.js";
import { Crew, type WorkerSource } from "./parallel/crew.js";
import { searchInParallel } from "./parallel/search.js";
import { remaining, search, type SearchOptions, type SearchResult } from "./search.js";

export interface CompactResult {
  readonly result: SearchResult;
  /** The model that was searched in the end. */
  readonly model: Model;
}

/** Resources of a large search beside this thread and its memory. */
export interface Resources {
  readonly workers?: WorkerSource;
  readonly disk?: DiskOptions & { readonly make: MakeModel };
  readonly device?: DeviceResource;
  readonly offer?: DeviceOffer;
}

/** A device that is looked for once a search of one thread has reached `after` states. */
export interface DeviceOffer {
  readonly after: number;
  /** Undefined: there is none for this model. */
  open(model: Model): Promise<DeviceResource["search"] | undefined>;
}

/** A device beside the processor, which continues searches that are larger than `after` states. */
export interface DeviceResource {
  readonly after: number;
  search(model: Model, options: SearchOptions): Promise<SearchResult>;
}

export async function searchCompactly(
  model: Model,
  options: SearchOptions,
  { workers, disk, device, offer }: Resources = {},
): Promise<CompactResult> {
  if (device) return searchWithDevice(model, options, device);
  if (disk) return searchWithDisk(model, options, disk);
  // A model that is compacted was tried out before.
  const usesStep = model.compact ? true : "when large";
  // Threads start while the first states are looked at.
  const crew = workers && model.recipe ? new Crew(workers) : undefined;
  crew?.warm(model.recipe!, model.system.width);
  try {
    return await searchTwice(model, { ...options, usesStep }, async (chosen, left) => {
      const found = workers && crew && (await searchInParallel(chosen, left, workers, crew));
      if (found) return found;
      const result = await (offer && !workers ? searchWithOffer(chosen, left, offer) : search(chosen, left));
      return { result, model: chosen };
    });
  } finally {
    await crew?.dismiss();
  }
}

/** The processor goes on until a device is ready, and starts again if the device cannot finish. */
async function searchWithOffer(
  model: Model,
  options: SearchOptions,
  offer: DeviceOffer,
): Promise<SearchResult> {
  const started = performance.now();
  const { control } = options;
  const times = model.coverage.times;
  const before = times?.slice();
  let isAsked = false;
  let onDevice: DeviceResource["search"] | undefined;
  const ask = async (): Promise<void> => {
    isAsked = true;
    onDevice = await offer.open(model);
  };
  const small = await search(model, {
    ...options,
    control: {
      onProgress: (progress) => {
        control.onProgress?.(progress);
        if (!isAsked && progress.states >= offer.after) void ask();
      },
      isStopped: () => control.isStopped?.() === true || onDevice !== undefined,
    },
  });
  // sound: test/engines/gpu/offer.test.ts
  if (!onDevice || small.stop !== "interrupted" || control.isStopped?.() === true) return small;
  if (before) times?.set(before);
  try {
    const large = await onDevice(model, remaining(options, started));
    if (large.stop !== "memory") return large;
  } catch (error) {
    if (!(error instanceof DeviceProblem)) throw error;
  }
  if (before) times?.set(before);
  return search(model, remaining(options, started));
}

/** Begins on the processor, which is faster for small searches. */
async function searchWithDevice(
  model: Model,
  options: SearchOptions,
  { after, search: searchOnDevice }: DeviceResource,
): Promise<CompactResult> {
  return searchTwice(model, options, async (chosen, left) => {
    const started = performance.now();
    const times = chosen.coverage.times;
    const before = times?.slice();
    if (after > 0) {
      const small = await search(chosen, { ...withMaxStates(left, after), usesStep: "when large" });
      if (small.stop !== "states" || small.store.count >= (left.budget.maxStates ?? Infinity))
        return { result: small, model: chosen };
    }
    // The device counts from the first state on.
    // sound: test/engines/gpu/differential.test.ts
    if (before) times?.set(before);
    return { result: await searchOnDevice(chosen, remaining(left, started)), model: chosen };
  });
}

async function searchWithDisk(
  model: Model,
  options: SearchOptions,
  disk: NonNullable<Resources["disk"]>,
): Promise<CompactResult> {
  const folder = new Folder(disk);
  const sizes = { checkpointMs: disk.checkpointMs ?? CHECKPOINT_MS };
  const onDisk = async (chosen: Model, left: SearchOptions): Promise<CompactResult> => ({
    result: await searchOnDisk(chosen, left, folder, sizes),
    model: chosen,
  });
  try {
    const { checkpoint, layout } = folder.manifest;
    if (checkpoint) {
      const { recipe } = model;
      const chosen = recipe ? await disk.make({ ...recipe, layout }, checkpoint.width) : model;
      const found = await onDisk(chosen, options).catch((error: unknown) => {
        if (!(error instanceof LayoutExceeded)) throw error;
        folder.begin(undefined);
      });
      if (found) {
        mergeCoverage(model, found.model);
        return found;
      }
    }
    const goesOn = (stop: Stop | undefined): boolean => stop === "states" || stop === "memory";
    return await searchTwice(
      model,
      options,
      (chosen, left) => {
        folder.begin(chosen.recipe?.layout);
        return onDisk(chosen, left);
      },
      goesOn,
    );
  } finally {
    folder.release();
  }
}

async function searchTwice(
  model: Model,
  options: SearchOptions,
  searchAll: (model: Model, options: SearchOptions) => Promise<CompactResult>,
  goesOn = (stop: Stop | undefined): boolean => stop === "states",
): Promise<CompactResult> {
  // sound: test/engines/explicit/endings.test.ts
  if (!model.compact) return searchAll(model, options);
  const started = performance.now();
  const trial = await search(model, {
    ...withMaxStates(options, TRIAL_STATES),
    store: "flat",
    usesStep: false,
  });
  // sound: test/engines/explicit/endings.test.ts
  const isOver = !goesOn(trial.stop) || trial.store.count >= (options.budget.maxStates ?? Infinity);
  // Stores of other kinds report their own figures.
  // sound: test/engines/explicit/endings.test.ts
  if (isOver && typeof options.store === "object") return searchAll(model, remaining(options, started));
  // sound: test/engines/explicit/endings.test.ts
  if (isOver) return { result: trial, model };
  const { store } = trial;
  let chosen = model.compact((index) => store.numbered(index + 1, store.width), store.count);
  for (;;) {
    try {
      const found = await searchAll(chosen, remaining(options, started));
      mergeCoverage(model, found.model);
      const seconds = (performance.now() - started) / 1000;
      return { ...found, result: { ...found.result, stats: { ...found.result.stats, seconds } } };
    } catch (error) {
      if (!(error instanceof LayoutExceeded)) throw error;
      chosen = error.retry();
    }
  }
}

/** A model made from a recipe has recorded its coverage elsewhere. */
function mergeCoverage(into: Model, from: Model): void {
  for (const noted of ["coverage", "truncation"] as const)
    from[noted]?.reached.forEach((byte, part) => {
      if (byte !== 0) into[noted]!.reached[part] = 1;
    });
}

const TRIAL_STATES = 1_000;
/** Between two checkpoints of a search on disk. */
const CHECKPOINT_MS = 2000;

const withMaxStates = (options: SearchOptions, states: number): SearchOptions => ({
  ...options,
  budget: { ...options.budget, maxStates: Math.min(states, options.budget.maxStates ?? Infinity) },
});
