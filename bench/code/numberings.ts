/**
 * Searches that identify states of nodes by algorithms of the literature instead of hashes: each captured heap becomes
 * a graph, the algorithm assigns locations, and equal texts are one state.
 */
import { LiveHeap, SnapshotTable, type Snapshot } from "../../src/code/heap/index.js";
import {
  ChainTable,
  canonicalText,
  locateByChain,
  locateDepthFirst,
  type HeapGraph,
  type Locations,
} from "../heap/graph.js";
import { graphOf } from "../heap/graph-of.js";

/** `before`: locations of the objects in the previous state; undefined for new ones. */
export type Locate = (graph: HeapGraph, before: Locations) => Locations;

/** All canonical. A table belongs to one node, and persists throughout the search. */
export const numberings: readonly { readonly name: string; locator(): Locate }[] = [
  { name: "dfs", locator: () => locateDepthFirst },
  { name: "bfs-table", locator: () => tableOf(new ChainTable()) },
  { name: "bfs-chain", locator: () => locateByChain },
];

/** The table with reused locations: equal states may differ. */
export const reusing = (): Locate => tableOf(new ChainTable(true));

/** No canonicalization: an object is numbered at discovery, and keeps its number. */
export const allocated = (): Locate => (_graph, before) => {
  let next = 1 + before.reduce<number>((most, at) => (typeof at === "number" && at > most ? at : most), -1);
  return before.map((at) => at ?? next++);
};

const tableOf =
  (table: ChainTable): Locate =>
  (graph, before) =>
    table.locate(graph, before);

/** Calls `locator` once per node. */
export async function numberedBy<T>(locator: () => Locate, run: () => Promise<T>): Promise<T> {
  const intern = Reflect.get(SnapshotTable.prototype, "intern") as (snapshot: Snapshot) => number;
  const restore = Reflect.get(LiveHeap.prototype, "restore") as LiveHeap["restore"];
  const tables = new Map<SnapshotTable, NumberedTable>();
  /** A node is restored, takes a step and is captured, without interruption. */
  let restored: Snapshot | undefined;
  LiveHeap.prototype.restore = function (snapshot) {
    restored = snapshot;
    return restore.call(this, snapshot);
  };
  SnapshotTable.prototype.intern = function (snapshot) {
    const table = tables.get(this) ?? new NumberedTable(locator());
    tables.set(this, table);
    return table.number(snapshot, graphOf(snapshot, this.rules), restored, (text) =>
      // The text is unique, so this is a new state.
      intern.call(this, Object.assign(snapshot, { signature: text })),
    );
  };
  try {
    return await run();
  } finally {
    SnapshotTable.prototype.intern = intern;
    LiveHeap.prototype.restore = restore;
  }
}

class NumberedTable {
  readonly #locate: Locate;
  readonly #numbers = new Map<string, number>();
  readonly #locations = new WeakMap<Snapshot, ReadonlyMap<unknown, number | string | undefined>>();

  constructor(locate: Locate) {
    this.#locate = locate;
  }

  number(
    snapshot: Snapshot,
    graph: HeapGraph,
    restored: Snapshot | undefined,
    keep: (text: string) => number,
  ): number {
    const known = restored && this.#locations.get(restored);
    const objects = snapshot.entries.slice(0, graph.objects.length).map(({ object }) => object);
    const locations = this.#locate(
      graph,
      objects.map((object) => known?.get(object)),
    );
    const text = canonicalText(graph, locations);
    let number = this.#numbers.get(text);
    if (number === undefined) {
      this.#locations.set(snapshot, new Map(objects.map((object, place) => [object, locations[place]])));
      this.#numbers.set(text, (number = keep(text)));
    }
    return number;
  }
}
