import { describe, expect, test } from "vitest";
import type { Progress } from "../../../src/model/index.js";
import { ORDERS, chain, check, counters, verdictOn } from "./checking.js";
import type { Toy } from "./toys.js";

/** Never ends: every state has two new ones. */
const ENDLESS: Toy = {
  initial: [1, 0],
  next: ([low = 0, high = 0]) => [
    { to: [(low * 1664525 + 1013904223) | 0, high + 1] },
    { to: [(low * 22695477 + 1) | 0, high + 1] },
  ],
};

describe.each(ORDERS)("%s", (order) => {
  test("a limit on states that is just enough leaves the search complete, one less does not", async () => {
    const enough = await check(counters(3, 5), { order, budget: { maxStates: 125 } });
    expect([enough.isComplete, enough.stats.states]).toEqual([true, 125]);
    const short = await check(counters(3, 5), { order, budget: { maxStates: 124 } });
    expect([short.isComplete, short.stop, short.stats.states]).toEqual([false, "states", 124]);
    const verdict = verdictOn(short, "deadlock");
    expect(verdict).toMatchObject({ kind: "unknown", advice: "raise --max-states" });
    expect(verdict.kind === "unknown" && verdict.reason).toContain("124 states");
  });

  test("states beyond the limit on depth are not expanded", async () => {
    const cut = await check(chain(100), { order, budget: { maxDepth: 10 } });
    expect([cut.stop, cut.stats.states, cut.stats.depth]).toEqual(["depth", 11, 10]);
    expect(verdictOn(cut, "assertion").kind).toBe("unknown");
    const whole = await check(chain(100), { order, budget: { maxDepth: 100 } });
    expect([whole.isComplete, whole.stats.depth]).toEqual([true, 99]);
    const none = await check(chain(100), { order, budget: { maxDepth: 0 } });
    expect([none.stop, none.stats.states]).toEqual(["depth", 1]);
  });

  test.each([0, 1_000, 50_000, 300_000])(
    "%i bytes of memory: the budget is kept and the verdict is unknown",
    async (bytes) => {
      const { stop, stats, findings } = await check(ENDLESS, { order, budget: { memoryBytes: bytes } });
      expect(stop).toBe("memory");
      expect(stats.peakBytes).toBeLessThanOrEqual(bytes);
      expect(findings.every(({ verdict }) => verdict.kind === "unknown")).toBe(true);
      if (bytes >= 300_000) expect(stats.states).toBeGreaterThan(100);
    },
  );

  test("memory that runs out while states get wider", async () => {
    const toy: Toy = { initial: [1], next: (state) => [{ to: [...state, state.length] }] };
    const { stop, stats } = await check(toy, { order, budget: { memoryBytes: 1_000_000 } });
    expect(stop).toBe("memory");
    expect(stats.peakBytes).toBeLessThanOrEqual(1_000_000);
  });

  test("an error found before the memory ran out is still told", async () => {
    const toy: Toy = { ...ENDLESS, invariants: [([, high = 0]) => high < 5] };
    const result = await check(toy, { order, budget: { memoryBytes: 200_000 } });
    expect(result.stop).toBe("memory");
    expect(verdictOn(result, "invariant").kind).toBe("violated");
  });

  test("time runs out", async () => {
    const { stop, stats } = await check(ENDLESS, { order, budget: { timeMs: 60 } });
    expect(stop).toBe("time");
    expect(stats.seconds).toBeGreaterThanOrEqual(0.06);
    expect(stats.seconds).toBeLessThan(5);
  });

  test("the event loop runs meanwhile, so the search can be stopped, and it tells where it is", async () => {
    let isStopped = false;
    const reports: Progress[] = [];
    setTimeout(() => (isStopped = true), 500);
    const control = { isStopped: () => isStopped, onProgress: (p: Progress) => void reports.push(p) };
    const { stop, stats } = await check(ENDLESS, { order, control });
    expect(stop).toBe("interrupted");
    expect(reports.length).toBeGreaterThanOrEqual(1);
    expect(reports.length).toBeLessThanOrEqual(1 + stats.seconds * 5);
    const last = reports.at(-1)!;
    expect(last.states).toBeGreaterThan(0);
    expect(last.states).toBeLessThanOrEqual(stats.states);
    expect(last.bytes).toBeLessThanOrEqual(stats.peakBytes);
  });
});
