/**
 * Murphi models beside Rumur: `npm run bench:murphi -- [--only TEXT,…] [--repeat N] [--json FILE]`.
 *
 * Rumur gets one thread, `gcc -O3 -march=native`, and the better of its two state representations (packed or not). Runs
 * are interleaved, so that slow spells of the machine affect both; figures are medians. Both must count the same states
 * and rules fired, and with symmetry the same states as Rumur's `exhaustive` if that terminates; otherwise the bench
 * fails.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { inRepository } from "../test/repository.js";
import { runEverypath } from "../test/peers/everypath.js";
import { runRumur, type RumurRun, type RumurSymmetry } from "./murphi-peer.js";
import { geometricMean, median, renderColumns } from "./statistics.js";

interface MurphiBench {
  readonly model: string;
  readonly constants: Readonly<Record<string, number>>;
  /** `small`: the time from text to answer counts. */
  readonly what: "large" | "small" | "symmetric";
}

const benches: readonly MurphiBench[] = [
  { model: "german", constants: { N: 4, D: 2 }, what: "large" },
  { model: "mesi", constants: { N: 3, L: 3, Q: 3 }, what: "large" },
  { model: "agrawala", constants: { N: 4, C: 2, B: 1 }, what: "large" },
  { model: "philosophers", constants: { N: 10 }, what: "large" },
  { model: "lock", constants: { N: 7 }, what: "large" },
  { model: "twophase", constants: { N: 5 }, what: "large" },
  { model: "filter", constants: { N: 6 }, what: "large" },
  { model: "filter", constants: { N: 4 }, what: "small" },
  { model: "german", constants: { N: 3, D: 2 }, what: "small" },
  { model: "mesi", constants: { N: 3, L: 2, Q: 2 }, what: "small" },
  { model: "agrawala", constants: { N: 3, C: 4, B: 0 }, what: "small" },
  { model: "philosophers", constants: { N: 9 }, what: "small" },
  { model: "filter", constants: { N: 7 }, what: "symmetric" },
  { model: "german", constants: { N: 5, D: 2 }, what: "symmetric" },
  { model: "mesi", constants: { N: 4, L: 2, Q: 3 }, what: "symmetric" },
  { model: "twophase", constants: { N: 5 }, what: "symmetric" },
  { model: "lock", constants: { N: 7 }, what: "symmetric" },
  { model: "mesi", constants: { N: 3, L: 3, Q: 3 }, what: "symmetric" },
];

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    repeat: { type: "string", default: "3" },
    json: { type: "string" },
    "time-limit": { type: "string", default: "900" },
    /** For `exhaustive`, which tries every permutation. */
    "exhaustive-limit": { type: "string", default: "60" },
  },
});
const timeoutMs = Number(values["time-limit"]) * 1000;

interface Run {
  readonly rumur: RumurRun;
  readonly ours: RumurRun;
}

interface Result extends Run {
  readonly bench: MurphiBench;
  /** Orbits by Rumur's `exhaustive`, if it terminated. */
  readonly orbits: number | undefined;
}

const selected = benches.filter(
  (bench) => !values.only || values.only.split(",").some((text) => nameOf(bench).includes(text)),
);
const runs = new Map<MurphiBench, Run[]>(selected.map((bench) => [bench, []]));
for (let round = 1; round <= Number(values.repeat); round++)
  for (const bench of selected) {
    const run = { rumur: await fastestRumur(bench), ours: await measureOurs(bench) };
    requireSameCounts(bench, run);
    runs.get(bench)!.push(run);
    console.log(
      `${round}  ${nameOf(bench)}: rumur ${run.rumur.searchSeconds.toFixed(2)} s, ours ${run.ours.searchSeconds.toFixed(2)} s`,
    );
  }
const results: Result[] = [];
for (const [bench, all] of runs) results.push(await resultOf(bench, all));
console.log(`\n${renderAll(results)}`);
if (values.json) writeFileSync(values.json, JSON.stringify(results, undefined, 2));

async function fastestRumur(bench: MurphiBench): Promise<RumurRun> {
  const symmetry: RumurSymmetry = bench.what === "symmetric" ? "heuristic" : "off";
  const both: RumurRun[] = [];
  for (const packs of [true, false]) {
    const run = await runRumur(textOf(bench), { symmetry, packs, timeoutMs });
    if (!run) throw new Error(`Rumur did not end on ${nameOf(bench)}`);
    both.push(run);
  }
  return both.sort((a, b) => a.searchSeconds - b.searchSeconds)[0]!;
}

async function measureOurs(bench: MurphiBench): Promise<RumurRun> {
  const outcome = await runEverypath(fileOf(bench), {
    defines: Object.entries(bench.constants).map(([name, value]) => `${name}=${value}`),
    options: ["--reduction", bench.what === "symmetric" ? "symmetry" : "none", "--progress", "none"],
    timeoutMs,
  });
  if (outcome.kind !== "searched" || outcome.report.verdict !== "holds")
    throw new Error(`we gave no figures for ${nameOf(bench)}: ${JSON.stringify(outcome).slice(0, 400)}`);
  const { stats } = outcome.report;
  return {
    states: stats.states,
    rulesFired: stats.transitions,
    searchSeconds: stats.seconds,
    totalSeconds: outcome.wallSeconds,
  };
}

