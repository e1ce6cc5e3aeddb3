/**
 * Shared tables, filled by two workers that take turns in this thread: no state is lost, and none has two ids, even if one
 * worker claims a place just before the other. Quick, for mutation testing.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ALL_OWN, SOME_OWN, hashWords } from "../../../src/engines/explicit/hash.js";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import type { Sizes } from "../../../src/engines/explicit/parallel/protocol.js";
import { fillPart } from "../../../src/engines/explicit/parallel/rehash.js";
import { SharedStore } from "../../../src/engines/explicit/parallel/shared-store.js";
import { sharedTable, workerStore } from "../../../src/engines/explicit/parallel/tables/index.js";
import type { TableSpec, WorkerStore } from "../../../src/engines/explicit/parallel/tables/table.js";
import { FlatTable, type FlatWorkerStore } from "../../../src/engines/explicit/parallel/tables/flat.js";
import {
  TreeTable,
  TreeWorkerStore,
  type TreeGrowth,
} from "../../../src/engines/explicit/parallel/tables/tree.js";
import {
  breadthFirstLoops,
  type Loops,
  type Slice,
} from "../../../src/engines/explicit/breadth-first-loops.js";
import type { SafetyMonitor } from "../../../src/engines/explicit/monitor.js";
import { ThreadRun } from "../../../src/engines/explicit/thread-run.js";
import { treeShape, withTwoNodes } from "../../../src/engines/explicit/tree-shape.js";
import type { Model, Successors, System } from "../../../src/model/index.js";
import { pairOfHash, statesOfOneHash } from "../stores/collisions.js";

const SIZES: Sizes = { chunkStates: 16, blockIds: 4, firstTable: 16, firstNodes: 8, nodeBlock: 2, narrow: 2 };

type State = readonly number[] | Int32Array;

/** Runs before the next claim of a place, once. */
let beforeClaim: (() => void) | undefined;
type Exchange = (words: Int32Array, at: number, expected: number, value: number) => number;
const { compareExchange } = Atomics as { compareExchange: Exchange };
const watched: Exchange = (words, at, expected, value) => {
  const act = value === 0 ? undefined : beforeClaim;
  if (act) beforeClaim = undefined;
  act?.();
  return compareExchange(words, at, expected, value);
};
beforeAll(() => void Object.assign(Atomics, { compareExchange: watched }));
afterAll(() => void Object.assign(Atomics, { compareExchange }));
afterEach(() => (beforeClaim = undefined));

class Worker {
  readonly store: WorkerStore;
  readonly loops: Loops;
  readonly ends = new Int32Array(8).fill(1 << 30);
  readonly targets = { targets: new Int32Array(1000) };
  readonly offered: Successors;
  next: readonly State[] = [];

  constructor(spec: TableSpec, width: number) {
    const successors = (_words: Int32Array, _at: number, out: Successors): void => {
      for (const state of this.next) {
        if (out.count === out.capacity) out.grow();
        out.words.set(state, out.count * out.stride);
        out.flags[out.count++] = 0;
      }
    };
    const system = { width, compareFrom: 0, successors } as unknown as System;
    this.store = workerStore(spec, system, SIZES, new Ledger());
    const run = new ThreadRun({ system } as unknown as Model, this.store, {
      invariants: [],
    } as unknown as SafetyMonitor);
    this.offered = run.offered;
    const found = spec.kind === "flat" ? this.targets : undefined;
    this.loops = breadthFirstLoops(run, { width, ends: this.ends, slice: {} as Slice, found });
  }

  /** The ids that are left of the current block, as a range. */
  get left(): [number, number] {
    return [this.store.count + 1, this.store.room + 1];
  }
}

class Crew {
  readonly store: SharedStore;
  readonly workers: readonly [Worker, Worker];
  readonly known: Set<string>;

  constructor(spec: TableSpec, first: State, ledger = new Ledger()) {
    const width = first.length;
    const table = sharedTable(spec, { width, compareFrom: 0 }, SIZES, ledger);
    const options = { width, maxStates: Infinity, workers: 2, sizes: SIZES, system: {} as System };
    this.store = new SharedStore(table, options, ledger);
    this.workers = [new Worker(spec, width), new Worker(spec, width)];
    const growth = this.store.grow([]);
    this.store.insertInitial(Int32Array.from(first));
    this.#apply(growth);
    this.known = new Set([first.join()]);
  }

