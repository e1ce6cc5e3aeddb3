/** A search with one of the stores, with every property on. */
import { search } from "../../../src/engines/explicit/search.js";
import type { Violation } from "../../../src/engines/explicit/monitor.js";
import type { StoreChoice } from "../../../src/engines/explicit/stores/choice.js";
import { DeltaBackend } from "../../../src/engines/explicit/stores/delta-backend.js";
import type { DeltaFigures } from "../../../src/engines/explicit/stores/delta.js";
import type { PartialStore } from "../../../src/engines/explicit/stores/partial-store.js";
import type { Model } from "../../../src/model/index.js";

export interface Searched {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  readonly stop: string | undefined;
  readonly violations: readonly Violation[];
  readonly bytes: number;
  readonly delta: DeltaFigures | undefined;
  /** Bytes of the delta store's entries and whole states, without its table. */
  readonly entryBytes: number;
  readonly levels: readonly number[];
}

export async function searchWith(
  model: Model,
  order: "bfs" | "dfs",
  store: StoreChoice,
  maxStates = Infinity,
): Promise<Searched> {
  const result = await search(model, {
    order,
    store,
    budget: { maxStates },
    control: {},
    maxErrors: Infinity,
    checksDeadlock: true,
    checksSite: model.sites.map(() => true),
    invariants: model.invariants.map((_, i) => i),
  });
  const used = result.store as PartialStore;
  const { states, transitions, depth, peakBytes } = result.stats;
  return {
    states,
    transitions,
    depth,
    stop: result.stop,
    violations: result.violations,
    bytes: peakBytes,
    delta: used.backend instanceof DeltaBackend ? used.backend.store.figures() : undefined,
    entryBytes: used.backend instanceof DeltaBackend ? used.backend.store.entryBytes : 0,
    levels: used.levelSizes(),
  };
}
