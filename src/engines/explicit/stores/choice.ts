/** Which store a search uses, with its settings, and the making of it. */
import type { HashName, Successors, System } from "../../../model/index.js";
import type { Ledger } from "../ledger.js";
import { BitstateStore, type Indexing } from "./bitstate.js";
import { CompactStore } from "./compact.js";
import { DeltaStore } from "./delta.js";
import { DeltaBackend } from "./delta-backend.js";
import { ActionLinks, DifferenceLinks, SuccessorLinks, type LinkKind, type Links } from "./links.js";
import { LossyBackend } from "./lossy-backend.js";
import { PartialStore } from "./partial-store.js";
import { Replay } from "./replay.js";

export type StoreChoice = DeltaChoice | CompactChoice | BitstateChoice;

export interface DeltaChoice {
  readonly kind: "delta";
  /** Interval in levels between states kept whole. */
  readonly distance: number;
  readonly links?: LinkKind;
  readonly updatesPredecessors?: boolean;
  readonly onlyForward?: boolean;
  readonly ignoresFilter?: boolean;
  readonly forgets?: boolean;
}

interface LossyChoice {
  readonly hash: HashName;
  readonly seed: number;
}

export interface CompactChoice extends LossyChoice {
  readonly kind: "compact";
  readonly cells: number;
  readonly width: number;
}

export interface BitstateChoice extends LossyChoice {
  readonly kind: "bitstate";
  readonly bits: number;
  readonly functions: number;
  readonly indexing?: Indexing;
}

/** Undefined when there is no memory for it. `offered` is the list that the search collects successors in. */
export function createStore(
  choice: StoreChoice,
  system: System,
  search: {
    readonly order: "bfs" | "dfs" | "any";
    readonly maxStates: number;
    readonly offered: () => Successors;
  },
  ledger: Ledger,
): PartialStore<DeltaBackend | LossyBackend> | undefined {
  const backend = createBackend(choice, system, search, ledger);
  const how = {
    width: system.width,
    isQueued: search.order !== "dfs",
    isInOrder: search.order === "bfs",
    offered: search.offered,
  };
  return backend && new PartialStore(backend, how, ledger);
}

function createBackend(
  choice: StoreChoice,
  system: System,
  search: { readonly order: "bfs" | "dfs" | "any"; readonly maxStates: number },
  ledger: Ledger,
): DeltaBackend | LossyBackend | undefined {
  const { width, compareFrom } = system;
  const { maxStates } = search;
  if (choice.kind === "delta") {
    const { distance, onlyForward = false, ignoresFilter = false, forgets = false } = choice;
    // Hidden words differ between states that count as one: links must not be exchanged.
    // sound: test/engines/stores/delta-choice.test.ts
    const mayUpdate = search.order === "dfs" && compareFrom === 0;
    const updatesPredecessors = mayUpdate && (choice.updatesPredecessors ?? true);
    const options = {
      width,
      compareFrom,
      distance,
      updatesPredecessors,
      maxStates,
      onlyForward,
      ignoresFilter,
      forgets,
      keepsParents: search.order !== "dfs",
    };
    return new DeltaBackend(new DeltaStore(options, linksFor(choice.links, system, ledger), ledger));
  }
  const store =
    choice.kind === "compact"
      ? CompactStore.create({ ...choice, compareFrom }, ledger)
      : BitstateStore.create({ ...choice, compareFrom }, ledger);
  return store && new LossyBackend(store, system, search, ledger);
}

function linksFor(kind: LinkKind | undefined, system: System, ledger: Ledger): Links {
  if (kind === "successors") return new SuccessorLinks(new Replay(system));
  if (kind === "actions" && system.undo) return new ActionLinks(system.undo);
  return new DifferenceLinks(ledger);
}
