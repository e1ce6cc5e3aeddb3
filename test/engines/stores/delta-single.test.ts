/** The delta store by itself, its states entered one by one: none is lost and no two are taken for one; quick, for mutation testing. */
import { expect, test } from "vitest";
import { ALL_OWN } from "../../../src/engines/explicit/hash.js";
import { search } from "../../../src/engines/explicit/index.js";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import { DeltaStore, type DeltaOptions } from "../../../src/engines/explicit/stores/delta.js";
import { DifferenceLinks, type Links } from "../../../src/engines/explicit/stores/links.js";
import { PLAIN, counters } from "../explicit/checking.js";
import { obviousSearch } from "../explicit/obvious.js";
import { toyModel } from "../explicit/toys.js";
import { statesOfOneHash } from "./collisions.js";

class Counting extends Ledger {
  readonly asked: number[] = [];
  refused = 0;

  override allocate(words: number): Int32Array<ArrayBuffer> | undefined {
    return this.asked.push(words) === this.refused ? undefined : super.allocate(words);
  }
}

function storeOf(
  width: number,
  options: Partial<DeltaOptions> = {},
  ledger: Ledger = new Ledger(),
  links: Links = new DifferenceLinks(ledger),
): DeltaStore {
  return new DeltaStore(
    {
      width,
      compareFrom: 0,
      distance: 4,
      updatesPredecessors: false,
      maxStates: Infinity,
      keepsParents: true,
      ...options,
    },
    links,
    ledger,
  );
}

const verify = (isRight: boolean, what: string): void => {
  if (!isRight) throw new Error(what);
};

/** A chain: each state is made of the one before, or of one some states back. */
function chain(store: DeltaStore, states: readonly Int32Array[]): DeltaStore {
  const other = new Int32Array(store.width).fill(-9);
  states.forEach((words, i) => {
    verify(typeof store.reserve(1) === "number", "no room");
    verify(store.find(words, 0) === 0, `${i} is known`);
    const parent = Math.max(0, i - (i % 3 === 0 ? 2 : 0));
    verify(store.reserveLinks(1), "no room for links");
    const link = parent === 0 ? 0 : store.link(store.state(parent), 0, words, 0, 0, 0);
    const isLast = i % 2 === 0;
    if (!isLast) store.find(other, 0);
    store.add(words, 0, parent, link, parent === 0 ? 0 : i, isLast);
    verify(store.find(words, 0) === i + 1, `${i} is not known`);
  });
  return store;
}

const isThere = (store: DeltaStore, states: readonly Int32Array[]): void =>
  states.forEach((words, i) => {
    verify(store.find(Int32Array.of(9, ...words, 77), 1) === i + 1, `${i} is not found`);
    verify(store.state(i + 1).join() === words.join(), `${i} is another state`);
  });

const mixed = Array.from({ length: 900 }, (_, i) => Int32Array.of(i >> 3, 5, i & 7));

test.each([
  {},
  { distance: 1 },
  { distance: 100 },
  { onlyForward: true },
  { ignoresFilter: true },
  { forgets: true },
  { keepsParents: false },
])("%o", (options) => {
  isThere(chain(storeOf(3, options), mixed), mixed);
  const same = statesOfOneHash(60).map((words) => Int32Array.of(...words, 4));
  const store = chain(storeOf(3, options), same);
  isThere(store, same);
  expect(store.find(Int32Array.of(...statesOfOneHash(61).at(-1)!, 4), 0)).toBe(0);
  expect(store.find(Int32Array.of(same[0]![0]!, same[0]![1]!, 5), 0)).toBe(0);
});

test("an empty store has nothing, and there is no state without room for it", () => {
  const store = storeOf(2);
  expect(store.find(Int32Array.of(1, 2), 0)).toBe(0);
  const tight = storeOf(2, {}, new Ledger(0));
  expect(() => tight.keep(Int32Array.of(1, 2), 0, 0)).toThrow(RangeError);
});

test.each([true, false])(
  "narrower states have zeros behind them, and no more (parents: %s)",
  (keepsParents) => {
    for (const onlyForward of [false, true]) {
      const narrow = statesOfOneHash(50);
      const store = chain(storeOf(2, { onlyForward, keepsParents }), narrow);
      store.widen(3);
      narrow.forEach((words, i) => {
        verify(store.find(Int32Array.of(...words, 0), 0) === i + 1, `${i} is not found`);
        verify(store.find(Int32Array.of(...words, 1), 0) === 0, `${i} is found`);
        verify(store.state(i + 1).join() === [...words, 0].join(), `${i} is another state`);
      });
      // With any hashes: words are compared to the end.
      const explicit = (last: number): boolean =>
        store.isVector(store.parents.get(1), Int32Array.of(7, ...narrow[0]!, last), 1);
      expect([explicit(0), explicit(1)]).toEqual([true, false]);
      const wide = statesOfOneHash(90).slice(50);
      wide.forEach((words, i) => {
        const state = Int32Array.of(...words, i % 3 === 0 ? 7 : 0);
        store.reserve(1);
        store.reserveLinks(1);
        const link = store.link(store.state(50), 0, state, 0, 0, 0);
        verify(store.find(state, 0) === 0, `${i} is known`);
        store.add(state, 0, 50, link, i % 2 === 0 ? 4 : 5, true);
        verify(store.find(state, 0) === 51 + i, `${i} is not known`);
        verify(store.state(51 + i).join() === state.join(), `${i} is another state`);
      });
    }
  },
);

