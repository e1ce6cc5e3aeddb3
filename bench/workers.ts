/**
 * One worker beside two: `npm run bench:workers -- [--only TEXT,…] [--repeat N] [--workers N] [--pan|--pan-only]
 * [--no-huge] [--json FILE]`.
 *
 * The measure is normalised: runs one single-worker process per worker concurrently, and divides the time of each by the
 * time of one process with all workers. So memory bandwidth, cache and busy neighbours count on both sides, and the ideal
 * is the number of workers. Rounds alternate; the median counts. The mean covers all models of two million states and
 * more; the mean of the larger ones is printed beside it (`--no-huge` omits and notes them). `--pan` compares Spin's
 * verifier with its reduction and one worker with ours, on models that are large even then; `--pan-only` omits the
 * workers.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { runEverypathOnText } from "../test/peers/everypath.js";
import { type Measurement, measureEverypath, measureSpin } from "./measure.js";
import { type BenchModel, hugeModels, largeModels, largeWhenReduced } from "./models/index.js";
import { geometricMean, median, renderColumns } from "./statistics.js";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    repeat: { type: "string", default: "3" },
    workers: { type: "string", default: "2" },
    pan: { type: "boolean", default: false },
    "pan-only": { type: "boolean", default: false },
    "no-huge": { type: "boolean", default: false },
    json: { type: "string" },
    "time-limit": { type: "string", default: "600" },
  },
});
const workers = Number(values.workers);
const timeoutMs = Number(values["time-limit"]) * 1000;
const TARGET = 1.6;
const PAN_TARGET = 1.5;
const LEAST_STATES = 2_000_000;
const HUGE_STATES = 10_000_000;

interface Row {
  readonly model: string;
  readonly states: number;
  /** Seconds of concurrent one-worker processes. */
  readonly together: number[];
  /** Seconds with several workers. */
  readonly shared: number[];
}

type Searched = Omit<BenchModel, "depth">;

const isSelected = ({ name, states }: Pick<BenchModel, "name" | "states">): boolean =>
  states >= LEAST_STATES && (!values.only || values.only.split(",").some((text) => name.includes(text)));
const selected = largeModels.filter(isSelected);
const forWorkers: readonly Searched[] = [
  ...selected,
  ...(values["no-huge"] ? [] : hugeModels.filter(isSelected)),
];
const rows: Row[] = forWorkers.map(({ name, states }) => ({ model: name, states, together: [], shared: [] }));
if (!values["pan-only"]) await compareWorkers();
if (values.pan || values["pan-only"]) await besidePan();
if (values.json) writeFileSync(values.json, JSON.stringify(rows, undefined, 2));

async function compareWorkers(): Promise<void> {
  for (let repetition = 1; repetition <= Number(values.repeat); repetition++)
    for (const [index, model] of forWorkers.entries()) {
      const row = rows[index]!;
      const alone = await Promise.all(Array.from({ length: workers }, () => seconds(model, 1)));
      row.together.push(alone.reduce((sum, one) => sum + one, 0) / workers);
      row.shared.push(await seconds(model, workers));
      console.log(
        `${repetition}  ${model.name}: ${row.together.at(-1)!.toFixed(2)} s together, ${row.shared.at(-1)!.toFixed(2)} s shared`,
      );
    }
  const speedUp = ({ together, shared }: Row): number => median(together) / median(shared);
  const mean = geometricMean(rows.map(speedUp));
  const huge = rows.filter(({ states }) => states >= HUGE_STATES);
  console.log(
    `\n${renderColumns([
      ["model", "states", `${workers} processes, each`, `${workers} workers`, "speed-up"],
      ...rows.map((row) => [
        row.model,
        `${row.states}`,
        `${median(row.together).toFixed(2)} s`,
        `${median(row.shared).toFixed(2)} s`,
        `${speedUp(row).toFixed(2)}x`,
      ]),
    ])}\n\ngeometric mean ${mean.toFixed(2)}x (target for two workers: ${TARGET}x)`,
  );
  if (huge.length > 0)
    console.log(`of those above ${HUGE_STATES} states: ${geometricMean(huge.map(speedUp)).toFixed(2)}x`);
  if (values["no-huge"]) console.log("models of more states were left out: --no-huge");
}

/** Seconds of searching; throws on wrong figures. */
async function seconds(model: Searched, threads: number): Promise<number> {
  const outcome = await runEverypathOnText(model.text, {
    options: ["--plain", "--reduction", "none", "--workers", `${threads}`],
    timeoutMs,
  });
  if (outcome.kind !== "searched") throw new Error(`${model.name}: ${JSON.stringify(outcome)}`);
  const { verdict, stats } = outcome.report;
  if (verdict !== "holds" || stats.states !== model.states || stats.transitions + 1 !== model.transitions)
    throw new Error(
      `${model.name} with ${threads} workers: ${verdict}, ${stats.states} states, ${stats.transitions} transitions; expected ${model.states}, ${model.transitions - 1}`,
    );
  return stats.seconds;
}

/** Both with their reductions, one core each: the search alone, and from text to answer (for Spin including the C compiler). */
async function besidePan(): Promise<void> {
  const compared: Compared[] = [];
  for (const model of largeWhenReduced.filter(isSelected)) {
    const spin: Measurement[] = [];
    const ours: Measurement[] = [];
    for (let repetition = 1; repetition <= Number(values.repeat); repetition++) {
      spin.push(await measureSpin(model, "defaults", timeoutMs));
      ours.push(await measureEverypath(model, "defaults", timeoutMs));
    }
    if (spin[0]!.states !== model.states)
      throw new Error(`pan has ${spin[0]!.states} states of ${model.name}, not ${model.states}`);
    compared.push({ model: model.name, spin, ours });
    console.log(`${model.name}: ${beside(spin, ours, "searchSeconds").join(", ")}`);
  }
  const table = [
    ["model", "states of pan", "ours", "search of pan", "ours", "ratio", "in all", "ours", "ratio"],
  ];
  for (const { model, spin, ours } of compared)
    table.push([
      model,
      `${spin[0]!.states}`,
      `${ours[0]!.states}`,
      ...beside(spin, ours, "searchSeconds"),
      ...beside(spin, ours, "totalSeconds"),
    ]);
  console.log(`\nwith reduction on both sides, one core\n${renderColumns(table)}\n`);
  console.log(
    `geometric mean: search ${meanRatio(compared, "searchSeconds")} (target: ${PAN_TARGET}x), in all ${meanRatio(compared, "totalSeconds")}`,
  );
}

interface Compared {
  readonly model: string;
  readonly spin: readonly Measurement[];
  readonly ours: readonly Measurement[];
}

type Clock = "searchSeconds" | "totalSeconds";

function medianOf(measured: readonly Measurement[], clock: Clock): number {
  return median(measured.map((one) => one[clock]));
}

function meanRatio(compared: readonly Compared[], clock: Clock): string {
  const ratios = compared.map(({ spin, ours }) => medianOf(spin, clock) / medianOf(ours, clock));
  return `${geometricMean(ratios).toFixed(2)}x`;
}

function beside(spin: readonly Measurement[], ours: readonly Measurement[], clock: Clock): readonly string[] {
  return [
    `${medianOf(spin, clock).toFixed(2)} s`,
    `${medianOf(ours, clock).toFixed(2)} s`,
    `${(medianOf(spin, clock) / medianOf(ours, clock)).toFixed(2)}x`,
  ];
}
