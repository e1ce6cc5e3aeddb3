/** The kinds of tables by name, both sides, and the choice of one for a store. */
import type { System, Words } from "../../../../model/index.js";
import type { Ledger } from "../../ledger.js";
import { sampleOf, type SearchOptions } from "../../search.js";
import type { Sizes } from "../protocol.js";
import { treeShape, withTwoNodes } from "../../tree-shape.js";
import { CompactTable, CompactWorkerStore } from "./compact.js";
import { FlatTable, FlatWorkerStore } from "./flat.js";
import type { SharedTable, TableSpec, WorkerStore } from "./table.js";
import { TreeTable, TreeWorkerStore } from "./tree.js";

/** The table for the requested store; undefined when it does not support several threads. */
export function tableSpec(store: SearchOptions["store"], system: System): TableSpec | undefined {
  if (store === undefined || store === "flat") return { kind: "flat" };
  // States with words that do not distinguish them cannot be decomposed.
  if (store === "tree" && system.compareFrom > 0) return { kind: "flat" };
  if (store === "tree") return { kind: "tree", shape: shapeFor(system) };
  return store.kind === "compact" ? { kind: "compact", choice: store } : undefined;
}

/** By states from here and there; looking for them may make states wider. */
function shapeFor(system: System) {
  const sample: readonly Words[] = sampleOf(system);
  return withTwoNodes(treeShape(system.width, sample));
}

type StateShape = Pick<System, "width" | "compareFrom">;

export function sharedTable(spec: TableSpec, state: StateShape, sizes: Sizes, ledger: Ledger): SharedTable {
  switch (spec.kind) {
    case "flat":
      return new FlatTable(state, sizes.firstTable, ledger);
    case "tree":
      return new TreeTable(state.width, spec.shape, sizes, ledger);
    case "compact":
      return new CompactTable(spec.choice, state, ledger);
  }
}

export function workerStore(
  spec: TableSpec,
  state: StateShape,
  { chunkStates, nodeBlock }: Sizes,
  ledger: Ledger,
): WorkerStore {
  const { width, compareFrom } = state;
  const chunkBits = Math.log2(chunkStates);
  switch (spec.kind) {
    case "flat":
      return new FlatWorkerStore({ width, compareFrom }, chunkBits, ledger);
    case "tree":
      return new TreeWorkerStore({ width, shape: spec.shape, chunkBits }, nodeBlock, ledger);
    case "compact":
      return new CompactWorkerStore(spec.choice, { width, compareFrom }, chunkBits);
  }
}