  /** One worker enters a list, given or made by the expansion of the first state. */
  enter(who: 0 | 1, states: readonly State[], isNoted = false): void {
    const { loops, store, offered } = this.workers[who];
    this.workers[who].next = states;
    if (isNoted) loops.expandStates(1, 2);
    const words = isNoted ? offered.words : Int32Array.from(states.flatMap((state) => [...state]));
    let isSeen = isNoted;
    for (let entered = 0; ;) {
      const reached = loops.resolve(words, entered, states.length, 1, isSeen);
      entered = Math.max(0, reached);
      if (reached === states.length) break;
      isSeen &&= reached >= 0;
      if (reached < 0 || this.store.freshIds >= this.store.endIds) this.#apply(this.store.grow([]));
      else {
        store.count = this.store.freshIds - 1;
        this.store.freshIds = Math.min(this.store.endIds, this.store.freshIds + SIZES.blockIds);
        store.room = this.store.freshIds - 1;
      }
    }
    for (const state of states) this.known.add(state.join());
  }

  /** Just before the one worker claims its place, the other one has entered these. */
  race(states: readonly State[], faster: readonly State[]): void {
    // Nothing grows while workers are busy: there are ids, and the other worker has its nodes.
    while (this.store.endIds - this.store.freshIds < 4 * SIZES.blockIds) this.#apply(this.store.grow([]));
    const words = Int32Array.from(faster.flatMap((state) => [...state]));
    const [, { store, loops }] = this.workers;
    const ids = [store.count, store.room] as const;
    // Without ids, it looks them up and makes their nodes, and enters nothing.
    store.room = store.count;
    while (loops.resolve(words, 0, faster.length, 1, false) < 0) this.#apply(this.store.grow([]));
    [store.count, store.room] = ids;
    beforeClaim = () => {
      const { endIds } = this.store;
      this.enter(1, faster);
      expect(this.store.endIds).toBe(endIds);
    };
    this.enter(0, states);
    expect(beforeClaim).toBeUndefined();
  }

  verify(): void {
    const ids = new Set(Array.from({ length: this.store.freshIds - 1 }, (_, i) => i + 1));
    const { returned } = this.store;
    const unused = [...this.workers.flatMap(({ left }) => left), ...returned];
    for (let i = 0; i < unused.length; i += 2)
      for (let id = unused[i]!; id < unused[i + 1]!; id++) ids.delete(id);
    if (!this.store.isWhole) return expect(ids.size).toBe(this.known.size);
    const found = [...ids].map((id) => this.store.numbered(id).join());
    expect(found.length).toBe(this.known.size);
    expect(new Set(found)).toEqual(this.known);
  }

  /** All are known to both. */
  recall(): void {
    const { freshIds } = this.store;
    const before = this.workers.map(({ store }) => store.count);
    const all = [...this.known].map((text) => text.split(",").map(Number));
    for (const who of [0, 1] as const)
      for (let i = 0; i < all.length; i += 50) this.enter(who, all.slice(i, i + 50));
    expect([this.store.freshIds, ...this.workers.map(({ store }) => store.count)]).toEqual([
      freshIds,
      ...before,
    ]);
  }

  #apply(growth: ReturnType<SharedStore["grow"]>): void {
    if (typeof growth === "string") throw new Error(growth);
    const act = beforeClaim;
    beforeClaim = undefined;
    growth.growths.forEach((own, i) => this.workers[i]!.store.adopt(own));
    beforeClaim = act;
  }
}

const shapeOf = (width: number) => withTwoNodes(treeShape(width));
const compact = { kind: "compact", cells: 3000, width: 64, hash: "murmur", seed: 1 } as const;
const SPECS: readonly ((width: number) => TableSpec)[] = [
  () => ({ kind: "flat" }),
  (width) => ({ kind: "tree", shape: shapeOf(width) }),
  () => ({ kind: "compact", choice: compact }),
  () => ({ kind: "compact", choice: { ...compact, width: 32 } }),
];

