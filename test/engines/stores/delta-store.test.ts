/** The delta store and its parts: no state is lost and no two are taken for one; quick, for mutation testing. */
import { describe, expect, test } from "vitest";
import { search } from "../../../src/engines/explicit/index.js";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import { DeltaStore, type DeltaOptions } from "../../../src/engines/explicit/stores/delta.js";
import { LinkColumn } from "../../../src/engines/explicit/stores/link-column.js";
import { DifferenceLinks } from "../../../src/engines/explicit/stores/links.js";
import { PagedWords } from "../../../src/engines/explicit/stores/paged.js";
import { RecentStates } from "../../../src/engines/explicit/stores/recent.js";
import { storeReport } from "../../../src/engines/explicit/stores/report.js";
import { PLAIN } from "../explicit/checking.js";
import { obviousSearch } from "../explicit/obvious.js";
import { toyModel, type Toy } from "../explicit/toys.js";
import { statesOfOneHash } from "./collisions.js";
import { keepsEveryState } from "./every-state.js";
import { generator } from "./keys.js";

keepsEveryState("every third level", { store: { kind: "delta", distance: 3 } });

describe("entered one by one", () => {
  /** A chain: each state is made of the one before, or of one some states back. */
  const chain = (options: Partial<DeltaOptions>, states: readonly Int32Array[]): DeltaStore => {
    const ledger = new Ledger();
    const width = states[0]!.length;
    const store = new DeltaStore(
      {
        width,
        compareFrom: 0,
        distance: 4,
        updatesPredecessors: false,
        maxStates: Infinity,
        keepsParents: true,
        ...options,
      },
      new DifferenceLinks(ledger),
      ledger,
    );
    states.forEach((words, i) => {
      expect(typeof store.reserve(1)).toBe("number");
      expect(store.find(words, 0)).toBe(0);
      const parent = Math.max(0, i - (i % 3 === 0 ? 2 : 0));
      expect(store.reserveLinks(1)).toBe(true);
      const link = parent === 0 ? 0 : store.link(store.state(parent), 0, words, 0, 0, 0);
      store.add(words, 0, parent, link, parent === 0 ? 0 : i, i % 2 === 0);
      expect(store.find(words, 0)).toBe(i + 1);
    });
    return store;
  };
  const isThere = (store: DeltaStore, states: readonly Int32Array[]): void =>
    states.forEach((words, i) => {
      expect(store.find(Int32Array.of(9, ...words), 1)).toBe(i + 1);
      expect([...store.state(i + 1)]).toEqual([...words]);
    });

  test.each([
    {},
    { distance: 1 },
    { distance: 100 },
    { onlyForward: true },
    { ignoresFilter: true },
    { forgets: true },
    { keepsParents: false },
  ])("%o", (options) => {
    const mixed = Array.from({ length: 900 }, (_, i) => Int32Array.of(i >> 3, 5, i & 7));
    isThere(chain(options, mixed), mixed);
    const same = statesOfOneHash(60).map((words) => Int32Array.of(...words, 4));
    const store = chain(options, same);
    isThere(store, same);
    expect(store.find(Int32Array.of(...statesOfOneHash(61).at(-1)!, 4), 0)).toBe(0);
    expect(store.find(Int32Array.of(same[0]![0]!, same[0]![1]!, 5), 0)).toBe(0);
  });

  test("narrower states have zeros behind them, and no more", () => {
    for (const onlyForward of [false, true]) {
      const narrow = statesOfOneHash(50);
      const store = chain({ onlyForward }, narrow);
      store.widen(3);
      narrow.forEach((words, i) => {
        expect(store.find(Int32Array.of(...words, 0), 0)).toBe(i + 1);
        expect(store.find(Int32Array.of(...words, 1), 0)).toBe(0);
        expect([...store.state(i + 1)]).toEqual([...words, 0]);
      });
      const wide = statesOfOneHash(90).slice(50);
      wide.forEach((words, i) => {
        const state = Int32Array.of(...words, 0);
        store.reserve(1);
        store.reserveLinks(1);
        const link = store.link(store.state(50), 0, state, 0, 0, 0);
        expect(store.find(state, 0)).toBe(0);
        store.add(state, 0, 50, link, i % 2 === 0 ? 4 : 5, true);
        expect(store.find(state, 0)).toBe(51 + i);
      });
    }
  });

  test("so many states, and no more", () => {
    const store = chain({ maxStates: 3 }, statesOfOneHash(3));
    expect(store.reserve(1)).toBe("no states");
    expect([1, 2, 3].map((id) => store.parent(id))).toEqual([0, 1, 2]);
  });

  test("ids are 31 bits", () => {
    const store = chain({}, statesOfOneHash(1));
    store.table = { length: 2 ** 31 } as Int32Array;
    store.count = 0.75 * 2 ** 31;
    expect(store.reserve(1)).toBe("no memory");
  });
});

/** States of two hashes, by their last word: comparisons are decided by words. */
const twoHashes = (width: number): Toy => {
  const states = statesOfOneHash(90).map((words, i) =>
    Array.from({ length: width }, (_, k) => words[k] ?? (k === width - 1 ? i & 1 : k)),
  );
  return {
    initial: states[0]!,
    width,
    next: ([n = 0]) => [n + 1, n + 7, (3 * n) % 90].filter((i) => i < 90).map((i) => ({ to: states[i]! })),
    isValidEnd: () => true,
  };
};

