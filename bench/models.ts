/**
 * Any folder of Promela or Murphi models beside `pan` or Rumur:
 *
 *   npm run bench:models -- DIR [--order dfs|bfs] [--defaults] [--workers N] [--only TEXT,…] [--repeat N] [--time SECONDS] [--json FILE]
 *   npm run bench:models -- --generate DIR [--scale 1..4]
 *
 * Without `--defaults` both explore the plain graph, and the command exits with 1 if their states differ. With it each tool uses its
 * reductions. pan is built by `gcc -O2`, with the smallest `-m` that completes and the best of four `-w`; `-DCOLLAPSE` is a second column with
 * the same flags. Rumur gets `gcc -O3 -march=native` and the faster of its two ways to keep states. Runs of both sides alternate; figures are
 * medians. Models on which a tool fails keep their row.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { inTemporaryDirectory } from "../test/peers/process.js";
import { SCALES } from "./shapes/index.js";
import { Comparison, type Settings } from "./side-by-side/compare.js";
import { generateModels, modelsIn } from "./side-by-side/folder.js";
import { type Row, agreementOf } from "./side-by-side/rows.js";
import { renderSummary } from "./side-by-side/summary.js";
import { memoryTitle, renderMemory, renderTimes } from "./side-by-side/tables.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    order: { type: "string" },
    defaults: { type: "boolean", default: false },
    workers: { type: "string", default: "1" },
    only: { type: "string" },
    repeat: { type: "string", default: "3" },
    time: { type: "string", default: "120" },
    json: { type: "string" },
    generate: { type: "string" },
    scale: { type: "string", default: "3" },
  },
});

if (values.generate !== undefined)
  for (const file of generateModels(values.generate, scaleOf(values.scale))) console.log(file);
else process.exitCode = await inTemporaryDirectory(compareFolder);

async function compareFolder(directory: string): Promise<number> {
  const settings = settingsOf(directory);
  const models = modelsIn(folder(), values.only?.split(","));
  if (models.length === 0) refuse(`no model (.pml, .prm, .promela, .m) in ${folder()}`);
  const comparisons = models.map((model) => new Comparison(model, settings));
  for (let repetition = 1; repetition <= positive("repeat", values.repeat); repetition++)
    for (const comparison of comparisons) {
      if (repetition === 1) await comparison.prepare();
      await comparison.repeat();
      console.error(`${repetition}  ${comparison.model.name}`);
    }
  const rows = comparisons.map((comparison) => comparison.row());
  console.log(render(rows, settings));
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(rows, undefined, 2));
  return rows.some((row) => agreementOf(row) === "DIFFERS") ? 1 : 0;
}

function render(rows: readonly Row[], settings: Settings): string {
  const times = [titleOf(settings), renderTimes(rows, settings.workers)];
  return [...times, "", memoryTitle, renderMemory(rows), "", renderSummary(rows, settings.workers)].join(
    "\n",
  );
}

function titleOf({ isReduced, order }: Settings): string {
  const search = order === "bfs" ? "breadth-first" : "depth-first";
  const pan = `${isReduced ? "spin -a" : "spin -o1 -o2 -o3 -a"}; gcc -O2 -DSAFETY${isReduced ? "" : " -DNOREDUCE"}${order === "bfs" ? " -DBFS" : ""}; pan -c0 -E; rumur --symmetry-reduction ${isReduced ? "heuristic" : "off"}, gcc -O3`;
  const ours = `everypath check --no-deadlock --errors all${isReduced ? "" : " --plain"}${order === undefined ? "" : ` --search ${order}`}`;
  const title = isReduced ? "Defaults, reductions on both sides" : `The same graph, ${search}`;
  const medians = `median of ${values.repeat}`;
  return `${title}: ${pan}; ${ours}; ${medians}\n"search": wall time by each tool's own clock; "processor": user and system time of the searching process (ours: less that of a run which stops at its first state)`;
}

function settingsOf(directory: string): Settings {
  const order = orderOf();
  const workers = positive("workers", values.workers);
  if (workers > 1 && order === "dfs")
    refuse("--workers needs --order bfs: several workers search breadth-first");
  const timeoutMs = 1000 * positive("time", values.time);
  return { isReduced: values.defaults, order, workers, timeoutMs, directory };
}

function orderOf(): Settings["order"] {
  const order = values.order ?? (values.defaults ? undefined : "dfs");
  if (order === undefined || order === "dfs" || order === "bfs") return order;
  return refuse("--order must be dfs or bfs");
}

function folder(): string {
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) return refuse("give one folder of models, or --generate DIR");
  return name;
}

function scaleOf(text: string): number {
  const scale = SCALES.find((known) => `${known}` === text);
  return scale ?? refuse(`--scale must be between ${SCALES[0]} and ${SCALES.length}`);
}

function positive(name: string, text: string): number {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : refuse(`--${name} must be a positive number`);
}

function refuse(message: string): never {
  console.error(message);
  process.exit(3);
}