describe.each(SPECS)("table %#", (specOf) => {
  test.each([1, 2, 3, 5, 30])("%i words: what two workers enter in turn is there once", (width) => {
    const state = (i: number): number[] =>
      Array.from({ length: width }, (_, k) => (k === width - 1 ? i : i >> Math.min(31, 3 * k + 3)));
    const crew = new Crew(specOf(width), state(0));
    for (let i = 0; i < 400; i += 20) {
      const list = Array.from({ length: 30 }, (_, k) => state(i + k));
      crew.enter(i % 40 === 0 ? 0 : 1, [...list, ...list.slice(0, 3)]);
    }
    crew.verify();
    crew.recall();
  });

  test("states of one hash, and those that share a word", () => {
    const same = statesOfOneHash(60);
    const crew = new Crew(specOf(3), [...same[0]!, 7]);
    for (let i = 0; i < 60; i += 10)
      crew.enter(
        i % 20 === 0 ? 0 : 1,
        same.slice(i, i + 15).map((words) => [...words, 7]),
      );
    crew.enter(
      1,
      same.map(([a = 0]) => [a, 0, 7]),
    );
    crew.verify();
    crew.recall();
  });

  test("another worker was faster: with the same state, with one before it, with others", () => {
    const crew = new Crew(specOf(2), [0, 0]);
    for (let i = 1; i < 60; i++) {
      crew.race([[i, 1]], [[i, 1]]);
      crew.race([[i, 2], [i, 3]], [[i, 3], [i, 2]]); // prettier-ignore
      crew.race([[i, 4]], [[i, 5], [i, 6]]); // prettier-ignore
    }
    crew.verify();
    crew.recall();
  });
});

test("states of one hash in a race: whoever loses takes the next place", () => {
  const same = statesOfOneHash(40);
  const crew = new Crew({ kind: "flat" }, same[0]!);
  for (let i = 1; i + 1 < 40; i += 2) crew.race([same[i]!], [same[i + 1]!]);
  crew.verify();
  crew.recall();
});

test("the state that was found is told, and parents are those that were expanded", () => {
  const crew = new Crew({ kind: "flat" }, [0]);
  const [worker] = crew.workers;
  worker.ends.set([2, 2, 1 << 30]);
  crew.enter(0, [[5], [6], [7]]);
  const ids = [...worker.targets.targets.subarray(0, 3)];
  expect(ids.map((id) => [...crew.store.numbered(id)])).toEqual([[5], [6], [7]]);
  expect(ids.map((id) => (worker.store as FlatWorkerStore).parent(id))).toEqual([1, 1, 3]);
  crew.enter(0, [[7], [5], [0]]);
  expect([...worker.targets.targets.subarray(0, 3)]).toEqual([ids[2], ids[0], 1]);
});

/** Has no memory for two tables: the old one must be given back before there is a new one. */
class Tight extends Ledger {
  #isGivenBack = false;

  override fits(words: number, freed = 0): boolean {
    if (freed > 0) this.#isGivenBack = true;
    return words < 32 || this.#isGivenBack;
  }

  override allocateShared(words: number): Int32Array<SharedArrayBuffer> | undefined {
    const array = super.allocateShared(words);
    this.#isGivenBack = false;
    return array;
  }
}

test("where there is no memory for two tables, the entries come from the states", () => {
  const crew = new Crew({ kind: "flat" }, [0], new Tight());
  for (let i = 0; i < 300; i += 10) {
    const list = Array.from({ length: 13 }, (_, k) => [i + k]);
    crew.enter(i % 20 === 0 ? 0 : 1, list);
    if (i % 50 === 0) crew.recall();
  }
  crew.verify();
  crew.recall();
});

