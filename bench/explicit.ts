/**
 * Our explicit-state search beside Spin's: `npm run bench:explicit -- [--only TEXT,…] [--repeat N] [--modes
 * depth-first,breadth-first,defaults] [--json FILE] [--small|--large] [--before SCRIPT]`.
 *
 * Medians of three interleaved runs (every model of every mode once, then again), so that slow spells of the machine
 * affect both tools. Spin gets `gcc -O2`, a hash table of the right size and the smallest stack. On the plain graph the
 * counts must be equal, or the bench fails. `--before` measures another build of Everypath in the same run, by its
 * `dist/cli/index.js`, and compares processor time.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Measurement, type Mode, measureEverypath, measureSpin, nodeBaseline } from "./measure.js";
import { type BenchModel, largeModels, smallModels, tinyModel } from "./models/index.js";
import { type Result, renderResults } from "./results.js";
import { geometricMean, median, renderColumns } from "./statistics.js";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    repeat: { type: "string", default: "3" },
    modes: { type: "string", default: "depth-first,breadth-first,defaults" },
    large: { type: "boolean", default: false },
    small: { type: "boolean", default: false },
    json: { type: "string" },
    before: { type: "string" },
    "time-limit": { type: "string", default: "600" },
  },
});
const timeoutMs = Number(values["time-limit"]) * 1000;
const modes = values.modes.split(",") as Mode[];

const runs = new Map<string, { spin: Measurement[]; ours: Measurement[]; before: Measurement[] }>();
for (let repetition = 1; repetition <= Number(values.repeat); repetition++)
  for (const model of selected()) for (const mode of modes) await measureBoth(model, mode, repetition);

const results = selected().flatMap((model) => modes.map((mode) => resultOf(model, mode)));
console.log(`\n${renderResults(results, modes)}\n\n${await renderBaselines()}`);
if (values.before !== undefined) for (const mode of modes) console.log(`\n${renderBefore(mode)}`);
if (values.json) writeFileSync(values.json, JSON.stringify(results, undefined, 2));

async function measureBoth(model: BenchModel, mode: Mode, repetition: number): Promise<void> {
  const spin = await measureSpin(model, mode, timeoutMs);
  const ours = await measureEverypath(model, mode, timeoutMs);
  if (mode === "depth-first") requireSameGraph(model, spin, ours);
  const key = `${model.name} ${mode}`;
  const known = runs.get(key) ?? { spin: [], ours: [], before: [] };
  runs.set(key, known);
  known.spin.push(spin);
  known.ours.push(ours);
  if (values.before !== undefined)
    known.before.push(await measureEverypath(model, mode, timeoutMs, values.before));
  console.log(
    `${repetition}  ${key}: spin ${spin.searchSeconds.toFixed(2)} s, ours ${ours.searchSeconds.toFixed(2)} s`,
  );
}

function requireSameGraph(model: BenchModel, spin: Measurement, ours: Measurement): void {
  for (const [who, { states }] of [
    ["Spin", spin],
    ["we", ours],
  ] as const)
    if (states !== model.states)
      throw new Error(`${who} counted ${states} states of ${model.name}, expected ${model.states}`);
}

function resultOf(model: BenchModel, mode: Mode): Result {
  const { spin, ours } = runs.get(`${model.name} ${mode}`)!;
  return { model: model.name, mode, states: model.states, spin: medianOf(spin), ours: medianOf(ours) };
}

function medianOf(measurements: readonly Measurement[]): Measurement {
  const of = (figure: keyof Measurement): number => median(measurements.map((one) => one[figure]));
  return {
    states: of("states"),
    transitions: of("transitions"),
    searchSeconds: of("searchSeconds"),
    totalSeconds: of("totalSeconds"),
    userSeconds: of("userSeconds"),
    peakBytes: of("peakBytes"),
  };
}

/** Medians of both builds; above 1: the present build is slower. */
function renderBefore(mode: Mode): string {
  const rows = selected().map(({ name }) => {
    const { ours, before } = runs.get(`${name} ${mode}`)!;
    return { name, now: medianOf(ours), then: medianOf(before) };
  });
  const costs = rows.map(({ now, then }) => now.userSeconds / then.userSeconds);
  return [
    `${mode}: this build beside ${values.before}`,
    renderColumns([
      ["model", "states: before", "now", "processor s: before", "now", "cost"],
      ...rows.map(({ name, now, then }, row) => [
        name,
        ...[then.states, now.states].map((count) => count.toLocaleString("en")),
        ...[then.userSeconds, now.userSeconds, costs[row]!].map((figure) => figure.toFixed(2)),
      ]),
    ]),
    `cost, geometric mean ${geometricMean(costs).toFixed(2)}`,
  ].join("\n");
}

async function renderBaselines(): Promise<string> {
  const node = await nodeBaseline();
  const starts: number[] = [];
  for (let i = 0; i < 5; i++)
    starts.push((await measureEverypath(tinyModel, "defaults", timeoutMs)).totalSeconds);
  return [
    `Node itself: ${(node.peakBytes / 2 ** 20).toFixed(0)} MiB, ${node.seconds.toFixed(2)} s`,
    `start-up (${tinyModel.states} states, whole process): ${median(starts).toFixed(2)} s (target: under 0.3 s)`,
  ].join("\n");
}

function selected(): readonly BenchModel[] {
  const bySize = values.large ? largeModels : values.small ? smallModels : [...largeModels, ...smallModels];
  const names = values.only?.split(",");
  return bySize.filter(({ name }) => !names || names.some((text) => name.includes(text)));
}
