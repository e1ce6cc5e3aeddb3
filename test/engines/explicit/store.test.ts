import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ALL_OWN,
  SOME_OWN,
  emitHash,
  hashMultipliers,
  hashWords,
} from "../../../src/engines/explicit/hash.js";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import { ExactStore } from "../../../src/engines/explicit/store.js";
import {
  emitFind,
  emitInsert,
  emitStoreLocals,
  instantiate,
} from "../../../src/engines/explicit/store-code.js";

describe("the store", () => {
  test.each([0, 1])("agrees with a map while states get wider, words before %i left out", (compareFrom) =>
    fc.assert(
      fc.property(phases(compareFrom), fc.boolean(), (growing, isColliding) => {
        const ledger = new Ledger();
        const first = Math.max(1, growing[0]!.width);
        const store = newStore(first, compareFrom, ledger);
        const known = new Map<string, { id: number; words: number[] }>();
        for (const { width, states } of growing) {
          if (width > store.width) expect(store.widen(width)).toBe("none");
          const onId = (state: number[], id: number): void => {
            const key = significant(state, compareFrom);
            const before = known.get(key);
            expect(id).toBe(before ? ~before.id : known.size + 1);
            if (!before) known.set(key, { id, words: padded(state, store.width) });
          };
          enterAll(store, states, onId, isColliding ? "const hash = 77;" : undefined);
          expect(store.count).toBe(known.size);
        }
        for (const { id, words } of known.values())
          expect([...store.state(id)]).toEqual(padded(words, store.width));
        const arrays = [...store.chunks, ...store.parents, store.table];
        expect(ledger.bytes).toBe(arrays.reduce((sum, array) => sum + array.byteLength, 0));
      }),
      { numRuns: 150 },
    ),
  );

  test("a state wider than what is unrolled is told apart in its last word", () => {
    const store = newStore(40, 0, new Ledger());
    const ids: number[] = [];
    const states = [0, 1, 2, 1].map((last) => padded([], 39).concat(last));
    enterAll(store, states, (_, id) => ids.push(id));
    expect(ids).toEqual([1, 2, 3, ~2]);
  });

  // The table does not fit in the first two, a chunk in the others.
  test.each([17_000, 34_000, 60_000, 120_000])("keeps a budget of %i bytes, and all it has", (budget) => {
    const ledger = new Ledger(budget);
    const store = newStore(3, 0, ledger);
    const state = (i: number): Int32Array => Int32Array.of(i, -i, 7);
    let entered = 0;
    while (store.insert(state(entered), 0) !== undefined) entered++;
    expect(store.grow()).toBe("no memory");
    expect(store.count).toBe(entered);
    expect(entered).toBeGreaterThan(budget / 100);
    expect(ledger.peakBytes).toBeLessThanOrEqual(budget);
    for (let i = 0; i < entered; i++) expect(store.insert(state(i), 0)).toBe(~(i + 1));
  });

  test("an allocation that the machine refuses is no exception", () => {
    const ledger = new Ledger();
    expect(ledger.allocate(2 ** 45)).toBeUndefined();
    expect(ledger.bytes).toBe(0);
  });
});

describe("the hash", () => {
  test("the emitted text computes what is written down word by word, and zeros at the end do not matter", () =>
    fc.assert(
      fc.property(
        fc.array(fc.integer(), { minLength: 1, maxLength: 90 }),
        fc.nat(2),
        fc.nat(5),
        fc.constantFrom(SOME_OWN, ALL_OWN),
        (state, from, zeros, ownMask) => {
          const compareFrom = Math.min(from, state.length);
          const words = Int32Array.of(99, ...state, ...new Array<number>(zeros).fill(0));
          const hash = hashWords(words, 1, state.length, compareFrom, ownMask);
          expect(hashWords(words, 1, state.length + zeros, compareFrom, ownMask)).toBe(hash);
          const text = `return (words, at) => { ${emitHash(state.length, compareFrom)} return hash; };`;
          const bindings = { ownMask, multipliers: hashMultipliers(state.length) };
          expect(instantiate<Enter>("hash", bindings, text)(words, 1)).toBe(hash);
        },
      ),
    ));

  // For a random function the variance of the counts over their mean is 1, give or take sqrt(2 / buckets) = 0.02; and
  // 2^14 states have no full collision in 32 bits.
  test.each(Object.entries(structuredStates()))("spreads %s over low, middle and high bits", (_, states) => {
    const hashes = states.map((state) => hashWords(Int32Array.from(state), 0, state.length, 0));
    for (const shift of [0, 10, 20]) {
      const buckets = new Int32Array(4096);
      for (const hash of hashes) buckets[(hash >>> shift) & 4095]!++;
      const mean = states.length / 4096;
      const spread = buckets.reduce((sum, n) => sum + (n - mean) ** 2, 0) / 4096 / mean;
      expect(spread).toBeLessThan(1.2);
    }
    expect(hashes.length - new Set(hashes).size).toBeLessThanOrEqual(1);
  });
});

