/** Foundations of the parallel search's answers, by one worker in this thread, on small systems: quick, for mutation testing. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Findings } from "../../../src/engines/explicit/parallel/findings.js";
import { LevelReduction } from "../../../src/engines/explicit/parallel/level-proviso.js";
import type { Expanded, Round, Sighting } from "../../../src/engines/explicit/parallel/protocol.js";
import type { SharedStore } from "../../../src/engines/explicit/parallel/shared-store.js";
import type { SearchOptions, StoreKind } from "../../../src/engines/explicit/search.js";
import { obviousSearch } from "../explicit/obvious.js";
import { obviousReduced } from "../../transforms/reduction/obvious.js";
import { load, plain } from "../../transforms/reduction/reducing.js";
import { SMALL_SIZES } from "./crews.js";
import { randomGraph } from "./graphs.js";
import { searchLocally } from "./local.js";
import { ALL_ERRORS, NO_ERRORS, modelOf, toyOf } from "./made-models.js";
import { expectFound, figures } from "./results.js";

const compact = { kind: "compact", cells: 500, width: 64, hash: "murmur", seed: 1 } as const;
const STORES: readonly StoreKind[] = ["flat", "tree", compact];
const WIDE = { sizes: SMALL_SIZES };
const NARROW = { sizes: { ...SMALL_SIZES, narrow: 1000 } };

test("random graphs: what the obvious search finds, whatever the store and however wide the levels", async () => {
  for (const [i, nodes] of fc.sample(randomGraph(), { numRuns: 36, seed: 11 }).entries()) {
    const model = modelOf({ kind: "graph", nodes });
    const options = { ...ALL_ERRORS, store: STORES[i % 3]! };
    const result = await searchLocally(model, options, i % 2 === 0 ? WIDE : NARROW);
    expectFound(result, obviousSearch(toyOf({ kind: "graph", nodes })));
  }
});

describe.each(STORES)("store %#", (store) => {
  const model = modelOf({ kind: "counters", n: 3, limit: 6 });
  const search = (more: Partial<SearchOptions>, sizes = WIDE) =>
    searchLocally(model, { ...NO_ERRORS, store, ...more }, sizes);

  test("all states, through all that must grow", async () => {
    for (const sizes of [WIDE, NARROW]) {
      const whole = await search({}, sizes);
      expect([whole.stop, ...figures(whole), whole.store.count]).toEqual([undefined, 216, 648, 15, 216]);
    }
  });

  test("a budget is kept, and is said to be spent", async () => {
    const few = await search({ budget: { maxStates: 100 } });
    expect([few.stop, few.stats.states, few.store.count]).toEqual(["states", 100, 100]);
    // Finding the best tree takes long.
    if (store === "tree") return;
    const enough = await search({ budget: { maxStates: 216 } });
    expect([enough.stop, enough.stats.states]).toEqual([undefined, 216]);
    for (const sizes of [WIDE, NARROW]) {
      const { stop, stats } = await search({ budget: { maxDepth: 4 } }, sizes);
      expect([stop, stats.states, stats.depth]).toEqual(["depth", 35, 4]);
      expect((await search({ budget: { maxDepth: 16 } }, sizes)).stop).toBeUndefined();
    }
    const [memory] = [await search({ budget: { memoryBytes: 5_000 } }).catch(String)];
    expect(typeof memory === "string" || memory.stop === "memory" || memory.stop === "full").toBe(true);
    const stopped = await search({ control: { isStopped: () => true } });
    expect([stopped.stop, stopped.stats.states]).toEqual(["interrupted", 1]);
  });
});

test("all states of levels with more successors than are entered at once", async () => {
  const model = modelOf({ kind: "counters", n: 2, limit: 90 });
  const sizes = { ...SMALL_SIZES, chunkStates: 8192, blockIds: 4096, firstTable: 16_384, narrow: 1000 };
  const whole = await searchLocally(
    model,
    { ...NO_ERRORS, store: "flat", budget: { maxDepth: 80 } },
    { sizes },
  );
  expect([whole.stop, ...figures(whole)]).toEqual(["depth", 3321, 6480, 80]);
});

test("a table of cells that is full is said to be", async () => {
  const model = modelOf({ kind: "counters", n: 3, limit: 6 });
  const options = { ...NO_ERRORS, store: { ...compact, cells: 100 } };
  const { stop, stats } = await searchLocally(model, options, WIDE);
  expect(stop).toBe("full");
  expect(stats.states).toBeGreaterThan(90);
});

test("steps are told, each once, and whoever wants them is asked after each level that is not narrow", async () => {
  const model = modelOf({ kind: "counters", n: 3, limit: 6 });
  for (const [sizes, asked, rounds] of [
    [WIDE, 16, 16],
    [NARROW, 1, 1],
  ] as const) {
    const streams: number[] = [];
    let times = 0;
    const arcs = {
      clear: () => undefined,
      add: (more: Int32Array) => streams.push(...more) > 0 || more.length === 0,
      isEnough: () => ++times < 0,
    };
    const roomy = { sizes: { ...sizes.sizes, chunkStates: 512, firstTable: 2048 } };
    const found = await searchLocally(model, { ...NO_ERRORS, store: "flat" }, { ...roomy, arcs });
    expect([found.stop, found.stats.states, times, found.rounds]).toEqual([undefined, 216, asked, rounds]);
    const sources: number[] = [];
    for (let at = 0; at < streams.length; at += 2 + 2 * streams[at + 1]!) {
      sources.push(streams[at]!);
      const [state, ...next] = [streams[at]!, ...[0, 1, 2].map((i) => streams[at + 2 + 2 * i]!)].map((id) =>
        [...(found.store as SharedStore).numbered(id)].join(),
      );
      const steps = toyOf({ kind: "counters", n: 3, limit: 6 }).next(state!.split(",").map(Number));
      expect([streams[at + 1], next]).toEqual([3, steps.map(({ to }) => to!.join())]);
    }
    expect([sources.length, new Set(sources).size]).toEqual([216, 216]);
    // Otherwise no errors are sought.
    const unseen = await searchLocally(model, { ...NO_ERRORS, store: "flat" }, roomy);
    expect([unseen.stats.states, unseen.rounds]).toEqual([216, sizes === WIDE ? 3 : 1]);
  }
});

test("an error ends the search behind its level, and not before", async () => {
  const errors = { ...ALL_ERRORS, checksDeadlock: false, checksSite: [], maxErrors: 1 };
  const node = (edges: readonly number[], isGood: boolean) => ({
    edges: edges.map((to) => ({ to, fault: null, isDead: false })),
    isIntermediate: false,
    isValidEnd: true,
    words: [1],
    isGood,
  });
  const nodes = [node([1, 2], true), node([3], true), node([3, 4], false), node([0], true), node([5], false)];
  const model = modelOf({ kind: "graph", nodes: [...nodes, node([0], true)] });
  for (const sizes of [WIDE, NARROW]) {
    const { stop, violations, stats } = await searchLocally(model, errors, sizes);
    expect([stop, violations.length, violations[0]!.path.length, stats.states]).toEqual(["errors", 1, 2, 3]);
  }
  const all = await searchLocally(model, { ...errors, maxErrors: Infinity }, WIDE);
  expect([all.stop, all.violations.length, all.violations[0]!.occurrences]).toEqual([undefined, 1, 2]);
});

/** The first of them could be explored forever without the other. */
const REDUCIBLE = [
  `byte seen; active proctype other() { seen = 1; assert(seen == 0) } active proctype spinner() { byte k; do :: k = 1 - k od }`,
  `byte g; active [3] proctype p() { byte k; k = 1; k = 2; g++; do :: k > 0 -> k-- :: k == 0 -> break od; assert(g < 3) }`,
];

