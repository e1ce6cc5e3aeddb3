/**
 * The acceptance checks of memory-efficient storage, expected beside obtained: `npm run bench:storage -- [--quick]
 * [--only PART] [--published]`. `--only` runs parts whose name contains the text, `--quick` omits nets of more than
 * 20,000 states, `--published` adds the two largest published nets, which smaller ones replace otherwise.
 */
import { parseArgs } from "node:util";
import fc from "fast-check";
import type { DeltaChoice } from "../src/engines/explicit/stores/choice.js";
import { search } from "../src/engines/explicit/search.js";
import { traceTo } from "../src/engines/explicit/trace.js";
import { check } from "../src/index.js";
import type { Model, System } from "../src/model/index.js";
import { searchWith } from "../test/engines/stores/searching.js";
import { randomNet } from "../test/engines/stores/systems.js";
import { dbm, dining, knownNets, leader, mutex, netSystem, systemModel, type Net } from "./nets.js";
import { Checks, digits } from "./stores/checks.js";
import {
  deltaColumns,
  judgeColumns,
  judgeMeanTimes,
  largestColumns,
  seconds,
} from "./stores/delta-columns.js";
import { judgePrograms, judgeProtocols } from "./stores/programs.js";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    published: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});
const isQuick = values.quick;
const checks = new Checks(values.only);
const nets = knownNets.filter(({ states }) => states <= (isQuick ? 20_000 : 1_000_000));
const delta = (distance: number, more: Partial<DeltaChoice> = {}): DeltaChoice => ({
  kind: "delta",
  distance,
  ...more,
});
const plain = {
  control: {},
  budget: {},
  maxErrors: 1,
  checksDeadlock: false,
  checksSite: [],
  invariants: [],
};

await checks.part("counts", counts);
await checks.part("depth of the database", databaseDepth);
await checks.part("whole states", wholeStates);
await checks.part("updates", updates);
await checks.part("comparison", comparison);
await checks.part("random nets", randomNets);
await checks.part("traces", traces);
await checks.part("growth", growth);
await checks.part("lossy runs", lossyRuns);
await checks.part("optimisations", optimisations);
await checks.part("programs", () => judgePrograms(checks, isQuick));
await checks.part("protocols", () => judgeProtocols(checks, isQuick));
const columnLines: string[] = [];
for (const columns of [...deltaColumns, ...largestColumns]) {
  const isAsked = values.published || !largestColumns.includes(columns);
  if (isQuick && columns.states > 300_000) checks.leftOut(`columns of ${columns.name}`, "--quick");
  else if (isAsked)
    columnLines.push(
      ...(await checks.partApart(`columns of ${columns.name}`, () => judgeColumns(columns, checks))),
    );
  else checks.leftOut(`columns of ${columns.name}`, "minutes each; --published runs them");
}
if (columnLines.length > 0) judgeMeanTimes(columnLines, checks);
checks.leftOut(
  "eratosthene 70 of the publication",
  "that net is not available; the sieve above is the later one",
);
checks.leftOut("9. stratified caching with delta", "state caching is not part of this version");
checks.leftOut("10. growth disabled: a clear error", "there is no setting that disables it");
checks.leftOut("12. sweep line", "not part of this version");
checks.leftOut("automaton (DFA) store, coloured-net language", "not part of this version");
checks.finish();

/** 1 to 3: counts for every store, distance and order; all whole at distance 1; chains shorter than the distance. */
async function counts(): Promise<void> {
  for (const { name, system, states, arcs } of nets)
    for (const order of ["bfs", "dfs"] as const) {
      const wrong: string[] = [];
      const note = (what: string, found: { states: number; transitions: number }): void => {
        if (found.states !== states || (arcs !== undefined && found.transitions !== arcs))
          wrong.push(`${what}: ${found.states}/${found.transitions}`);
      };
      for (const store of ["flat", "tree"] as const)
        note(store, (await search(systemModel(system()), { ...plain, order, store })).stats);
      for (const distance of [1, 2, 3, 5, 7, 10, 20, 50, 1000]) {
        const found = await searchWith(systemModel(system()), order, delta(distance));
        const whole = await chainsOf(system(), order, distance, states);
        note(`delta ${distance}`, found);
        if (whole > distance - 1) wrong.push(`delta ${distance}: a chain of ${whole}`);
        if (distance === 1 && found.delta!.delta > 0) wrong.push("distance 1: not all states are whole");
      }
      checks.report(
        `1-3. ${name}, ${order}, every exact store`,
        `${states}/${arcs ?? "?"}`,
        wrong.join("; ") || "the same",
        wrong.length === 0,
      );
    }
}

/** The longest chain, followed to its end; small nets only, since everything is searched once more. */
async function chainsOf(
  system: System,
  order: "bfs" | "dfs",
  distance: number,
  states: number,
): Promise<number> {
  if (states > 100_000) return 0;
  return (await searchWith(systemModel(system), order, delta(distance, { forgets: true }))).delta!
    .longestChain;
}

/** 4. */
async function databaseDepth(): Promise<void> {
  for (const n of [4, 6, 8])
    checks.equal(
      `4. dbm ${n}, distance ${2 * n}: whole states`,
      1,
      (await searchWith(systemModel(netSystem(dbm(n))), "dfs", delta(2 * n))).delta!.explicit,
    );
}

