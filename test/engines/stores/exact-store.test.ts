/** The store of whole states, entered one by one: tables that grow, states that get wider. Quick, for mutation testing. */
import { expect, test } from "vitest";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import { ExactStore } from "../../../src/engines/explicit/store.js";

const storeOf = (width: number, more: { homingBits?: number } = {}, ledger = new Ledger()): ExactStore =>
  new ExactStore(
    { width, compareFrom: 0, keepsParents: false, maxStates: Infinity, chunkBits: 5, ...more },
    ledger,
  );

test.each([{}, { homingBits: 10 }, { homingBits: 11 }])(
  "what was entered is found, in a table that grew: %o",
  (more) => {
    const store = storeOf(2, more);
    const state = (i: number): Int32Array => Int32Array.of(i >> 3, i & 7);
    for (let i = 0; i < 4000; i++) expect(store.insert(state(i), 0)).toBe(i + 1);
    for (let i = 0; i < 4000; i++) expect(store.insert(state(i), 0)).toBe(~(i + 1));
    expect([...store.state(3999)]).toEqual([3998 >> 3, 3998 & 7]);
  },
);

test("states that were narrower have zeros behind them, and no more", () => {
  const store = storeOf(1);
  for (let i = 0; i < 100; i++) store.insert(Int32Array.of(i), 0);
  expect(store.widen(3)).toBe("none");
  for (let i = 0; i < 100; i++) {
    expect(store.insert(Int32Array.of(i, 0, 0), 0)).toBe(~(i + 1));
    expect(store.insert(Int32Array.of(9, i, 0, i + 1), 1)).toBe(101 + i);
  }
  expect(store.insert(Int32Array.of(0, 99, 0, 100), 1)).toBe(~200);
});

/** Two states with the same hash, and one that only begins like the first. */
test("states with the same hash are told apart in every word", () => {
  const store = storeOf(2);
  expect(store.insert(Int32Array.of(37289, 45441), 0)).toBe(1);
  expect(store.insert(Int32Array.of(31228, 55452), 0)).toBe(2);
  expect(store.insert(Int32Array.of(37289, 45441), 0)).toBe(~1);
  expect(store.insert(Int32Array.of(31228, 55452), 0)).toBe(~2);
});

test("without memory states do not become wider", () => {
  const store = storeOf(1, {}, new Ledger(20_000));
  for (let i = 0; i < 20; i++) expect(store.insert(Int32Array.of(i), 0)).toBe(i + 1);
  expect(store.widen(10_000)).toBeUndefined();
});
