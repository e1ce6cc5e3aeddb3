/** The tree store by itself, without loops: no state is lost and no two are taken for one, each condition; quick, for mutation testing. */
import { expect, test } from "vitest";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import { hashPair } from "../../../src/engines/explicit/tree-hash.js";
import { TreeStore } from "../../../src/engines/explicit/tree-store.js";
import { pairOfHash } from "./collisions.js";

/** Refuses selected requests, and records all. */
class Choosy extends Ledger {
  readonly asked: number[] = [];
  refuses: (words: number) => boolean = () => false;

  override allocate(words: number): Int32Array<ArrayBuffer> | undefined {
    this.asked.push(words);
    return this.refuses(words) ? undefined : super.allocate(words);
  }
}

interface Given {
  readonly width?: number;
  readonly keepsLog?: boolean;
  readonly maxStates?: number;
}

function storeOf({ width = 2, keepsLog = true, maxStates = Infinity }: Given = {}): {
  readonly store: TreeStore;
  readonly ledger: Choosy;
  readonly insert: (...state: number[]) => 0 | 1 | undefined;
} {
  const ledger = new Choosy(1 << 24);
  const store = new TreeStore({ width, keepsLog, maxStates, chunkBits: 5 }, ledger);
  const insert = (...state: number[]): 0 | 1 | undefined => {
    const words = new Int32Array(store.width);
    words.set(state);
    const root = store.root(words, 0);
    return root && store.insert(root);
  };
  return { store, ledger, insert };
}

const bytesOf = (store: TreeStore): number =>
  [store.set, store.pairs, store.index, ...store.log, ...store.parents].reduce(
    (sum, { byteLength }) => sum + byteLength,
    0,
  );

/** The words of a set with 4096 places. */
const SET_WORDS = 2 * 4096;

test("as many states as allowed", () => {
  const { store, insert } = storeOf({ maxStates: 5 });
  expect([1, 2, 3, 4, 5].map((i) => insert(i, 7))).toEqual([1, 1, 1, 1, 1]);
  expect([store.room, insert(6, 7), store.grow(), insert(5, 7)]).toEqual([5, undefined, "no states", 0]);
});

test.each([true, false])("what is full gets larger, and nothing else (with a log: %s)", (keepsLog) => {
  const { store, ledger, insert } = storeOf({ keepsLog });
  for (let i = 0; i < 3400; i++) {
    if (store.count >= store.room) {
      expect(store.grow()).toBe("grown");
      expect(store.room).toBeGreaterThan(store.count);
      expect(store.grow()).toBe("grown");
      expect(store.places).toBe(i < 3358 ? 4096 : 5448);
      expect(store.log.length).toBe(keepsLog ? Math.floor((store.count + 1) / 32) + 1 : 0);
    }
    if (insert(i, 7) !== 1) throw new Error(`${i} is not new`);
  }
  for (let i = 0; i < 3400; i++) if (insert(i, 7) !== 0) throw new Error(`${i} is new`);
  if (keepsLog) for (const id of [1, 31, 32, 3400]) expect([...store.numbered(id, 2)]).toEqual([id - 1, 7]);
  expect(ledger.bytes).toBe(bytesOf(store));
});

test("without memory for the set or the log there is no room", () => {
  for (const words of [SET_WORDS, 2 * 32, 32]) {
    const { store, ledger, insert } = storeOf();
    ledger.refuses = (asked) => asked === words;
    expect([store.grow(), insert(1, 2), store.count]).toEqual(["no memory", undefined, 0]);
    ledger.refuses = () => false;
    expect([store.grow(), insert(1, 2), insert(1, 2)]).toEqual(["grown", 1, 0]);
    expect(ledger.bytes).toBe(bytesOf(store));
  }
});

test("nodes: what is full gets larger, and every pair stays one node", () => {
  const { store, ledger } = storeOf({ width: 3 });
  const verify = (i: number): void => {
    const root = store.root(Int32Array.of(5, i, 3 * i), 0);
    if (root?.left !== i || root.right !== 5) throw new Error(`${i} has another root`);
  };
  for (let i = 1; i <= 2600; i++) {
    if (store.nodes >= store.nodeRoom) {
      expect(store.growNodes()).toBe(true);
      expect(store.nodeRoom).toBeGreaterThan(store.nodes);
      expect(store.growNodes()).toBe(true);
      const nodes = i - 1;
      expect(store.pairs.length).toBe(nodes < 1023 ? 2048 : nodes < 2047 ? 4096 : 8192);
      expect(store.index.length).toBe(nodes < 1228 ? 2048 : nodes < 2457 ? 4096 : 8192);
    }
    verify(i);
  }
  for (let i = 1; i <= 2600; i++) verify(i);
  expect(ledger.bytes).toBe(bytesOf(store));
});

test("nodes: as many as there is memory for", () => {
  // Pairs and their index have 2048 words at first and are doubled, pairs before.
  for (const [refused, count] of [
    [0, 0],
    [1, 0],
    [2, 1023],
    [3, 1228],
  ] as const) {
    const { store, ledger } = storeOf({ width: 3 });
    ledger.refuses = () => ledger.asked.length > refused;
    for (let i = 1; i <= count; i++) store.root(Int32Array.of(5, i, 3 * i), 0);
    expect(store.nodes).toBe(count);
    expect(store.root(Int32Array.of(5, 5000, 1), 0)).toBeUndefined();
    expect(store.nodes).toBe(count);
  }
});