test("reduced: the states, steps and errors of the obvious search", async () => {
  let rejected = 0;
  for (const text of REDUCIBLE) {
    const model = plain(load(text));
    for (const [proviso, known] of [
      ["queue", "next-level"],
      ["none", "none"],
    ] as const) {
      const obvious = obviousReduced(model.system, "bfs", known);
      const options = { ...ALL_ERRORS, checksSite: model.sites.map(() => true), invariants: [], proviso };
      for (const sizes of [WIDE, NARROW]) {
        const { stats, violations } = await searchLocally(model, options, sizes);
        const { reduced, rejected: refused } = stats.partialOrder!;
        expect([stats.states, stats.transitions + 1, reduced, refused], `${proviso}: ${text}`).toEqual([
          obvious.states,
          obvious.transitions,
          obvious.reduced,
          obvious.rejected,
        ]);
        const names = violations.map(({ cause }) => (cause.kind === "fault" ? `${cause.site}` : cause.kind));
        expect(names.sort()).toEqual([...obvious.errors].sort());
        rejected += refused;
      }
    }
  }
  expect(rejected).toBeGreaterThan(0);
});

test("ids that were free when a level began are of the next one", () => {
  const reduction = new LevelReduction("next-level", 4);
  const round = { blocks: Int32Array.of(10, 12, 20, 24), freshIds: 40 } as unknown as Round;
  const free = () => [...reduction.free.subarray(0, reduction.freeWords)];
  reduction.beginLevel(round, 1, [5, 7], 4);
  expect([free(), reduction.freeFrom]).toEqual([[5, 7, 20, 24], 40]);
  reduction.beginLevel(round, 3, [5, 7], 4);
  expect([free(), reduction.freeFrom]).toEqual([[5, 7], 44]);
  const many = Array.from({ length: 600 }, (_, i) => i);
  reduction.beginLevel(round, 2, many, 4);
  expect(free()).toEqual(many);
});