/** With symmetry Rumur's heuristic form may keep several representatives. */
function requireSameCounts(bench: MurphiBench, { rumur, ours }: Run): void {
  const isSame =
    bench.what === "symmetric"
      ? ours.states <= rumur.states
      : ours.states === rumur.states && ours.rulesFired === rumur.rulesFired;
  if (!isSame)
    throw new Error(`${nameOf(bench)}: rumur ${JSON.stringify(rumur)}, ours ${JSON.stringify(ours)}`);
}

async function resultOf(bench: MurphiBench, all: readonly Run[]): Promise<Result> {
  const medianOf = (tool: keyof Run): RumurRun => {
    const of = (figure: keyof RumurRun): number => median(all.map((run) => run[tool][figure]));
    return {
      states: of("states"),
      rulesFired: of("rulesFired"),
      searchSeconds: of("searchSeconds"),
      totalSeconds: of("totalSeconds"),
    };
  };
  const [rumur, ours] = [medianOf("rumur"), medianOf("ours")];
  const limit = Number(values["exhaustive-limit"]) * 1000;
  const exhaustive =
    bench.what === "symmetric"
      ? await runRumur(textOf(bench), { symmetry: "exhaustive", packs: false, timeoutMs: limit })
      : undefined;
  if (exhaustive && exhaustive.states !== ours.states)
    throw new Error(`${nameOf(bench)}: ${exhaustive.states} orbits, we counted ${ours.states}`);
  return { bench, rumur, ours, orbits: exhaustive?.states };
}

function renderAll(all: readonly Result[]): string {
  const of = (what: MurphiBench["what"]): Result[] => all.filter((result) => result.bench.what === what);
  return [
    ...table(
      "Exploration, over a million states (--reduction none; Rumur's symmetry off)",
      of("large"),
      "searchSeconds",
    ),
    ...targets(of("large"), "searchSeconds", 2, 1),
    ...table("From text to answer, under a million states", of("small"), "totalSeconds"),
    ...targets(of("small"), "totalSeconds", 3, undefined),
    ...table("With symmetry: ours exact, Rumur's heuristic", of("symmetric"), "searchSeconds"),
    ...targets(of("symmetric"), "searchSeconds", undefined, 1),
  ].join("\n");
}

type Figure = "searchSeconds" | "totalSeconds";

function table(title: string, results: readonly Result[], figure: Figure): string[] {
  if (results.length === 0) return [];
  const hasOrbits = results.some(({ bench }) => bench.what === "symmetric");
  const rows = results.map(({ bench, rumur, ours, orbits }) => [
    nameOf(bench),
    ours.states.toLocaleString("en"),
    ours.rulesFired.toLocaleString("en"),
    ...(hasOrbits ? [rumur.states.toLocaleString("en"), orbits?.toLocaleString("en") ?? "did not end"] : []),
    rumur[figure].toFixed(2),
    ours[figure].toFixed(2),
    `${(rumur[figure] / ours[figure]).toFixed(1)}x`,
  ]);
  const orbitHeads = hasOrbits ? ["rumur's states", "exhaustive"] : [];
  return [
    title,
    renderColumns([["model", "states", "rules", ...orbitHeads, "rumur s", "ours s", "ratio"], ...rows]),
  ];
}

function targets(
  results: readonly Result[],
  figure: Figure,
  mean: number | undefined,
  least: number | undefined,
): string[] {
  if (results.length === 0) return [];
  const ratios = results.map(({ rumur, ours }) => rumur[figure] / ours[figure]);
  const judge = (value: number, target: number | undefined): string =>
    target === undefined ? "" : ` (target: ${target}x, ${value >= target ? "met" : "MISSED"})`;
  const [average, lowest] = [geometricMean(ratios), Math.min(...ratios)];
  return [
    `geometric mean ${average.toFixed(1)}x${judge(average, mean)}, least ${lowest.toFixed(1)}x${judge(lowest, least)}\n`,
  ];
}

function nameOf({ model, constants, what }: MurphiBench): string {
  const shown = Object.entries(constants).map(([name, value]) => `${name}=${value}`);
  return `${model} ${shown.join(" ")}${what === "symmetric" ? " symmetric" : ""}`;
}

function fileOf({ model }: MurphiBench): string {
  return inRepository(`bench/models/murphi/${model}.m`);
}

/** Writes constants into the text, as Rumur has no option for them. */
function textOf(bench: MurphiBench): string {
  return Object.entries(bench.constants).reduce(
    (text, [name, value]) => text.replace(new RegExp(`\\b${name}: \\d+;`), `${name}: ${value};`),
    readFileSync(fileOf(bench), "utf8"),
  );
}
