/** Every store with every order: the states of the obvious search, for exact stores all of them, for lossy ones none beside them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS, storeFor } from "../../../src/engines/explicit/index.js";
import type { StoreName } from "../../../src/model/index.js";
import { overallVerdict, readInput, type Input } from "../../../src/index.js";
import { useLibrary } from "../../cli/built-cli.js";
import { inRepository } from "../../repository.js";
import { check } from "./checking.js";
import { obviousSearch } from "./obvious.js";
import { trimmed, type Toy, type ToyStep } from "./toys.js";

const ALL_ORDERS = ["bfs", "dfs", "random", "guided"] as const;
const EXACT = ["exact", "tree", "delta"] as const;
const LOSSY = ["compact", "bitstate"] as const;

const library = useLibrary();

const kindOf = (name: StoreName, tableBytes = 1 << 16) => storeFor(name, { ...DEFAULT_SETTINGS, tableBytes });

describe.each([...EXACT, ...LOSSY])("%s", (name) => {
  test.each(ALL_ORDERS)("%s: random systems", (order) =>
    fc.assert(
      fc.asyncProperty(largeToy(), fc.nat(99), async (toy, seed) => {
        const expected = obviousSearch(toy);
        const { findings, stats, stop } = await check(toy, { order, seed, store: kindOf(name) });
        expect(stop).toBeUndefined();
        const isExact = EXACT.some((exact) => exact === name);
        if (isExact) {
          expect(stats).toMatchObject({ states: expected.states, transitions: expected.transitions });
          for (const { property, verdict } of findings)
            expect(verdict.kind, property.name).not.toBe("unknown");
        } else {
          expect(stats.states).toBeLessThanOrEqual(expected.states);
          for (const { property, verdict } of findings) expect(verdict.kind, property.name).not.toBe("holds");
        }
        const violated = findings
          .filter(({ verdict }) => verdict.kind === "violated")
          .map((f) => f.property.kind);
        const kinds = (all: readonly string[]): ReadonlySet<string> => new Set(all);
        const found = [...expected.errors.keys()].map((error) =>
          error === "deadlock" ? error : "invariant",
        );
        for (const kind of kinds(violated)) expect(kinds(found)).toContain(kind);
        if (isExact) expect(kinds(violated)).toEqual(kinds(found));
        // A way to an error is a way through the system: `trace` was followed step by step.
        for (const { verdict } of findings)
          if (verdict.kind === "violated") expect(leadsSomewhere(toy, verdict.trace!.choices)).toBe(true);
      }),
      { numRuns: 12, seed: 7 },
    ),
  );
});

/** Steps of the toy, by their choices. */
function leadsSomewhere(toy: Toy, choices: readonly number[]): boolean {
  let state = toy.initial;
  for (const choice of choices) {
    const step = toy.next(state)[choice];
    if (!step) return false;
    state = step.to ?? state;
  }
  return true;
}

/**
 * Three counters that wait for each other, count in steps and jump: up to some thousand states, more than a chunk of a queue.
 * In some the states become wider during the search, as in programs that create processes: a word for each number that a
 * counter has reached.
 */
function largeToy(): fc.Arbitrary<Toy> {
  const rule = fc.record({
    counter: fc.nat(2),
    step: fc.integer({ min: 1, max: 4 }),
    other: fc.nat(2),
    least: fc.nat(3),
  });
  return fc
    .record({
      limit: fc.integer({ min: 9, max: 15 }),
      rules: fc.array(rule, { minLength: 3, maxLength: 6 }),
      bad: fc.option(fc.nat(30)),
      widensAt: fc.constantFrom([], [3, 8]),
    })
    .map(({ limit, rules, bad, widensAt }) => ({
      initial: [0, 0, 0],
      width: 3,
      next: (state) =>
        rules.flatMap(({ counter, step, other, least }): ToyStep[] => {
          const at = (i: number): number => state[i] ?? 0;
          if (other !== counter && at(other) < least && at(counter) > 2) return [];
          const to = [0, 1, 2].map((i) => (i === counter ? (at(i) + step) % limit : at(i)));
          const wider = widensAt.map((n, i) => (to[i]! >= n ? n : at(3 + i)));
          return [{ to: trimmed([...to, ...wider]) }];
        }),
      isValidEnd: (state) => (state[0] ?? 0) % 2 === 0,
      invariants: [(state) => bad === null || (state[0] ?? 0) + (state[1] ?? 0) + (state[2] ?? 0) !== bad],
    }));
}

const example = (name: string): Input => readInput(inRepository(`examples/${name}`)) as Input;

describe.each(["models/cache-coherence.m", "models/retried-payment.pml", "models/ring-buffer.pml"])(
  "%s",
  (name) => {
    test.each([
      ...[...EXACT, ...LOSSY].flatMap((store) => ALL_ORDERS.map((order) => [store, order, 1] as const)),
      ...(["exact", "tree", "compact"] as const).map((store) => [store, "bfs", 2] as const),
    ])("%s, %s, %d workers", async (store, search, workers) => {
      const input = example(name);
      const isExact = EXACT.some((exact) => exact === store);
      const whole = await library().check(input, { isPlain: true, maxErrors: Infinity });
      const report = await library().check(input, {
        isPlain: true,
        maxErrors: Infinity,
        store,
        search,
        workers,
        ...(isExact ? {} : { storeRequest: { tableBytes: 1 << 20 } }),
      });
      if (isExact) {
        expect(report.stats.states).toBe(whole.stats.states);
        expect(overallVerdict(report)).toBe(overallVerdict(whole));
      } else {
        expect(report.stats.states).toBeLessThanOrEqual(whole.stats.states);
        expect(report.properties.map(({ verdict }) => verdict)).not.toContain("holds");
      }
    });
  },
);
