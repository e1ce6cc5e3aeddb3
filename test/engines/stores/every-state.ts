/**
 * No store loses or invents a state, in any order, width and memory. Quick, for mutation testing: each kind of store has a
 * separate file that calls this.
 */
import { describe, expect, test } from "vitest";
import { search, type SearchOptions } from "../../../src/engines/explicit/index.js";
import { obviousSearch } from "../explicit/obvious.js";
import { PLAIN, counters } from "../explicit/checking.js";
import { toyModel, type Toy } from "../explicit/toys.js";

const orders = ["bfs", "dfs", "random", "guided"] as const;

/** A ring that some states leave, each time by one word more; behind it they continue to the ring's start. */
const widening: Toy = {
  initial: [1],
  next: (state) => {
    const [n = 0, ...rest] = state;
    if (rest.length > 0)
      return [
        { to: [1] },
        { to: [n, ...rest.slice(0, -1)] },
        { to: [n + 1, ...rest.map((x) => 3 - x)] },
      ].filter(({ to }) => to[0]! <= 30);
    const on = { to: [(n % 30) + 1] };
    return n % 15 === 7 ? [on, { to: [n, ...new Array<number>(Math.ceil(n / 15)).fill(1)] }] : [on];
  },
};

/** Many states are expanded together; the first of them makes states wider, and each is the state that it was before. */
const together: Toy = {
  initial: [40],
  next: ([n = 0, ...rest]) => {
    if (n === 40) return Array.from({ length: 20 }, (_, i) => ({ to: [i + 1] }));
    if (rest.length > 0 || n > 40) return n > 200 ? [] : [{ to: [n + 50 + (rest[0] ?? 0)] }, { to: [n] }];
    return [{ to: [n + 40] }, { to: [n, 1, n] }];
  },
};

/** The first, a middle and the last of many words change. */
const wide = (width: number): Toy => ({
  initial: [1],
  width,
  next: ([n = 0]) => {
    if (n > 12) return [];
    const at = (word: number, value: number): readonly number[] =>
      Object.assign(new Array<number>(width).fill(0), { 0: n + 1, [word]: value });
    return [
      { to: [n + 1] },
      { to: at(width >> 1, 1 << 31) },
      { to: at(width - 1, n) },
      { to: at(width - 1, -n) },
    ];
  },
});

/** Two states of two words with the same hash. */
const [one, other] = [
  [37289, 45441],
  [31228, 55452],
] as const;
const sameHash: Toy = {
  initial: [0, 0],
  width: 2,
  next: ([a = 0]) => {
    if (a === 0) return [one, other].map((to) => ({ to }));
    return a === one[0] || a === other[0] ? [{ to: [a + 1, 1] }, { to: one }] : [];
  },
};

/** The first word is carried along but does not distinguish states. */
const hidden: Toy = {
  initial: [0, 1, 0],
  width: 3,
  compareFrom: 1,
  next: ([, a = 0, b = 0]) => [{ to: [a, (a % 6) + 1, b] }, { to: [b + 5, a, (b + 1) % 6] }],
};

const systems: Readonly<Record<string, Toy>> = {
  counters: counters(3, 4),
  "one word": counters(1, 900),
  "two words": counters(2, 6),
  widening,
  "widening together": together,
  "26 words": wide(26),
  "70 words": wide(70),
  "the same hash": sameHash,
  "hidden words": hidden,
};

const expected = new Map(Object.entries(systems).map(([name, toy]) => [name, obviousSearch(toy)]));

const isWideOrLong = (system: string): boolean => /word$|[27][06] words/.test(system);

export function keepsEveryState(name: string, options: Pick<SearchOptions, "store" | "storeSizes">): void {
  describe(name, () => {
    test.each(Object.keys(systems))("%s", async (system) => {
      const { states, transitions, depth } = expected.get(system)!;
      // Finding the best tree for wide states takes long.
      if (options.store === "tree" && system === "70 words") return;
      for (const order of isWideOrLong(system) ? orders.slice(0, 2) : orders) {
        const found = await search(toyModel(systems[system]!), { ...PLAIN, order, ...options });
        expect([order, found.stop, found.stats.states, found.stats.transitions]).toEqual([
          order,
          undefined,
          states,
          transitions,
        ]);
        if (order === "bfs") expect(found.stats.depth).toBe(depth);
        expect(found.store.count).toBe(states);
      }
    });

    test("one state fewer than there are is too few", async () => {
      const model = toyModel(counters(2, 4));
      for (const order of ["bfs", "dfs", "random"] as const) {
        const within = async (maxStates: number) => {
          const { stop, stats } = await search(model, { ...PLAIN, order, ...options, budget: { maxStates } });
          return [stop, stats.states];
        };
        expect(await within(16)).toEqual([undefined, 16]);
        expect(await within(15)).toEqual(["states", 15]);
        expect(await within(1)).toEqual(["states", 1]);
        expect(await within(0)).toEqual(["states", 0]);
      }
    });

    test("whatever the memory: all states, or a reason why not", async () => {
      const toy = counters(1, 900);
      for (const order of ["bfs", "dfs"] as const) {
        const stops = new Set<string | undefined>();
        for (let memoryBytes = 1 << 12; memoryBytes <= 1 << 22; memoryBytes *= 4) {
          const found = await search(toyModel(toy), { ...PLAIN, order, ...options, budget: { memoryBytes } });
          stops.add(found.stop);
          if (found.stop === undefined) expect(found.stats.states).toBe(900);
          else expect(found.stop).toBe("memory");
        }
        expect([...stops]).toEqual(["memory", undefined]);
      }
    });
  });
}