/** Depth-first, transitions in the order of declaration, which determines the whole states. */
async function wholeStates(): Promise<void> {
  const rows: readonly (readonly [net: Net, explicit: readonly number[]])[] = [
    [dbm(9), [11_863, 9_145, 1, 1]],
    [dining(9), [17_886, 8_935, 4_438, 1_786]],
    [mutex(10), [5_324, 2_738, 1_787, 664]],
    ...(isQuick ? [] : ([[dbm(12), [424_381, 241_561, 3_301, 1]]] as const)),
  ];
  for (const [net, explicit] of rows)
    for (const [i, distance] of [5, 10, 20, 50].entries()) {
      const found = await searchWith(systemModel(netSystem(net)), "dfs", delta(distance));
      checks.equal(`${net.name}, distance ${distance}: whole states`, explicit[i]!, found.delta!.explicit);
    }
}

/** Published: undoing and updated predecessors together save about 60 % of the time. */
async function optimisations(): Promise<void> {
  const model = systemModel(netSystem(dining(isQuick ? 7 : 9)));
  const unoptimised = delta(20, { links: "successors", updatesPredecessors: false, forgets: true });
  const run = (choice: DeltaChoice) => () => searchWith(model, "dfs", choice);
  await run(delta(20))();
  const [fast, slow] = [await seconds(run(delta(20))), await seconds(run(unoptimised))];
  checks.report(
    "both optimisations against neither, time saved",
    "about 60 %, or more",
    `${digits(100 * (1 - fast / slow))} %`,
    fast <= 0.45 * slow,
  );
}

/** 5: by the published method, which follows all chains to their end. */
async function updates(): Promise<void> {
  for (const net of [dining(8), mutex(10), leader(9)])
    for (const distance of [10, 20, 50]) {
      const [on, off] = [true, false].map((updatesPredecessors) =>
        searchWith(
          systemModel(netSystem(net)),
          "dfs",
          delta(distance, { forgets: true, updatesPredecessors }),
        ),
      );
      const [a, b] = [await on!, await off!];
      checks.report(
        `5. ${net.name}, distance ${distance}: links walked with updates, same states`,
        `at most ${b.delta!.linksWalked}`,
        a.delta!.linksWalked,
        a.delta!.linksWalked <= b.delta!.linksWalked &&
          a.states === b.states &&
          a.transitions === b.transitions,
      );
    }
}

/** Open addressing has no lists of 2^10 slots; without the filter every entry of the probe sequence is compared instead. */
async function comparison(): Promise<void> {
  const choice = delta(20, { links: "actions", ignoresFilter: true });
  const model = systemModel(netSystem(dining(9)));
  const backward = await searchWith(model, "dfs", choice);
  const forward = await searchWith(model, "dfs", { ...choice, onlyForward: true });
  checks.equal(
    "6. undoing and redoing give the same",
    `${forward.states}/${forward.transitions}`,
    `${backward.states}/${backward.transitions}`,
  );
  checks.report(
    "6. undoing exits early, filter off, dining 9",
    "at least 1",
    backward.delta!.earlyExits,
    backward.delta!.earlyExits > 0,
  );
}

async function randomNets(): Promise<void> {
  let same = 0;
  const samples = fc.sample(randomNet(), { numRuns: 1000, seed: 1 });
  for (const [i, net] of samples.entries()) {
    const order = i % 2 === 0 ? "bfs" : "dfs";
    const exact = await search(systemModel(netSystem(net)), { ...plain, order });
    const found = await searchWith(systemModel(netSystem(net)), order, delta(1 + (i % 9)));
    if (found.states === exact.stats.states && found.transitions === exact.stats.transitions) same++;
  }
  checks.equal("7. random nets: delta is plain", 1000, same);
}

/** A deep marking of dining philosophers is an error. */
async function traces(): Promise<void> {
  const base = systemModel(netSystem(dining(6)));
  const property = { name: "not this one", kind: "invariant", span: undefined } as const;
  const target = (await search(base, { ...plain, order: "bfs" })).store.numbered(1500, base.system.width);
  const model: Model = {
    ...base,
    invariants: [property],
    holds: (_, state, at) => target.some((word, k) => state[at + k] !== word),
  };
  const exact = await search(model, { ...plain, order: "bfs", invariants: [0] });
  const found = await searchWith(model, "bfs", delta(5));
  const steps = traceTo(found.violations[0]!, model).choices.length; // throws unless it replays
  checks.equal(
    "8. a trace of breadth-first delta replays, and is as short",
    exact.violations[0]!.path.length - 1,
    steps,
  );
}

/** Numbers of differences are full words: there is no bound of 16 bits to outgrow. */
async function growth(): Promise<void> {
  const text =
    "int x, y; active proctype P() { do :: x < 300 -> x++ :: y < 300 -> y++ :: x == 300 && y == 300 -> break od }";
  const exact = await check({ file: "m.pml", text }, { store: "exact" });
  const found = await check({ file: "m.pml", text }, { store: "delta" });
  checks.equal(
    "10. more than 65,536 states and any number of differences",
    exact.stats.states,
    found.stats.states,
  );
}

async function lossyRuns(): Promise<void> {
  const text = "byte x; active proctype P() { do :: x < 9 -> x++ :: else -> break od }";
  for (const store of ["bitstate", "compact"] as const) {
    const report = await check({ file: "m.pml", text }, { store });
    checks.equal(
      `11. ${store} says unknown`,
      "unknown probabilistic",
      `${report.properties[0]!.verdict} ${report.scope.kind}`,
    );
  }
}
