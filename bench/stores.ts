/**
 * Bytes per state and time of each store on the bench models, beside Spin's, and the targets: `npm run bench:stores --
 * [--small] [--only TEXT] [--repeat N] [--minimised]`. Depth-first on the plain graph, so that both visit the same
 * states; medians. `--only`: models whose name contains the text, `omissions`, `minimised`; `--small`: models under a
 * million states, without targets; `--minimised`: pan's minimised automaton for every model, which takes minutes each,
 * instead of the smallest one alone.
 *
 * Bytes at rest are the tables of visited states when the search ends, without stack; for pan, its "actual memory usage
 * for states" with its hash table, or the given table. Seconds are processor time in the program, less a run on a tiny
 * model, which a busy machine distorts little.
 */
import { parseArgs } from "node:util";
import { runEverypathOnText } from "../test/peers/everypath.js";
import { plainSpin, runSpinOnText } from "../test/peers/spin.js";
import { largeModels, smallModels, tinyModel, type BenchModel } from "./models/index.js";
import { judgeOmissions } from "./stores/omissions.js";
import { judge, judgeCoverage, type Measured, type Target } from "./stores/targets.js";
import { median, renderColumns } from "./statistics.js";

const { values } = parseArgs({
  options: {
    small: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    repeat: { type: "string", default: "1" },
    minimised: { type: "boolean", default: false },
  },
});
const models = (values.small ? smallModels : largeModels).filter(({ name }) => name.includes(values.only));

/** Bits of both tools' bitstate arrays: the power of two above four per state, as pan requires. */
const bitstateLog = ({ states }: BenchModel): number => Math.ceil(Math.log2(4 * states));

const ours = (model: BenchModel): Record<string, readonly string[]> => ({
  exact: ["--store", "exact"],
  tree: ["--store", "tree"],
  "delta 5": ["--store", "delta", "--delta-distance", "5"],
  "delta 20": ["--store", "delta", "--delta-distance", "20"],
  "delta 50": ["--store", "delta", "--delta-distance", "50"],
  "compact 40": [
    "--store",
    "compact",
    "--hash-bits",
    "40",
    "--table",
    `${Math.ceil(1.1 * model.states * 5)}`,
  ],
  "bitstate 3": ["--store", "bitstate", "--table", `${2 ** (bitstateLog(model) - 3)}`],
});

interface PanSettings {
  readonly compile: readonly string[];
  readonly hashBits: number;
  readonly run?: readonly string[];
}

const pan = (model: BenchModel): Record<string, PanSettings> => {
  const hashBits = Math.ceil(Math.log2(model.states));
  return {
    "pan default": { compile: [], hashBits },
    "pan -DCOLLAPSE": { compile: ["COLLAPSE"], hashBits },
    "pan -DHC4": { compile: ["HC4"], hashBits },
    "pan -DBITSTATE": { compile: ["BITSTATE"], hashBits: bitstateLog(model) },
    ...(values.minimised ? { "pan -DMA": { compile: ["MA=512"], hashBits } } : {}),
  };
};

/** Number of hash functions over which omissions of bitstate stores are compared. */
const HASH_SEEDS = 4;
const startup = (await measureOurs(tinyModel, ["--store", "exact"]))?.seconds ?? 0;
let met = 0;
const missed: string[] = [];
for (const model of models) {
  const runs = new Map<string, Measured[]>();
  for (let i = 0; i < Number(values.repeat); i++) {
    for (const [name, options] of Object.entries(ours(model)))
      add(runs, name, await measureOurs(model, options, startup));
    for (const [name, how] of Object.entries(pan(model))) add(runs, name, await measurePan(model, how));
  }
  const medians = new Map([...runs].map(([name, all]) => [name, medianOf(all)]));
  console.log(`\n${table(model, medians)}`);
  tell(model, judge(model, medians));
  if (!values.small) tell(model, await compareCoverage(model));
}
const statistical = smallModels.find(({ name }) => name === "philosophers-6")!;
if ("omissions".includes(values.only)) tell(statistical, await judgeOmissions(statistical));
if (!values.minimised && !values.small && "minimised".includes(values.only))
  await showMinimised(smallModels[0]!);
const list = missed.length === 0 ? "" : `: ${missed.join("; ")}`;
console.log(`\n${met} targets met, ${missed.length} missed${list}`);
process.exitCode = missed.length === 0 ? 0 : 1;