test("nodes at one place of the index that share a half are told apart", () => {
  const { store } = storeOf({ width: 3 });
  const [, right] = pairOfHash(3, 9);
  const others = Array.from({ length: 40_000 }, (_, i) => i + 4).filter(
    (left) => (hashPair(left, right) & 2047) === 9,
  );
  const pairs = [
    ...[9, 9 + 2048, 9 + 4096].map((hash) => pairOfHash(3, hash)),
    ...others.map((left) => [left, right] as const),
  ];
  expect(pairs.length).toBeGreaterThan(10);
  for (let round = 0; round < 2; round++)
    for (const [i, [left, right]] of pairs.entries())
      expect(store.root(Int32Array.of(5, left, right), 0)).toEqual({ left: i + 1, right: 5 });
});

test("roots at one place that share a half are told apart", () => {
  const { store } = storeOf();
  const insert = (left: number, right: number) => store.insert({ left, right });
  expect([insert(1, 1), insert(1, 0), insert(1, 0), insert(1, 1)]).toEqual([1, 1, 0, 0]);
  const home = (left: number, right: number): number => (hashPair(left, right) >>> 20) & 4095;
  const same = Array.from({ length: 40_000 }, (_, i) => i + 2).filter((left) => home(left, 7) === 5);
  expect(same.length).toBeGreaterThan(4);
  for (const left of same) expect(insert(left, 7)).toBe(1);
  for (const hash of [1, 2, 3]) expect(insert(...pairOfHash(3, hash))).toBe(1);
  for (const left of same) expect(insert(left, 7)).toBe(0);
  for (const hash of [1, 2, 3]) expect(insert(...pairOfHash(3, hash))).toBe(0);
});

test.each([1, 2, 1000])(
  "%i roots that want the last places go on at the first ones, also in a larger set",
  (count) => {
    const { store, ledger } = storeOf();
    // The larger the set, the more places these are.
    const pairs = Array.from({ length: count }, (_, i) => pairOfHash(1 + i, -1 - i * 100));
    for (const known of [1, 0, 0]) {
      for (const [left, right] of pairs)
        if (store.insert({ left, right }) !== known) throw new Error("not told apart");
      if (known === 0) expect(store.growSet()).toBe(true);
    }
    expect(store.set.filter((word, at) => at % 2 === 0 && word !== 0).length).toBe(count);
    expect(ledger.bytes).toBe(bytesOf(store));
  },
);

test("a set has at most 2^30 - 4096 places", () => {
  for (const [places, asked] of [
    [807321599, [2 * (2 ** 30 - 4096 - 1)]],
    [807321600, [2 * (2 ** 30 - 4096)]],
    [807321601, []],
  ] as const) {
    const { store, ledger } = storeOf();
    ledger.refuses = () => true;
    store.places = places;
    expect(store.growSet()).toBe(false);
    expect(ledger.asked).toEqual(asked);
  }
});

test.each([true, false])("wider states are the same states (with a log: %s)", (keepsLog) => {
  for (const hasZero of [true, false]) {
    const { store, ledger, insert } = storeOf({ width: 1, keepsLog });
    expect(store.widen(1)).toBeDefined();
    const values = [...(hasZero ? [0] : []), 1, 2, -7, 90];
    for (const value of values) expect(insert(value)).toBe(1);
    for (let width = 2; width < 7; width++) {
      const refs = Int32Array.from([0, ...Object.values(store.root(Int32Array.of(2, 0, 0, 0, 0, 0), 0)!)]);
      const renew = store.widen(width);
      if (typeof renew !== "function") throw new Error("not widened");
      expect(renew(refs, 1)).toBe(true);
      expect([...store.referred(refs, 1, width)]).toEqual([2, ...Array<number>(width - 1).fill(0)]);
      for (const value of values) expect(insert(value)).toBe(0);
      expect(store.count).toBe(values.length);
      values.forEach((value, i) => {
        if (keepsLog)
          expect([...store.numbered(i + 1, width)]).toEqual([value, ...Array<number>(width - 1).fill(0)]);
      });
      expect(ledger.bytes).toBe(bytesOf(store));
    }
    expect(insert(0)).toBe(hasZero ? 0 : 1);
  }
});

test("wider states need memory for a set and for their nodes", () => {
  for (const keepsLog of [true, false])
    for (const state of [
      [0, 0],
      [1, 2],
    ])
      for (const refusal of ["set", "nodes"]) {
        const { store, ledger, insert } = storeOf({ keepsLog });
        expect(insert(...state)).toBe(1);
        ledger.refuses = (asked) => refusal !== "set" || asked === SET_WORDS;
        if (refusal === "nodes")
          for (let i = 9; store.nodes < store.nodeRoom; i++) store.root(Int32Array.of(i, 0), 0);
        if (refusal === "nodes") ledger.refuses = (asked) => asked !== SET_WORDS;
        expect(store.widen(3)).toBeUndefined();
      }
});

test("states that wait are told when there is no memory for their nodes", () => {
  const { store, ledger, insert } = storeOf({ keepsLog: false });
  expect(insert(1, 2)).toBe(1);
  const renew = store.widen(3);
  if (typeof renew !== "function") throw new Error("not widened");
  ledger.refuses = () => true;
  let i = 3;
  while (store.nodes < store.nodeRoom) expect(renew(Int32Array.of(1, i++), 0)).toBe(true);
  const refs = Int32Array.of(1, i);
  expect(renew(refs, 0)).toBe(false);
  expect([...refs]).toEqual([1, i]);
});
