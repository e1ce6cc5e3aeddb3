/** Turns a user's options for a store into its settings. */
import type { HashName, StoreName } from "../../../model/index.js";
import type { StoreKind } from "../search.js";
import { bestFunctions } from "./omissions.js";
import { planned, SUPERTRACE_FUNCTIONS } from "./plan.js";

export interface StoreSettings {
  /** Bytes for the table of a lossy store. */
  readonly tableBytes: number;
  /** Expected number of states: determines bits and functions. */
  readonly expectStates?: number;
  /** Bits set for a state (bitstate). */
  readonly functions?: number;
  /** Bits kept of a state (compact). */
  readonly width?: number;
  readonly hash: HashName;
  readonly seed: number;
  /** Levels between states that are kept whole (delta). */
  readonly distance: number;
}

export function storeFor(name: StoreName, settings: StoreSettings): StoreKind {
  const { hash, seed, expectStates, tableBytes, distance } = settings;
  const bits = 8 * Math.floor(tableBytes);
  switch (name) {
    case "exact":
      return "flat";
    case "tree":
      return "tree";
    case "delta":
      return { kind: "delta", distance };
    case "bitstate": {
      const best = expectStates === undefined ? SUPERTRACE_FUNCTIONS : bestFunctions(bits, expectStates);
      return { kind: "bitstate", bits, functions: settings.functions ?? best, hash, seed };
    }
    case "compact": {
      const plan = expectStates === undefined ? undefined : planned("compact", expectStates, tableBytes);
      const fitting = plan?.kind === "compact" ? plan.width : expectStates === undefined ? USUAL_WIDTH : 4;
      const width = settings.width ?? fitting;
      return { kind: "compact", cells: Math.floor(bits / width), width, hash, seed };
    }
  }
}

export const DEFAULT_SETTINGS: StoreSettings = { tableBytes: 2 ** 28, hash: "murmur", seed: 1, distance: 20 };

/** With 40 bits and ten million states in a table twice as large the probability of an omission is one in 100,000. */
const USUAL_WIDTH = 40;
