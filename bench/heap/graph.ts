/**
 * Heap graphs, independent of any programming language: objects with labelled fields, each an atom or a pointer.
 *
 * Implements the published algorithms that assign canonical locations to objects (Iosif 2001; Musuvathi and Dill 2005),
 * with addresses. The capture of JavaScript heaps (`src/code/heap/live-heap.ts`) uses one of them, ids by access chain; the others
 * serve as test oracle and baseline.
 *
 * Always true: labels are unique within an object, so one traversal suffices and no graph isomorphism is decided.
 */
export interface HeapGraph {
  /** The first is the root. */
  readonly objects: readonly HeapObject[];
}

export interface HeapObject {
  readonly name: string;
  /** Length in words; 1 for languages without addresses. */
  readonly length: number;
  readonly tag: string;
  /** In label order. */
  readonly fields: readonly HeapField[];
  /** Allocation site and sequence number, used only by the allocation-context heuristic. */
  readonly context?: string;
}

export interface HeapField {
  readonly label: string | number;
  readonly value: HeapValue;
}

export type HeapValue =
  | { readonly kind: "atom"; readonly atom: string }
  /** `displacement`: offset of an interior pointer. */
  | { readonly kind: "pointer"; readonly target: number; readonly displacement: number };

export type Canonicalisation = "none" | "alloc-context" | "dfs" | "bfs-table" | "bfs-chain";

/** By object: its canonical location; undefined if unreachable. */
export type Locations = readonly (number | string | undefined)[];

/** Objects in breadth-first order, each with the field that led to it. */
export function breadthFirst(graph: HeapGraph): readonly Discovery[] {
  const found: Discovery[] = [{ object: 0, parent: -1, label: "" }];
  const isSeen = new Uint8Array(graph.objects.length);
  isSeen[0] = 1;
  for (let head = 0; head < found.length; head++) {
    const parent = found[head]!.object;
    for (const { label, value } of graph.objects[parent]!.fields) {
      // Marked at discovery: marking at expansion would lengthen chains and duplicate objects.
      if (value.kind !== "pointer" || isSeen[value.target] === 1) continue;
      isSeen[value.target] = 1;
      found.push({ object: value.target, parent, label });
    }
  }
  return found;
}

export interface Discovery {
  readonly object: number;
  readonly parent: number;
  readonly label: string | number;
}

/** The access chain of every object: the labels of the shortest path to it, the least among equally long ones. */
export function accessChains(graph: HeapGraph): readonly (readonly (string | number)[] | undefined)[] {
  const chains: (readonly (string | number)[] | undefined)[] = graph.objects.map(() => undefined);
  for (const { object, parent, label } of breadthFirst(graph))
    chains[object] = parent < 0 ? [] : [...chains[parent]!, label];
  return chains;
}

/** Depth-first numbering after Iosif: canonical, but one additional object shifts all later ones. */
export function locateDepthFirst(graph: HeapGraph): Locations {
  const locations: (number | undefined)[] = graph.objects.map(() => undefined);
  let next = 0;
  const pending = [0];
  while (pending.length > 0) {
    const object = pending.pop()!;
    // Tested here rather than when pushed, to obtain depth-first order.
    if (locations[object] !== undefined) continue;
    const { length, fields } = graph.objects[object]!;
    locations[object] = next;
    next += length;
    for (let i = fields.length - 1; i >= 0; i--) {
      const { value } = fields[i]!;
      if (value.kind === "pointer" && locations[value.target] === undefined) pending.push(value.target);
    }
  }
  return locations;
}

/** Heuristic of Lerda and Visser: an object gets the location of an earlier one of its context. Not canonical. */
export class ContextTable {
  readonly #locations = new Map<string, number>();
  #next = 0;

  locate(graph: HeapGraph): Locations {
    const reached = new Set(breadthFirst(graph).map(({ object }) => object));
    return graph.objects.map((object, index) => (reached.has(index) ? this.#locate(object) : undefined));
  }

  #locate({ context, name, length }: HeapObject): number {
    const key = context ?? name;
    const known = this.#locations.get(key);
    if (known !== undefined) return known;
    const location = this.#next;
    this.#locations.set(key, location);
    this.#next += length;
    return location;
  }
}

/**
 * Locations by access chain, from a table that is filled on demand and persists throughout the search: clearing it or
 * restoring it with a state would make equal states differ.
 *
 * With `reuses`, an object with a new chain keeps its previous location (the thesis's extension). Two objects may then
 * claim one location; the table is changed for one of them, and equal states hashed before and after may differ: this
 * costs work, but is sound.
 */
export class ChainTable {
  mutations = 0;
  readonly #table = new Map<string, number>();
  readonly #reuses: boolean;
  #next = -1;

  constructor(reuses = false) {
    this.#reuses = reuses;
  }

  get entries(): number {
    return this.#table.size;
  }

  /** `before`: previous locations, by index; used only with `reuses`. */
  locate(graph: HeapGraph, before?: Locations): Locations {
    const locations: (number | undefined)[] = graph.objects.map(() => undefined);
    if (this.#next < 0) this.#next = graph.objects[0]!.length;
    const taken = new Set<number>();
    for (const { object, parent, label } of breadthFirst(graph)) {
      const location = parent < 0 ? 0 : this.#find(graph, object, locations[parent]!, label, before, taken);
      locations[object] = location;
      taken.add(location);
    }
    return locations;
  }

  #find(
    graph: HeapGraph,
    object: number,
    parent: number,
    label: string | number,
    before: Locations | undefined,
    taken: ReadonlySet<number>,
  ): number {
    const { length } = graph.objects[object]!;
    // The key includes the length: objects of different lengths at one chain would overlap.
    const key = typeof label === "number" ? `${parent + label},${length}` : `${parent} ${label},${length}`;
    const known = this.#table.get(key);
    const old = this.#reuses ? before?.[object] : undefined;
    const location = known ?? (typeof old === "number" ? old : this.#allocate(length));
    if (known === undefined) this.#table.set(key, location);
    if (!taken.has(location)) return location;
    this.mutations++;
    const other = this.#allocate(length);
    this.#table.set(key, other);
    return other;
  }

  #allocate(length: number): number {
    const location = this.#next;
    this.#next += length;
    return location;
  }
}

/** Uses the access chain itself as location: needs no table, so it is equal in every run and thread. */
export function locateByChain(graph: HeapGraph): Locations {
  return accessChains(graph).map(
    (chain, index) =>
      chain && `${graph.objects[index]!.tag}@${chain.map((label) => JSON.stringify(label)).join(".")}`,
  );
}

/** Images after relocation: equal for equal heaps, independent of allocation order; undefined if unreachable. */
export function imagesAt(graph: HeapGraph, locations: Locations): readonly (string | undefined)[] {
  return graph.objects.map(({ tag, length, fields }, index) => {
    const location = locations[index];
    if (location === undefined) return undefined;
    const shown = fields.map(
      ({ label, value }) => `${JSON.stringify(label)}=${valueImage(value, locations)}`,
    );
    return `${location}:${tag}/${length}{${shown.join(";")}}`;
  });
}

export const canonicalText = (graph: HeapGraph, locations: Locations): string =>
  imagesAt(graph, locations)
    .filter((image) => image !== undefined)
    .sort()
    .join("\n");

function valueImage(value: HeapValue, locations: Locations): string {
  if (value.kind === "atom") return value.atom;
  const { target, displacement } = value;
  return `@${locations[target]}${displacement === 0 ? "" : `+${displacement}`}`;
}
