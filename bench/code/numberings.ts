/**
 * Searches in which the states of nodes are told apart by the algorithms of the literature, not by their hashes: every captured heap
 * is made a graph, its objects are given locations by the algorithm, and equal texts are one state.
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

/** `before`: where the objects were in the state that the node was in before; undefined where one is new. */
export type Locate = (graph: HeapGraph, before: Locations) => Locations;

/** All of them canonical. A table belongs to one node, and lives as long as the search. */
export const numberings: readonly { readonly name: string; locator(): Locate }[] = [
  { name: "dfs", locator: () => locateDepthFirst },
  { name: "bfs-table", locator: () => tableOf(new ChainTable()) },
  { name: "bfs-chain", locator: () => locateByChain },
];

/** The table whose objects keep their locations: states that are equal may differ. */
export const reusing = (): Locate => tableOf(new ChainTable(true));

/** No canonicalization: an object is numbered when it is first seen, and keeps its number as long as it lives. */
export const allocated = (): Locate => (_graph, before) => {
  let next = 1 + before.reduce<number>((most, at) => (typeof at === "number" && at > most ? at : most), -1);
  return before.map((at) => at ?? next++);
};

const tableOf =
  (table: ChainTable): Locate =>
  (graph, before) =>
    table.locate(graph, before);

/** `locator` is asked once for each node. */
export async function numberedBy<T>(locator: () => Locate, run: () => Promise<T>): Promise<T> {
  const intern = Reflect.get(SnapshotTable.prototype, "intern") as (snapshot: Snapshot) => number;
  const restore = Reflect.get(LiveHeap.prototype, "restore") as LiveHeap["restore"];
  const tables = new Map<SnapshotTable, NumberedTable>();
  /** A node goes back to a state, makes a step, and is captured: nothing comes between. */
  let restored: Snapshot | undefined;
  LiveHeap.prototype.restore = function (snapshot) {
    restored = snapshot;
    return restore.call(this, snapshot);
  };
  SnapshotTable.prototype.intern = function (snapshot) {
    const table = tables.get(this) ?? new NumberedTable(locator());
    tables.set(this, table);
    return table.number(snapshot, graphOf(snapshot, this.rules), restored, (text) =>
      // No other has that text, so it is kept as a new state.
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
