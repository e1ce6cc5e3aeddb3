/**
 * Smaller states for larger searches.
 *
 * A search of a few states is over before anything could be gained. A larger one is begun as it is; what it has seen
 * after `TRIAL_STATES`, and what the model finds out by itself, tells how many bits each field really needs, and it begins
 * again with a model whose states are packed accordingly (`Model.compact`). The trial is short: until then nothing has
 * been optimised by the JavaScript engine, so little is lost. If a later state does not fit, it begins once more with the model
 * that the exception offers. Answers and figures are those of the last search alone, except for the time.
 */
import { LayoutExceeded, type Model } from "../../model/index.js";
import { search, type SearchOptions, type SearchResult } from "./search.js";

export interface CompactResult {
  readonly result: SearchResult;
  /** The model that was searched in the end. */
  readonly model: Model;
}

export async function searchCompactly(model: Model, options: SearchOptions): Promise<CompactResult> {
  if (!model.compact) return { result: await search(model, options), model };
  const started = performance.now();
  const trial = await search(model, { ...withMaxStates(options, TRIAL_STATES), store: "flat" });
  const isOver = trial.stop !== "states" || trial.store.count >= (options.budget.maxStates ?? Infinity);
  if (isOver) return { result: trial, model };
  const { store } = trial;
  let chosen = model.compact((index) => store.numbered(index + 1, store.width), store.count);
  for (;;) {
    try {
      const result = await search(chosen, remaining(options, started));
      const seconds = (performance.now() - started) / 1000;
      return { result: { ...result, stats: { ...result.stats, seconds } }, model: chosen };
    } catch (error) {
      if (!(error instanceof LayoutExceeded)) throw error;
      chosen = error.retry();
    }
  }
}

const TRIAL_STATES = 1_000;

const withMaxStates = (options: SearchOptions, states: number): SearchOptions => ({
  ...options,
  budget: { ...options.budget, maxStates: Math.min(states, options.budget.maxStates ?? Infinity) },
});

/** The time budget is for all attempts together. */
function remaining(options: SearchOptions, started: number): SearchOptions {
  const { timeMs } = options.budget;
  if (timeMs === undefined) return options;
  return {
    ...options,
    budget: { ...options.budget, timeMs: Math.max(0, timeMs - (performance.now() - started)) },
  };
}