test("so many states, and no more", () => {
  const store = chain(storeOf(2, { maxStates: 3 }), statesOfOneHash(3));
  expect(store.reserve(1)).toBe("no states");
  expect([1, 2, 3].map((id) => store.parent(id))).toEqual([0, 1, 2]);
});

test("every so many levels a state is explicit, and a table grows when it is full", () => {
  const store = chain(storeOf(3), mixed.slice(0, 768));
  // Besides every fourth, the first ones have no predecessor.
  expect([store.table.length, store.counters.explicit]).toEqual([1024, 192]);
  chain(store, []);
  expect([store.reserve(1), store.table.length]).toEqual([769, 2048]);
  isThere(store, mixed.slice(0, 768));
});

test("a table is made of the states when every bit of their hashes came to be needed", () => {
  const states = mixed.slice(0, 768);
  const store = chain(storeOf(3), states);
  store.ownMask = ALL_OWN;
  expect(store.reserve(1)).toBe(769);
  isThere(store, states);
});

test("ids are 31 bits", () => {
  const grown = (length: number): readonly unknown[] => {
    const ledger = new Counting();
    const store = chain(storeOf(2, {}, ledger), statesOfOneHash(1));
    store.table = { length, byteLength: 0 } as Int32Array;
    store.count = 0.75 * length;
    const before = ledger.asked.length;
    ledger.refused = before + 1;
    return [store.reserve(1), ...ledger.asked.slice(before)];
  };
  expect([grown(2 ** 30), grown(2 ** 31)]).toEqual([["no memory", 2 ** 31], ["no memory"]]);
});

test("without memory for any of its parts there is no room", () => {
  const answers = [1, 2, 3, 4, 5, 6, 7, 8].map((refused) => {
    const ledger = new Counting();
    ledger.refused = refused;
    return storeOf(2, {}, ledger).reserve(1);
  });
  // The table, states met lately, which may be forgotten, predecessors, links, explicit states.
  expect(answers.filter((answer) => answer === "no memory").length).toBe(4);
});

test("a shorter way is one with fewer links", () => {
  const states = mixed.slice(0, 12);
  for (const updatesPredecessors of [true, false]) {
    const store = chain(storeOf(3, { updatesPredecessors, distance: 100 }), states);
    store.find(states[2]!, 0);
    // Two links lead to it.
    expect([0, 1, 2, 100].map((depth) => store.isShorter(depth))).toEqual(
      [true, false, false, true].map((is) => is && updatesPredecessors),
    );
  }
});

test("a link that cannot be undone is another state's", () => {
  const links: Links = {
    kind: "actions",
    link: () => 1,
    largest: () => 1,
    redo: (_, state) => state.fill(5),
    undo: (_, state) => state[0] === 5 && state.fill(3).length > 0,
  };
  const store = storeOf(2, { distance: 2 }, new Ledger(), links);
  store.reserve(2);
  store.find(Int32Array.of(3, 3), 0);
  store.add(Int32Array.of(3, 3), 0, 0, 0, 0, true);
  store.find(Int32Array.of(5, 5), 0);
  store.add(Int32Array.of(5, 5), 0, 1, 1, 1, true);
  expect([store.find(Int32Array.of(3, 3), 0), store.find(Int32Array.of(5, 5), 0)]).toEqual([1, 2]);
  // As if it had the same hash: the only entry met is the second state's.
  const one = storeOf(2, { distance: 2, ignoresFilter: true }, new Ledger(), links);
  one.reserve(2);
  one.find(Int32Array.of(3, 3), 0);
  one.add(Int32Array.of(3, 3), 0, 0, 0, 0, true);
  one.find(Int32Array.of(5, 5), 0);
  one.add(Int32Array.of(5, 5), 0, 1, 1, 1, true);
  one.table.fill(2);
  one.table[7] = 0;
  expect(one.find(Int32Array.of(4, 5), 0)).toBe(0);
});

test("links that go forward alone are enough", async () => {
  const toy = counters(2, 4);
  const { states } = obviousSearch(toy);
  const store = { kind: "delta", distance: 3, links: "successors" } as const;
  const found = await search(toyModel(toy), { ...PLAIN, order: "bfs", store });
  expect([found.stop, found.stats.states]).toEqual([undefined, states]);
});