describe("a table of the flat kind", () => {
  /** The growths of a table from that size on; its contents are never read. */
  const growths = (size: number, count: number) => {
    const ledger = new Ledger();
    ledger.allocateShared = (words) =>
      ({ length: words, byteLength: 4 * words }) as Int32Array<SharedArrayBuffer>;
    ledger.free = () => undefined;
    const table = new FlatTable({ width: 1, compareFrom: 0 }, size, ledger);
    return Array.from({ length: count }, () => table.grow(true, () => Int32Array.of(1, 5)));
  };

  test("has at most 2^31 entries: ids are 31 bits", () => {
    expect(
      growths(2 ** 30, 3).map((growth) => (typeof growth === "string" ? growth : growth.table.length)),
    ).toEqual([2 ** 30, 2 ** 31, "no memory"]);
  });

  test("needs every bit of a hash when it has more than 2^27 entries, and is filled from the states then", () => {
    const kinds = growths(2 ** 26, 4).map((growth) =>
      typeof growth === "string" ? growth : [growth.ownMask === SOME_OWN, growth.isDoubled],
    );
    expect(kinds).toEqual([
      [true, false],
      [true, true],
      [false, false],
      [false, false],
    ]);
  });
});

test("a table that is filled from the states has an entry for each, whoever is faster, and none for others", () => {
  const hashOf = (id: number, ownMask: number): number => hashWords(Int32Array.of(7 * id), 0, 1, 0, ownMask);
  const shared = (length: number) => new Int32Array(new SharedArrayBuffer(4 * length));
  const [old, table] = [shared(32), shared(64)];
  const used = Int32Array.of(1, 6, 9, 30, 31, 32);
  const growth = { kind: "flat", table, ownMask: ALL_OWN, isDoubled: false, used, parts: 2 } as const;
  // Under the hashes of before, which are of no use now.
  for (let i = 0; i < 6; i++) old[i] = i + 1;
  beforeClaim = () => fillPart(old, { ...growth, part: 1 }, hashOf);
  fillPart(old, { ...growth, part: 0 }, hashOf);
  const ids = [...table].filter((entry) => entry !== 0).map((entry) => entry & 63);
  expect(ids.toSorted((a, b) => a - b)).toEqual([
    1,
    2,
    3,
    4,
    5,
    ...Array.from({ length: 21 }, (_, i) => i + 9),
    31,
  ]);
  for (const id of ids) {
    const hash = hashOf(id, ALL_OWN);
    let slot = hash & 63;
    while (table[slot] !== ((hash & ~63) | id)) {
      if (table[slot] === 0) throw new Error(`state ${id} is not found`);
      slot = (slot + 1) & 63;
    }
  }
});

