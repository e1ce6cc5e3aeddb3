/** Every figure of the specification that the formulas give, within one per cent. */
import { describe, expect, test } from "vitest";
import {
  bestFunctions,
  missedState,
  omissionsAmong,
  omissionsBeside,
  reliability,
} from "../../../src/engines/explicit/stores/omissions.js";
import { bytesFor, planned, plans, rounded } from "../../../src/engines/explicit/stores/plan.js";
import { figures } from "../../../bench/stores/figures.js";

describe("published figures", () => {
  for (const { name, expected, obtained, tolerance } of figures())
    test(name, () => {
      if (expected === 0) expect(obtained).toBeLessThan(1e-6);
      else expect(Math.abs(obtained / expected - 1)).toBeLessThan(tolerance);
    });
});

test("many states are integrated as well as summed", () => {
  const store = { kind: "bitstate", bits: 80_000, functions: 4 } as const;
  let sum = 0;
  for (let i = 0; i < 20_000; i++)
    sum += (1 - (1 - 1 / store.bits) ** (store.functions * i)) ** store.functions;
  expect(omissionsAmong(store, 20_000).expected).toBeCloseTo(sum, 1);
});

test("tiny probabilities are not rounded away, and large ones not above one", () => {
  const fine = omissionsAmong({ kind: "bitstate", bits: 2 ** 40, functions: 30 }, 1e6);
  expect(fine.probability).toBeGreaterThan(0);
  expect(fine.probability).toBeLessThan(1e-60);
  expect(omissionsAmong({ kind: "compact", cells: 2e8, width: 64 }, 1e8).probability).toBeGreaterThan(0);
  const hopeless = omissionsBeside({ kind: "bitstate", bits: 1000, functions: 3 }, 100_000);
  expect(hopeless.probability).toBe(1);
  expect(hopeless.expected).toBeGreaterThan(1e6);
});

test("more states than cells are omitted for certain", () =>
  expect(omissionsAmong({ kind: "compact", cells: 100, width: 32 }, 130)).toEqual({
    expected: 30,
    probability: 1,
  }));

test("a particular state at a deep level of a full table is missed more likely", () => {
  const store = { kind: "compact", cells: 1000, width: 16 } as const;
  const early = missedState(store, [1, 10]);
  expect(missedState(store, [1, 10, 900])).toBeGreaterThan(early);
  expect(early).toBeGreaterThan(0);
  expect(missedState(store, [2000])).toBe(1);
});

test("the estimate is trusted by the ways into a state", () => {
  expect([5, 4, 3, 2, 1].map((degree) => reliability(100 * degree, 100))).toEqual([
    "reliable",
    "reliable",
    "rough",
    "rough",
    "lower bound only",
  ]);
});

describe("plans", () => {
  test("a table just large enough: compaction; few bits per state: bitstate", () => {
    expect(plans(1e8, 400 * 2 ** 20)[0]!.store.kind).toBe("compact");
    expect(plans(5e8, 400 * 2 ** 20)[0]!.store.kind).toBe("bitstate");
    expect(plans(1e7, 400 * 2 ** 20)[0]!.omissions.probability).toBeLessThan(1e-10);
  });

  test("settings follow from the estimate", () => {
    expect(planned("compact", 3.02e8, 2 ** 30)).toMatchObject({ width: 28 });
    expect(planned("bitstate", 3e8, 1750 * 2 ** 20)).toMatchObject({ functions: 35 });
    expect(planned("compact", 1e9, 2 ** 20)).toBeUndefined();
    expect(bestFunctions(2 ** 33, 3e8)).toBe(21);
  });

  test("memory for a target is enough, and a fifth less is not", () => {
    const bytes = bytesFor(1e7, 1e-3);
    expect(plans(1e7, bytes)[0]!.omissions.probability).toBeLessThanOrEqual(1e-3);
    expect(plans(1e7, 0.8 * bytes)[0]!.omissions.probability).toBeGreaterThan(1e-3);
  });

  test("sizes are rounded up", () =>
    expect([409_308, 999_999, 1e8, 12, 1.02e8].map(rounded)).toEqual([
      "4.1e5",
      "1e6",
      "1e8",
      "12",
      "1.02e8",
    ]));
});

test("no states, no memory: no plan, but an answer", () => {
  expect(bytesFor(0, 1e-3)).toBeGreaterThan(0);
  expect(plans(0, 100).length).toBe(2);
  expect(plans(100, 0)).toEqual([]);
});
