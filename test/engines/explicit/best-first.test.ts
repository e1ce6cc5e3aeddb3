/** Parts of best-first search against the obvious; its guides, and its reaction to lack of memory. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import { PriorityQueue } from "../../../src/engines/explicit/priority-queue.js";
import { search } from "../../../src/engines/explicit/search.js";
import { Tally } from "../../../src/engines/explicit/tally.js";
import type { Model } from "../../../src/model/index.js";
import { PLAIN, counters } from "./checking.js";
import { toyModel } from "./toys.js";

test("a priority queue gives the lowest rank first, of equals the lowest number", () =>
  fc.assert(
    fc.property(fc.array(fc.option(fc.tuple(fc.nat(99), fc.nat(5)), { freq: 3 })), (steps) => {
      const queue = new PriorityQueue(new Ledger());
      const waiting: (readonly [item: number, rank: number])[] = [];
      for (const step of steps) {
        if (step) {
          expect(queue.reserve(1)).toBe(true);
          queue.add(...step);
          waiting.push(step);
        } else {
          waiting.sort(([a, one], [b, other]) => other - one || b - a);
          expect(queue.take()).toBe(waiting.pop()?.[0]);
        }
        expect(queue.size).toBe(waiting.length);
      }
    }),
  ));

test("many ranks come out sorted", () => {
  const ledger = new Ledger();
  const queue = new PriorityQueue(ledger);
  const ranks = Array.from({ length: 20_000 }, (_, i) => Math.imul(i, 0x9e3779b1) / 7);
  for (const [item, rank] of ranks.entries()) {
    queue.reserve(1);
    queue.add(item, rank);
  }
  const taken = ranks.map(() => ranks[queue.take()!]!);
  expect(taken).toEqual(ranks.toSorted((a, b) => a - b));
  expect(queue.take()).toBeUndefined();
  expect(ledger.bytes).toBeGreaterThanOrEqual(12 * ranks.length);
});

test("a tally counts as a map does", () =>
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: -40, max: 40 }), fc.integer())), (keys) => {
      const tally = new Tally(new Ledger());
      const expected = new Map<string, number>();
      for (const key of [...keys, ...keys, ...keys.map(([a]) => [a, a] as const)]) {
        const times = expected.get(key.join()) ?? 0;
        expect(tally.reserve(1)).toBe(true);
        expect(tally.count(...(key as [number, number]))).toBe(times);
        expected.set(key.join(), times + 1);
      }
      expect(tally.keys).toBe(expected.size);
    }),
  ));

describe("where the ledger has no more,", () => {
  test("a queue and a tally say so, and keep what they have", () => {
    const queue = new PriorityQueue(new Ledger(1 << 14));
    let room = 0;
    while (queue.reserve(1)) queue.add(room, -room++);
    expect(room).toBeGreaterThan(500);
    expect(queue.take()).toBe(room - 1);
    const tally = new Tally(new Ledger(1 << 14));
    let keys = 0;
    while (tally.reserve(1)) tally.count(keys++, 0);
    expect(keys).toBeGreaterThan(100);
    expect(tally.count(keys - 1, 0)).toBe(1);
  });

  test.each(["random", "guided"] as const)("a search stops: %s", async (order) => {
    const { stop, stats } = await search(toyModel(counters(5, 9)), {
      ...PLAIN,
      order,
      budget: { memoryBytes: 1 << 20 },
    });
    expect(stop).toBe("memory");
    expect(stats.peakBytes).toBeLessThanOrEqual(1 << 20);
  });
});

describe("guided by an abstraction of states", () => {
  /** Four counters from 0 to 8; which states are found before the last counter is at 4 and the others at 0? */
  const statesUntilFound = async (guide?: Model["guide"]): Promise<number> => {
    const model: Model = toyModel(counters(4, 9));
    const isWanted = (state: Int32Array): boolean => state.slice(0, 4).join() === "0,0,0,4";
    const property = { name: "sought", kind: "invariant", span: undefined } as const;
    const { stats, violations } = await search(
      {
        ...model,
        properties: [property],
        invariants: [property],
        holds: (_, words, at) => !isWanted(words.slice(at, at + 4)),
        ...(guide ? { guide } : {}),
      },
      { ...PLAIN, order: "guided", invariants: [0], maxErrors: 1 },
    );
    expect(violations).toHaveLength(1);
    return stats.states;
  };

  test("what it leaves out does not matter", async () => {
    const plainly = await statesUntilFound();
    const guided = await statesUntilFound({ abstract: (state, at) => `${state[at + 3]}` });
    expect(guided).toBeLessThan(plainly / 2);
  });

  test("every state is visited all the same", async () => {
    const model: Model = { ...toyModel(counters(4, 9)), guide: { abstract: () => "" } };
    const { stats, stop } = await search(model, { ...PLAIN, order: "guided" });
    expect([stop, stats.states, stats.transitions]).toEqual([undefined, 9 ** 4, 4 * 9 ** 4]);
  });
});
