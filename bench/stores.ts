/**
 * Bytes a state and time of each store on the bench models, beside Spin's: `npm run bench:stores -- [--large] [--only TEXT]
 * [--repeat N] [--minimised]`. Depth-first on the plain graph, so that both visit the same states; medians. `--minimised`
 * adds pan's minimised automaton, which takes minutes. Bytes are those for states: pan's "actual memory usage for
 * states", or the table it was given; ours all that the search keeps, stack included.
 */
import { parseArgs } from "node:util";
import { runEverypathOnText } from "../test/peers/everypath.js";
import { plainSpin, runSpinOnText } from "../test/peers/spin.js";
import { largeModels, smallModels, type BenchModel } from "./models/index.js";
import { median, renderColumns } from "./statistics.js";

const { values } = parseArgs({
  options: {
    large: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    repeat: { type: "string", default: "3" },
    minimised: { type: "boolean", default: false },
  },
});
const models = (values.large ? largeModels : smallModels).filter(({ name }) => name.includes(values.only));

interface Measured {
  readonly states: number;
  readonly seconds: number;
  readonly bytes: number;
}

/** Bits for the array of both tools' bitstate: the power of two above sixteen a state, as pan takes no other. */
const bitstateLog = ({ states }: BenchModel): number => Math.ceil(Math.log2(16 * states));

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

const pan = (model: BenchModel): Record<string, { compile: string[]; hashBits: number }> => {
  const hashBits = Math.ceil(Math.log2(model.states));
  return {
    "pan default": { compile: [], hashBits },
    "pan -DCOLLAPSE": { compile: ["COLLAPSE"], hashBits },
    "pan -DHC4": { compile: ["HC4"], hashBits },
    "pan -DBITSTATE": { compile: ["BITSTATE"], hashBits: bitstateLog(model) },
    ...(values.minimised ? { "pan -DMA": { compile: ["MA=512"], hashBits } } : {}),
  };
};

const rows: string[][] = [
  ["model and store", "states", "of all", "bytes/state", "of exact", "seconds", "of exact"],
];
for (const model of models) {
  const runs = new Map<string, Measured[]>();
  for (let i = 0; i < Number(values.repeat); i++) {
    for (const [name, options] of Object.entries(ours(model)))
      add(runs, name, await measureOurs(model, options));
    for (const [name, how] of Object.entries(pan(model))) add(runs, name, await measurePan(model, how));
  }
  const exact = medianOf(runs.get("exact")!);
  for (const [name, all] of runs) {
    const { states, seconds, bytes } = medianOf(all);
    rows.push([
      `${model.name} ${name}`,
      `${states}`,
      `${((100 * states) / model.states).toFixed(4)} %`,
      (bytes / states).toFixed(1),
      `${((100 * bytes) / states / (exact.bytes / exact.states)).toFixed(0)} %`,
      seconds.toFixed(2),
      `${(seconds / exact.seconds).toFixed(2)}x`,
    ]);
  }
}
console.log(renderColumns(rows));

function add(runs: Map<string, Measured[]>, name: string, measured: Measured | undefined): void {
  if (measured) runs.set(name, [...(runs.get(name) ?? []), measured]);
  else console.log(`${name}: no figures`);
}

function medianOf(all: readonly Measured[]): Measured {
  return {
    states: median(all.map(({ states }) => states)),
    seconds: median(all.map(({ seconds }) => seconds)),
    bytes: median(all.map(({ bytes }) => bytes)),
  };
}

async function measureOurs(model: BenchModel, options: readonly string[]): Promise<Measured | undefined> {
  const outcome = await runEverypathOnText(model.text, {
    options: ["--plain", "--search", "dfs", ...options],
    timeoutMs: 600_000,
  });
  if (outcome.kind !== "searched") return undefined;
  const { states, seconds, peakBytes } = outcome.report.stats;
  return { states, seconds, bytes: peakBytes };
}

async function measurePan(
  model: BenchModel,
  { compile, hashBits }: { readonly compile: readonly string[]; readonly hashBits: number },
): Promise<Measured | undefined> {
  const outcome = await runSpinOnText(model.text, {
    spin: plainSpin,
    optimise: "-O2",
    compile: ["SAFETY", "NOREDUCE", ...compile],
    pan: [],
    depth: Math.ceil(1.2 * model.depth) + 1000,
    hashBits,
    timeoutMs: 600_000,
  });
  if (outcome.kind !== "searched") return undefined;
  const { report, run } = outcome;
  const megabytes = /([\d.]+)\s+actual memory usage for states/.exec(run.output)?.[1];
  const table = 2 ** hashBits * (compile.includes("BITSTATE") ? 1 / 8 : 8);
  const bytes = compile.includes("BITSTATE") ? table : Number(megabytes ?? 0) * 2 ** 20 + table;
  return { states: report.nominalStates, seconds: report.seconds, bytes };
}