describe.each(["bfs", "dfs", "random"] as const)("%s", (order) => {
  test.each([2, 3, 24, 25, 40])("%i words, of few hashes", async (width) => {
    const toy = twoHashes(width);
    const { states, transitions } = obviousSearch(toy);
    for (const distance of [1, 3, 20])
      for (const forgets of [false, true]) {
        const store = { kind: "delta", distance, forgets } as const;
        const found = await search(toyModel(toy), { ...PLAIN, order, store });
        expect([found.stop, found.stats.states, found.stats.transitions]).toEqual([
          undefined,
          states,
          transitions,
        ]);
      }
  });
});

test("what a store that could not be had has omitted is not told", async () => {
  const found = await search(toyModel(twoHashes(3)), { ...PLAIN, order: "bfs", store: "flat" });
  const compact = { kind: "compact", cells: 100, width: 32, hash: "murmur", seed: 1 } as const;
  expect(storeReport(compact, found)).toMatchObject({ kind: "compact", omissions: null, delta: null });
});

test("differences: each one is kept once, and is its own way back", () => {
  const links = new DifferenceLinks(new Ledger());
  const random = generator(3);
  const known = new Map<string, number>();
  let from = new Int32Array(5);
  for (let i = 0; i < 1500; i++) {
    const to = from.map((word, k) => word ^ (((random() >>> 0) % 5 === k ? random() & 0xff : 0) | 0));
    expect(links.reserve(1, 5)).toBe(true);
    const link = links.link(Int32Array.of(7, ...from), 1, Int32Array.of(8, 8, ...to), 2, 5);
    const difference = from.map((word, k) => word ^ to[k]!).join();
    expect(known.get(difference) ?? known.size + 1).toBe(link);
    known.set(difference, link);
    const there = from.slice();
    links.redo(link, there);
    expect([...there]).toEqual([...to]);
    links.undo(link, there);
    expect([...there]).toEqual([...from]);
    from = to;
  }
  expect(links.largest(3)).toBe(known.size + 3);
});

test("words in pages: records do not overlap, and do not cross pages", () => {
  const words = new PagedWords(new Ledger());
  let end = 0;
  for (let i = 0; i < 30_000; i++) {
    if (i % 1000 === 0) expect(words.reserveRecords(1000, 7)).toBe(true);
    const { capacity } = words;
    const start = words.allot(7);
    expect(words.capacity).toBe(capacity);
    if (start < end || start >>> 16 !== (start + 6) >>> 16 || start + 7 > capacity)
      throw new Error(`a record at ${start}, behind ${end}`);
    end = start + 7;
    for (const k of [0, 6]) words.set(start + k, i + k);
  }
  expect([words.get(0), words.get(6), words.get(end - 7), words.get(end - 1)]).toEqual([
    0, 6, 29_999, 30_005,
  ]);
  expect(words.allot(1 << 16)).toBe(-1);
  expect(words.allot((1 << 16) - 1)).toBe(3 << 16 < end ? 4 << 16 : Math.ceil(end / 65_536) << 16);
  expect(words.reserveRecords(1, 1 << 16)).toBe(false);
});

test("words in pages: positions are 31 bits, and memory may be short", () => {
  const words = new PagedWords(new Ledger(1 << 12));
  expect(words.reserve(1000)).toBe(true);
  words.set(999, 5);
  expect(words.reserve(3000)).toBe(false);
  expect(words.allot(3000)).toBe(-1);
  expect(words.get(999)).toBe(5);
  const far = new PagedWords(new Ledger());
  far.capacity = 2 ** 32;
  far.used = 2 ** 31 - 10;
  expect(far.allot(11)).toBe(-1);
  expect(far.allot(10)).toBe(2 ** 31 - 10);
  far.used = 2 ** 31 - 30;
  expect([far.reserveRecords(1, 10), far.reserveRecords(1, 11)]).toEqual([true, false]);
});

test("numbers of links: two bytes each, then four; over pages", () => {
  const ledger = new Ledger();
  const column = new LinkColumn(ledger);
  const number = (id: number): number => (id * 7) & 0xffff;
  for (const entries of [1, 256, 257, 5000, 65_536, 65_537, 70_000]) {
    expect(column.reserve(entries)).toBe(true);
    column.set(entries - 1, number(entries - 1));
  }
  for (let id = 0; id < 70_000; id++) column.set(id, number(id));
  expect(column.reserveNumber(65_535)).toBe(true);
  expect(ledger.bytes).toBe(2 * 131_072);
  expect(column.reserveNumber(65_536)).toBe(true);
  expect(ledger.bytes).toBe(4 * 131_072);
  expect(column.bytes).toBe(ledger.bytes);
  for (let id = 0; id < 70_000; id += 13) expect(column.get(id)).toBe(number(id));
  column.set(69_999, 1 << 20);
  expect(column.reserve(140_000)).toBe(true);
  expect([column.get(69_999), column.get(0)]).toEqual([1 << 20, 0]);
  const short = new LinkColumn(new Ledger(700));
  expect([short.reserve(256), short.reserve(257), short.reserveNumber(65_536)]).toEqual([true, false, false]);
});

test("states met lately: without memory there is room for one", () => {
  const recent = new RecentStates(new Ledger(100));
  recent.resize(1 << 12, 5);
  expect([recent.ids.length, recent.words.length, recent.ways.length]).toEqual([1, 5, 1]);
  const more = new RecentStates(new Ledger());
  more.resize(1 << 12, 5);
  expect([more.ids.length, more.words.length, more.ways.length]).toEqual([512, 2560, 512]);
});
