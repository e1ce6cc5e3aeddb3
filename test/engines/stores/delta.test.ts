/** The delta store is exact: with all settings, it agrees with the obvious search. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dbm, dining, knownNets, leader, mutex, netSystem, systemModel } from "../../../bench/nets.js";
import { DifferenceLinks, linkKinds } from "../../../src/engines/explicit/stores/links.js";
import type { DeltaChoice } from "../../../src/engines/explicit/stores/choice.js";
import { traceTo } from "../../../src/engines/explicit/trace.js";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import { Successors, type System } from "../../../src/model/index.js";
import { obviousSearch } from "../explicit/obvious.js";
import { toyModel } from "../explicit/toys.js";
import { searchWith } from "./searching.js";
import { randomGraph, randomNet } from "./systems.js";

const ORDERS = ["bfs", "dfs"] as const;
const DISTANCES = [1, 2, 3, 5, 7, 10, 20, 50, 1000];

const delta = (distance: number, more: Partial<DeltaChoice> = {}): DeltaChoice => ({
  kind: "delta",
  distance,
  ...more,
});

const anyChoice = fc
  .record({
    distance: fc.constantFrom(...DISTANCES),
    links: fc.constantFrom(...linkKinds),
    updatesPredecessors: fc.boolean(),
    onlyForward: fc.boolean(),
    ignoresFilter: fc.boolean(),
    forgets: fc.boolean(),
  })
  .map((choice): DeltaChoice => ({ kind: "delta", ...choice }));

describe.each(ORDERS)("%s", (order) => {
  test("random graphs: the same states and transitions as the obvious search, and every trace replays", () =>
    fc.assert(
      fc.asyncProperty(randomGraph(), anyChoice, async (toy, choice) => {
        const expected = obviousSearch(toy);
        const model = toyModel(toy);
        const found = await searchWith(model, order, choice);
        expect([found.states, found.transitions]).toEqual([expected.states, expected.transitions]);
        for (const violation of found.violations) {
          const trace = traceTo(violation, model); // throws unless it shows the violation
          expect(trace.choices.length).toBeGreaterThanOrEqual(violation.path.length - 1);
        }
        expect(found.violations.length).toBe(expected.errors.size);
        if (order === "bfs")
          for (const { cause, path } of found.violations)
            if (cause.kind === "invariant")
              expect(path.length - 1).toBe(expected.errors.get(`i${cause.index}`));
      }),
      { numRuns: 300 },
    ));

  test("random nets with weights, self-loops, inhibitors and capacities: delta is plain", () =>
    fc.assert(
      fc.asyncProperty(randomNet(), anyChoice, async (net, choice) => {
        const [states, arcs] = reachable(netSystem(net));
        const found = await searchWith(systemModel(netSystem(net)), order, choice);
        expect([found.states, found.transitions]).toEqual([states, arcs]);
        expect(found.delta!.longestChain).toBeLessThanOrEqual(choice.distance - 1);
      }),
      { numRuns: 500 },
    ));

  test.each(DISTANCES)("published nets at distance %i", async (distance) => {
    for (const { name, system, states, arcs } of knownNets.filter((net) => net.states < 3000)) {
      const found = await searchWith(systemModel(system()), order, delta(distance));
      expect([name, found.states]).toEqual([name, states]);
      if (arcs !== undefined) expect([name, found.transitions]).toEqual([name, arcs]);
      expect(found.delta!.longestChain).toBeLessThanOrEqual(distance - 1);
      if (distance === 1) expect(found.delta!.delta).toBe(0);
    }
  });

  test("the database needs one whole state when the distance is at least its depth", async () => {
    const found = await searchWith(systemModel(netSystem(dbm(7))), order, delta(14));
    expect([found.states, found.delta!.explicit]).toEqual([5104, 1]);
  });
});

test("whole states are as many as published for a depth-first search in the order of declaration", async () => {
  const explicit = async (system: System, distance: number): Promise<number> =>
    (await searchWith(systemModel(system), "dfs", delta(distance))).delta!.explicit;
  for (const [distance, expected] of [
    [5, 5324],
    [10, 2738],
    [20, 1787],
    [50, 664],
  ] as const)
    expect(await explicit(netSystem(mutex(10)), distance)).toBe(expected);
  expect(await explicit(netSystem(dining(9)), 20)).toBe(4438);
  expect(await explicit(netSystem(dbm(9)), 10)).toBe(9145);
});

test("updating predecessors walks fewer links, and changes nothing else", async () => {
  for (const net of [dining(7), mutex(8), leader(8)])
    for (const distance of [10, 20, 50]) {
      const model = systemModel(netSystem(net));
      const on = await searchWith(
        model,
        "dfs",
        delta(distance, { forgets: true, updatesPredecessors: true }),
      );
      const off = await searchWith(
        model,
        "dfs",
        delta(distance, { forgets: true, updatesPredecessors: false }),
      );
      expect(on.states).toBe(off.states);
      expect(on.transitions).toBe(off.transitions);
      expect(on.delta!.linksWalked).toBeLessThanOrEqual(off.delta!.linksWalked);
      expect(off.delta!.predecessorUpdates).toBe(0);
    }
});

test("undoing and redoing agree; undoing gives up early where the filter does not help", async () => {
  const choice = delta(20, { links: "actions", ignoresFilter: true });
  const model = systemModel(netSystem(dining(8)));
  const backward = await searchWith(model, "dfs", choice);
  const forward = await searchWith(model, "dfs", { ...choice, onlyForward: true });
  expect([backward.states, backward.transitions]).toEqual([forward.states, forward.transitions]);
  expect(backward.delta!.earlyExits).toBeGreaterThan(0);
  expect(forward.delta!.earlyExits).toBe(0);
});

test("states that were met lately spare most of the way, and change nothing else", async () => {
  const model = systemModel(netSystem(dining(8)));
  for (const order of ORDERS) {
    const [all, some] = [
      await searchWith(model, order, delta(50, { forgets: true })),
      await searchWith(model, order, delta(50)),
    ];
    expect([some.states, some.transitions]).toEqual([all.states, all.transitions]);
    expect(some.delta!.explicit).toBe(all.delta!.explicit);
    expect(some.delta!.linksWalked).toBeLessThan(all.delta!.linksWalked / 2);
  }
});

test("more links than two bytes can number", async () => {
  // State i steps to i + 1 by a difference that no other step has.
  const steps = 70_000;
  const system: System = {
    width: 2,
    compareFrom: 0,
    initial(out) {
      out.words.fill(0, 0, 2);
      out.flags[out.count++] = 0;
    },
    successors(state, at, out) {
      for (const next of [state[at]! + 1, state[at]! >> 1]) {
        if (next > steps) continue;
        if (out.count === out.capacity) out.grow();
        out.words[2 * out.count] = next;
        out.words[2 * out.count + 1] = Math.imul(next, 0x9e3779b1);
        out.labels[out.count] = 0;
        out.flags[out.count++] = 0;
      }
    },
    status: () => 1,
  };
  const found = await searchWith(systemModel(system), "bfs", delta(20));
  expect([found.states, found.transitions]).toEqual([steps + 1, 2 * steps + 1]);
});

test("the limit on states is kept", async () => {
  const found = await searchWith(systemModel(netSystem(dining(7))), "bfs", delta(5), 1000);
  expect([found.states, found.stop]).toEqual([1000, "states"]);
});

test("differences: each one is kept once, and is its own way back", () =>
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 6, maxLength: 6 }), {
        minLength: 2,
        maxLength: 60,
      }),
      (states) => {
        const links = new DifferenceLinks(new Ledger());
        const known = new Map<string, number>();
        for (let i = 1; i < states.length; i++) {
          const [from, to] = [Int32Array.from(states[i - 1]!), Int32Array.from(states[i]!)];
          links.reserve(1, 6);
          const link = links.link(from, 0, to, 0, 6);
          const difference = from.map((word, k) => word ^ to[k]!).join();
          expect(known.get(difference) ?? link).toBe(link);
          known.set(difference, link);
          const there = from.slice();
          links.redo(link, there);
          expect(there).toEqual(to);
          links.undo(link, there);
          expect(there).toEqual(from);
        }
        expect(links.count).toBe(known.size);
      },
    ),
  ));

/** States and arcs by a map of strings. */
function reachable(system: System): [states: number, arcs: number] {
  const out = new Successors(system.width);
  system.initial(out);
  const queue = [out.words.slice(0, system.width)];
  const seen = new Set([queue[0]!.join()]);
  let arcs = 0;
  for (const state of queue) {
    out.clear();
    system.successors(state, 0, out);
    arcs += out.count;
    for (let i = 0; i < out.count; i++) {
      const next = out.words.slice(i * system.width, (i + 1) * system.width);
      if (seen.has(next.join())) continue;
      seen.add(next.join());
      queue.push(next);
    }
  }
  return [seen.size, arcs];
}
