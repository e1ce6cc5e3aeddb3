/** Searches with lossy stores: with ample room they find everything, and all their findings are real. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dining, knownNets, netSystem, systemModel } from "../../../bench/nets.js";
import type { StoreChoice } from "../../../src/engines/explicit/stores/choice.js";
import { hashNames } from "../../../src/model/index.js";
import { traceTo } from "../../../src/engines/explicit/trace.js";
import { obviousSearch } from "../explicit/obvious.js";
import { toyModel, type Toy } from "../explicit/toys.js";
import { searchWith } from "./searching.js";
import { randomGraph } from "./systems.js";

const ample = fc
  .tuple(fc.constantFrom("compact", "bitstate"), fc.constantFrom("murmur", "h3"), fc.nat(1000))
  .map(([kind, hash, seed]): StoreChoice =>
    kind === "compact"
      ? { kind, cells: 200, width: 60, hash, seed }
      : { kind: "bitstate", bits: 100_000, functions: 20, hash, seed },
  );

describe.each(["bfs", "dfs"] as const)("%s", (order) => {
  test("random graphs: the same as the obvious search, and every trace replays", () =>
    fc.assert(
      fc.asyncProperty(randomGraph(), ample, async (toy, choice) => {
        const expected = obviousSearch(toy);
        const model = toyModel(toy);
        const found = await searchWith(model, order, choice);
        expect([found.states, found.transitions]).toEqual([expected.states, expected.transitions]);
        expect(found.violations.length).toBe(expected.errors.size);
        for (const violation of found.violations) traceTo(violation, model);
        if (order === "bfs")
          for (const { cause, path } of found.violations)
            if (cause.kind === "invariant")
              expect(path.length - 1).toBe(expected.errors.get(`i${cause.index}`));
      }),
      { numRuns: 300 },
    ));

  test.each(hashNames)("published nets, %s", async (hash) => {
    for (const { system, states, arcs } of knownNets.filter((net) => net.states < 3000))
      for (const choice of [
        { kind: "compact", cells: 1.3 * states + 10, width: 55, hash, seed: 3 },
        { kind: "bitstate", bits: 100 * states + 1000, functions: 30, hash, seed: 3 },
      ] as const) {
        const found = await searchWith(systemModel(system()), order, choice);
        expect(found.states).toBe(states);
        if (arcs !== undefined) expect(found.transitions).toBe(arcs);
      }
  });

  test("a full table stops the search, and says so", async () => {
    const found = await searchWith(systemModel(netSystem(dining(7))), order, {
      kind: "compact",
      cells: 1009,
      width: 32,
      hash: "murmur",
      seed: 1,
    });
    expect([found.states, found.stop]).toEqual([1009, "full"]);
  });

  test("an error among very many successors is found again", async () => {
    const fan: Toy = {
      initial: [0],
      next: ([n = 0]) => (n === 0 ? Array.from({ length: 70_000 }, (_, i) => ({ to: [i + 1] })) : []),
      invariants: [([n]) => n !== 69_999],
      isValidEnd: () => true,
    };
    const model = toyModel(fan);
    const found = await searchWith(model, order, {
      kind: "bitstate",
      bits: 1e7,
      functions: 9,
      hash: "murmur",
      seed: 1,
    });
    expect(found.violations.length).toBe(1);
    expect(traceTo(found.violations[0]!, model).choices).toEqual([69_998]);
  });
});