describe("a tree", () => {
  const tree = (width: number): TableSpec => ({ kind: "tree", shape: shapeOf(width) });
  const adopt = (worker: TreeWorkerStore, growth: TreeGrowth): void =>
    worker.adopt({
      ...{ released: [], chunks: [], parents: [], isElsewhere: false },
      table: { ...growth, part: 0, parts: 1 },
    });
  const isUsed = (word: number, at: number): boolean => at % 2 === 0 && word !== 0;

  test.each([1, 2, 3, 4, 7])("%i words: successors are those that the list says", (width) => {
    const first = Array.from({ length: width }, (_, k) => k + 1);
    const crew = new Crew(tree(width), first);
    for (let i = 0; i < 6; i++) {
      const next = first.flatMap((_, k) => [0, 1, 50 + i, i].map((value) => first.with(k, value)));
      for (const who of [0, 1] as const) crew.enter(who, [first, ...next], true);
    }
    crew.verify();
    crew.recall();
  });

  test("has a first state of parts that are alike, or alike in one half", () => {
    for (const first of [
      [1, 2, 1, 2],
      [1, 2, 1, 3],
      [1, 2, 3, 2],
      [0, 0, 0, 0],
      [1, 2, 3, 4, 1, 2, 3, 4],
      [5, 6, 7, 8, 1, 2, 7, 8],
    ]) {
      const crew = new Crew(tree(first.length), first);
      expect([...crew.store.numbered(1)]).toEqual(first);
      crew.recall();
      crew.verify();
    }
  });

  test("tells nodes apart that share a half and all bits of the hash but the lowest", () => {
    const [first, second, third] = [pairOfHash(3, 0x1005), pairOfHash(7, 0x2006), pairOfHash(7, 0x2005)];
    // The third one belongs where the first one is, and comes to the second one next.
    const crew = new Crew(tree(4), [...first, 0, 0]);
    crew.enter(0, [[...second, 0, 0]]);
    crew.enter(1, [[...third, 0, 0]]);
    crew.verify();
    crew.recall();
  });

  test("has each root once in its set, however often that grew", () => {
    const crew = new Crew(tree(2), [0, 0]);
    for (let i = 0; i < 300; i += 10)
      crew.enter(
        i % 20 === 0 ? 0 : 1,
        Array.from({ length: 10 }, (_, k) => [i + k, (i + k) % 7]),
      );
    const [{ store }] = crew.workers;
    const { set, index } = store as TreeWorkerStore;
    expect(set.filter(isUsed).length).toBe(crew.known.size);
    const nodes = index.filter((entry) => entry !== 0).map((entry) => entry & (index.length - 1));
    expect(new Set(nodes).size).toBe(nodes.length);
  });

  test("claims no place for nothing when it grows", () => {
    const shape = shapeOf(2);
    const table = new TreeTable(
      2,
      shape,
      { firstTable: 16, firstNodes: 8, nodeBlock: 2, blockIds: 4 },
      new Ledger(),
    );
    const worker = new TreeWorkerStore({ width: 2, shape, chunkBits: 4 }, 2, new Ledger());
    const grow = (isFull: boolean): void => {
      const growth = table.grow(isFull);
      if (typeof growth === "string") throw new Error(growth);
      adopt(worker, growth);
    };
    const claimed: number[] = [];
    Object.assign(Atomics, {
      compareExchange: (...args: Parameters<Exchange>): number => {
        claimed.push(args[3]);
        return compareExchange(...args);
      },
    });
    try {
      const first = table.grow(true);
      if (typeof first === "string") throw new Error(first);
      table.enterFirst(Int32Array.of(3, 4));
      adopt(worker, first);
      for (let i = 0; i < 4; i++) grow(true);
    } finally {
      Object.assign(Atomics, { compareExchange: watched });
    }
    // The first page of each of five sets and one index.
    expect(claimed.filter((value) => value === 0).length).toBe(6);
    expect(worker.set.filter(isUsed).length).toBe(1);
  });

  test("makes larger what is full, and nothing else; all nodes are given out", () => {
    const shape = shapeOf(2);
    const sizes = { firstTable: 16, firstNodes: 8, nodeBlock: 2, blockIds: 4 };
    const table = new TreeTable(2, shape, sizes, new Ledger());
    const worker = new TreeWorkerStore({ width: 2, shape, chunkBits: 4 }, 2, new Ledger());
    const grow = (isFull: boolean): readonly number[] => {
      const growth = table.grow(isFull);
      if (typeof growth === "string") throw new Error(growth);
      if (isFull && table.isWanting) throw new Error("it wants more");
      adopt(worker, growth);
      return [growth.pairs.length / 2, growth.index.length, growth.set.length];
    };
    expect([grow(true), grow(false)]).toEqual([
      [8, 16, 16],
      [8, 16, 16],
    ]);
    expect(grow(true)).toEqual([8, 16, 22]);
    const take = () => [worker.growNodes(), worker.nodes + 1, worker.nodeRoom + 1];
    expect(Array.from({ length: 5 }, take)).toEqual([
      [true, 1, 2],
      [true, 2, 4],
      [true, 4, 6],
      [true, 6, 8],
      [false, 6, 8],
    ]);
    expect(table.isWanting).toBe(true);
    expect(grow(false)).toEqual([16, 32, 22]);
    worker.hasFailed = true;
    expect(worker.growNodes()).toBe(false);
    worker.hasFailed = false;
    expect(take()).toEqual([true, 8, 10]);
  });

  test("needs memory for its set and its nodes", () => {
    for (const refused of [1, 2, 3]) {
      const ledger = new Ledger();
      const allocate = ledger.allocateShared.bind(ledger);
      let asked = 0;
      ledger.allocateShared = (words) => (++asked === refused ? undefined : allocate(words));
      const sizes = { firstTable: 16, firstNodes: 8, nodeBlock: 2, blockIds: 4 };
      const table = new TreeTable(2, shapeOf(2), sizes, ledger);
      expect(table.grow(true)).toBe("no memory");
    }
  });
});