describe("what several workers have seen", () => {
  const store = { pathTo: (id: number) => ({ length: id, state: () => [] }) } as unknown as SharedStore;
  const seen = (site: number, level: number, occurrences = 1): Sighting => ({
    cause: { kind: "fault", site },
    stuckAt: undefined,
    occurrences,
    id: 10 * level + site,
    level,
  });
  const reply = (worker: number, ...sightings: Sighting[]): Expanded =>
    ({ worker, sightings }) as unknown as Expanded;

  test("is added up, with the shortest way to each", () => {
    const findings = new Findings(10);
    findings.merge([reply(0, seen(0, 3)), reply(1, seen(0, 2, 2), seen(1, 1))], store);
    expect(findings.errorsLeft).toBe(6);
    const summary = () => findings.violations.map(({ path, occurrences }) => [path.length, occurrences]);
    expect(summary()).toEqual([[11, 1], [20, 3]]); // prettier-ignore
    findings.merge([reply(0, seen(0, 3, 4)), reply(1, seen(0, 2, 2), seen(1, 1))], store);
    expect(summary()).toEqual([[11, 1], [20, 6]]); // prettier-ignore
    expect([findings.errorsLeft, findings.isDone]).toEqual([3, false]);
    findings.merge([reply(0, seen(0, 3, 7))], store);
    expect([findings.errorsLeft, findings.isDone]).toEqual([0, true]);
    expect(summary()).toEqual([[11, 1], [20, 9]]); // prettier-ignore
  });

  test("is cut to the errors that were asked for, without what is sought", () => {
    const sought = new Findings(2, [4]);
    const goal: Sighting = { ...seen(0, 1, 5), cause: { kind: "invariant", index: 4 } };
    sought.merge([reply(0, goal, seen(0, 2, 3))], store);
    expect(sought.isDone).toBe(true);
    expect(sought.violations.map(({ occurrences }) => occurrences)).toEqual([5, 2]);
    const hoped = new Findings(1, [4]);
    hoped.merge([reply(0, goal)], store);
    expect(hoped.isDone).toBe(false);
  });
});