/** States as models make them: few values, few bits, everything in one corner of the words. */
function structuredStates(): Record<string, number[][]> {
  const many = Array.from({ length: 1 << 14 }, (_, i) => i);
  const bits = (i: number, n: number, width: number): number[] =>
    Array.from({ length: Math.ceil(14 / n) }, (_, k) => ((i >> (k * n)) & ((1 << n) - 1)) << width);
  const singles = [];
  for (let a = 0; a < 192; a++)
    for (let b = 0; b < a && singles.length < 1 << 14; b++) singles.push(withBits(6, a, b));
  return {
    "a counter": many.map((i) => [i]),
    "a counter in the high bits": many.map((i) => [i << 18]),
    "a counter in the last of many words": many.map((i) => [0, 0, 0, 0, 0, 0, 0, i]),
    "negative counters": many.map((i) => [-i, i]),
    "one bit a word": many.map((i) => bits(i, 1, 0)),
    "one high bit a word": many.map((i) => bits(i, 1, 31)),
    "small fields": many.map((i) => bits(i, 3, 0)),
    "small fields in the middle": many.map((i) => bits(i, 4, 14)),
    "pairs of single bits": singles,
    "permuted small fields": permutations(8).slice(0, 1 << 14),
  };
}

function withBits(width: number, ...positions: number[]): number[] {
  const words = new Array<number>(width).fill(0);
  for (const p of positions) words[p >> 5]! |= 1 << (p & 31);
  return words;
}

function permutations(n: number): number[][] {
  if (n === 0) return [[]];
  return permutations(n - 1).flatMap((p) =>
    Array.from({ length: n }, (_, i) => [...p.slice(0, i), n, ...p.slice(i)]),
  );
}

type Enter = (words: Int32Array, at: number) => number;

/** Small chunks, so that a few dozen states fill several. */
const newStore = (width: number, compareFrom: number, ledger: Ledger): ExactStore =>
  new ExactStore({ width, compareFrom, keepsParents: true, maxStates: Infinity, chunkBits: 4 }, ledger);

/** Enters the states through the same emitted text as the search loops: an id, or `~id` for a known state. */
function enterAll(
  store: ExactStore,
  states: readonly number[][],
  onId: (state: number[], id: number) => void,
  hash = emitHash(store.width, store.compareFrom),
): void {
  const { width, compareFrom, chunkBits, isUniform, keepsParents } = store;
  const shape = { width, compareFrom, chunkBits, isUniform, keepsParents };
  const text = `return (words, at) => {
    ${emitStoreLocals(shape)}
    ${hash}
    ${emitFind(shape, "return ~id;")}
    if (count === room) return 0;
    ${emitInsert(shape, "7")}
    store.count = count;
    return count;
  };`;
  const enter = instantiate<Enter>("enter", { store, multipliers: hashMultipliers(width) }, text);
  for (const state of states) {
    const words = Int32Array.of(5, ...padded(state, width));
    if (store.chunks.length === 0) store.grow();
    let id = enter(words, 1);
    for (; id === 0; id = enter(words, 1)) expect(store.grow()).toBe("grown");
    onId(state, id);
    if (id > 0) expect(store.parent(id)).toBe(7);
  }
}

const padded = (state: readonly number[], width: number): number[] =>
  Array.from({ length: width }, (_, k) => state[k] ?? 0);

const significant = (state: readonly number[], compareFrom: number): string =>
  state
    .slice(compareFrom)
    .join(",")
    .replace(/(^|,)0(,0)*$/, "");

/**
 * Lists of states, each list wider than the one before and begun with its states, some of them longer now. Few values,
 * so that many states repeat.
 */
function phases(compareFrom: number): fc.Arbitrary<{ width: number; states: number[][] }[]> {
  const value = fc.constantFrom(0, 0, 0, 1, 2, -1, 1 << 30);
  const states = (width: number) =>
    fc.array(fc.array(value, { minLength: width, maxLength: width }), { maxLength: 60 });
  const widths = fc.uniqueArray(fc.integer({ min: compareFrom + 1, max: 27 }), {
    minLength: 1,
    maxLength: 4,
  });
  return widths
    .chain((list) => {
      const growing = [...list].sort((a, b) => a - b);
      return fc.tuple(...growing.map((width) => states(width).map((own) => ({ width, states: own }))));
    })
    .map((lists) =>
      lists.map(({ width, states }, i) => {
        const before = (lists[i - 1]?.states ?? []).map((state, k) => [...padded(state, width - 1), k % 2]);
        return { width, states: [...before, ...states, ...states] };
      }),
    );
}