/** Both tools' bitstate with other hash functions. */
async function compareCoverage(model: BenchModel): Promise<Target[]> {
  const [mine, pans] = [[] as Measured[], [] as Measured[]];
  for (let seed = 1; seed <= HASH_SEEDS; seed++) {
    const own = await measureOurs(model, [...ours(model)["bitstate 3"]!, "--seed", `${seed}`]);
    const peer = await measurePan(model, { ...pan(model)["pan -DBITSTATE"]!, run: [`-h${seed}`] });
    if (own) mine.push(own);
    if (peer) pans.push(peer);
  }
  return judgeCoverage(model, mine, pans);
}

function tell(model: BenchModel, targets: readonly Target[]): void {
  for (const { name, obtained, isMet } of targets) {
    if (isMet) met++;
    else missed.push(`${model.name}: ${name}: ${obtained}`);
    console.log(`${isMet ? "met   " : "MISSED"}  ${model.name}: ${name}: ${obtained}`);
  }
}

/** Pan's automaton beside our tree. */
async function showMinimised(model: BenchModel): Promise<void> {
  const hashBits = Math.ceil(Math.log2(model.states));
  const rows = new Map<string, Measured[]>();
  add(rows, "exact", await measureOurs(model, ["--store", "exact"], startup));
  add(rows, "tree", await measureOurs(model, ["--store", "tree"], startup));
  add(rows, "pan -DMA", await measurePan(model, { compile: ["MA=512"], hashBits }));
  console.log(`\n${table(model, new Map([...rows].map(([name, all]) => [name, medianOf(all)])))}`);
}

function table(model: BenchModel, medians: ReadonlyMap<string, Measured>): string {
  const exact = medians.get("exact");
  const rows = [...medians].map(([name, { states, seconds, bytes }]) => [
    name,
    `${states}`,
    `${((100 * states) / model.states).toFixed(4)} %`,
    (bytes / states).toFixed(1),
    exact ? `${((100 * bytes) / states / (exact.bytes / exact.states)).toFixed(0)} %` : "",
    seconds.toFixed(2),
    exact ? `${(seconds / exact.seconds).toFixed(2)}x` : "",
  ]);
  const title = `${model.name}${exact ? `, states of ${exact.stateBytes} bytes` : ""}`;
  const heading = ["store", "states", "of all", "bytes/state at rest", "of exact", "seconds", "of exact"];
  return `${title}\n${renderColumns([heading, ...rows])}`;
}

function add(runs: Map<string, Measured[]>, name: string, measured: Measured | undefined): void {
  if (measured) runs.set(name, [...(runs.get(name) ?? []), measured]);
  else console.log(`${name}: no figures`);
}

function medianOf(all: readonly Measured[]): Measured {
  return {
    states: median(all.map(({ states }) => states)),
    seconds: median(all.map(({ seconds }) => seconds)),
    bytes: median(all.map(({ bytes }) => bytes)),
    stateBytes: all[0]!.stateBytes,
  };
}

async function measureOurs(
  model: BenchModel,
  options: readonly string[],
  startup = 0,
): Promise<Measured | undefined> {
  const outcome = await runEverypathOnText(model.text, {
    options: ["--plain", "--search", "dfs", ...options],
    timeoutMs: 600_000,
    measureMemory: true,
  });
  if (outcome.kind !== "searched") return undefined;
  const { states, tableBytes = 0, stateBytes = 0 } = outcome.report.stats;
  return { states, seconds: outcome.userSeconds - startup, bytes: tableBytes, stateBytes };
}

async function measurePan(
  model: BenchModel,
  { compile, hashBits, run: options = [] }: PanSettings,
): Promise<Measured | undefined> {
  const outcome = await runSpinOnText(model.text, {
    spin: plainSpin,
    optimise: "-O2",
    compile: ["SAFETY", "NOREDUCE", ...compile],
    pan: options,
    depth: Math.ceil(1.2 * model.depth) + 1000,
    hashBits,
    timeoutMs: 600_000,
    measureMemory: true,
  });
  if (outcome.kind !== "searched") return undefined;
  const { report, run } = outcome;
  const megabytes = /([\d.]+)\s+actual memory usage for states/.exec(run.output)?.[1];
  const table = 2 ** hashBits * (compile.includes("BITSTATE") ? 1 / 8 : 8);
  const bytes = compile.includes("BITSTATE") ? table : Number(megabytes ?? 0) * 2 ** 20 + table;
  return { states: report.nominalStates, seconds: run.panUserSeconds, bytes, stateBytes: 0 };
}
