/** The number of states does not depend on the canonical numbering: searches every system once per numbering. */
import { DataNode } from "../../src/code/system/data-node.js";
import {
  benchmarkSystems,
  systemIn,
  visit,
  type BenchmarkSystem,
  type Visited,
} from "./benchmark-systems.js";
import { allocated, numberedBy, numberings, reusing, type Locate } from "./numberings.js";
import type { Results } from "./table.js";

/** Published counts of the reference model; for other systems, all numberings must agree. */
const published: Readonly<Record<string, string>> = {
  "aodv-ref Q=1": "708 / 1700",
  "aodv-ref Q=2": "11466 / 43534",
  "aodv-ref Q=3": "31689 / 165620",
  "aodv-ref LINE4": "241088 / 927197",
};

export async function countsOnSystems(results: Results): Promise<void> {
  results.heading(
    "AC-H3, AC-H4, AC12: every system by each way to tell its states apart: states / transitions",
  );
  for (const system of await benchmarkSystems()) {
    const started = process.cpuUsage();
    const incremental = await visit(system, { hash: "incremental" });
    const full = await visit(system, { hash: "full" });
    const isData = incremental.replayed.size === 0;
    const ways = [
      { name: "incremental", figures: figuresOf(incremental) },
      { name: "full", figures: figuresOf(full) },
      ...(isData ? await byAlgorithm(system) : []),
    ];
    const expected = published[system.name] ?? ways[0]!.figures;
    const told = ways.every(({ figures }) => figures === ways[0]!.figures)
      ? `${ways[0]!.figures} by ${ways.map(({ name }) => name).join(", ")}`
      : ways.map(({ name, figures }) => `${figures} by ${name}`).join("; ");
    results.row(
      system.name,
      expected,
      told,
      ways.every(({ figures }) => figures === expected),
    );
    for (const [node, why] of incremental.replayed)
      results.figure(`${system.name}: ${node} is replayed`, `no graph to run the algorithms on: ${why}`);
    if (isData) compareSignatures(results, system, incremental, full);
    results.figure(
      `${system.name}: objects hashed`,
      `incremental ${hashedIn(incremental)}, full ${hashedIn(full)}`,
    );
    results.figure(system.name, `${(process.cpuUsage(started).user / 1e6).toFixed(1)} s of processor time`);
  }
}

async function byAlgorithm(system: BenchmarkSystem): Promise<{ name: string; figures: string }[]> {
  const found: { name: string; figures: string }[] = [];
  for (const { name, locator } of numberings)
    found.push({ name, figures: figuresOf(await numberedBy(locator, () => visit(system))) });
  return found;
}

function compareSignatures(
  results: Results,
  { name }: BenchmarkSystem,
  incremental: Visited,
  full: Visited,
): void {
  const [these, those] = [incremental.signatures(), full.signatures()];
  const differing = these.filter((signature, index) => signature !== those[index]).length;
  results.row(
    `${name}: signatures that full hashing gives, too`,
    `all ${these.length}`,
    differing === 0 && these.length === those.length ? `all ${those.length}` : `all but ${differing}`,
  );
}

/** Of captured nodes. */
const hashedIn = ({ model: { nodes } }: Visited): number =>
  nodes.reduce((sum, node) => sum + (node instanceof DataNode ? node.figures.hashed : 0), 0);

/** Without canonical numbering there are more states: allocation order, and reused locations. */
export async function countsWithout(results: Results): Promise<void> {
  results.heading("AC-H4, AC-H10: the AODV model by ways that are not canonical: states / transitions");
  for (const [name, Q, states] of [
    ["A3-Q1", 1, 708],
    ["A3-Q2", 2, 11_466],
  ] as const) {
    const system = await systemIn(aodv, name, { Q });
    const without = await numberedBy(allocated, () => visit(system, { maxStates: 1_000_000 }));
    const isMore = without.stats.states > states;
    results.row(`AC-H4 ${name} without canonicalization`, `more than ${states}`, figuresOf(without), isMore);
    const reused = await numberedBy(reusing, () => visit(system));
    const isEnough = reused.stats.states >= states;
    results.row(`AC-H10 ${name} with reuse of locations`, `at least ${states}`, figuresOf(reused), isEnough);
  }
  await errorsWithReuse(results);
}

const aodv = "examples/code/systems/aodv-ref.ts";

/** Never fewer errors. */
async function errorsWithReuse(results: Results): Promise<void> {
  const table = numberings.find(({ name }) => name === "bfs-table")!;
  for (const error of ["RL2", "RL3", "IP1"]) {
    const system = await systemIn(aodv, "A3-Q2", { Q: 2, [error]: true });
    const errors = async (locator: () => Locate): Promise<number> =>
      (await numberedBy(locator, () => visit(system))).violations.length;
    const [reused, plain] = [await errors(reusing), await errors(table.locator)];
    const isFound = reused >= plain && plain > 0;
    results.row(`AC-H10 ${error}: errors found with reuse`, `at least ${plain}`, reused, isFound);
  }
}

function figuresOf({ stats, stop, violations }: Visited): string {
  const figures = `${stats.states} / ${stats.transitions}`;
  if (violations.length > 0) return `${figures}, violated`;
  return stop === undefined ? figures : `${figures} and more, stopped (${stop})`;
}
