/**
 * Random Promela programs compared with Spin: `npm run fuzz:promela -- [--from SEED] [--count N]`.
 *
 * Prints every difference with the smallest program that shows it, and statistics of the programs. Exits with 1 on a
 * difference. `--statistics` runs Spin alone; `--seed N` one program.
 */
import { parseArgs } from "node:util";
import type { Comparison } from "../../test/conformance/compare.js";
import { compareProgram, explainDifference, spinOn } from "../../test/generators/fuzz.js";
import { choosesInAtomic, generateProgram } from "../../test/generators/promela.js";
import { renderProgram } from "../../test/generators/promela-tree.js";

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    count: { type: "string", default: "2000" },
    seed: { type: "string" },
    statistics: { type: "boolean", default: false },
    "no-minimise": { type: "boolean", default: false },
  },
});
const seeds =
  values.seed === undefined
    ? Array.from({ length: Number(values.count) }, (_, index) => Number(values.from) + index)
    : [Number(values.seed)];

if (values.seed !== undefined) console.log(renderProgram(generateProgram(seeds[0]!)));
if (values.statistics) await printStatistics();
else await compareAll();

async function compareAll(): Promise<void> {
  const seen: Comparison[] = [];
  let differences = 0;
  for (const seed of seeds) {
    const comparison = await compareProgram(generateProgram(seed));
    seen.push(comparison);
    if (comparison.verdict === "DIFFERS") {
      differences++;
      await printDifference(seed, comparison);
    }
    if (seen.length % 100 === 0) console.log(`${seen.length} programs, ${differences} differences`);
  }
  console.log(`\n${summary(seen)}`);
  const isThin = seen.length >= 100 && seen.filter((one) => one.verdict === "agree").length * 2 < seen.length;
  if (isThin) console.log("FAILED: too few programs were compared");
  process.exitCode = differences > 0 || isThin ? 1 : 0;
}

async function printDifference(seed: number, comparison: Comparison): Promise<void> {
  console.log(`\nseed ${seed} DIFFERS: ${comparison.notes.join("; ")}`);
  if (values["no-minimise"]) return;
  const { smallest, comparison: again } = await explainDifference(seed, comparison);
  console.log(`smallest program found (${again.notes.join("; ")}):\n${smallest}`);
}

function summary(seen: readonly Comparison[]): string {
  const count = (isCounted: (one: Comparison) => boolean): number => seen.filter(isCounted).length;
  const noted = new Map<string, number>();
  for (const { verdict, notes } of seen)
    if (verdict !== "DIFFERS")
      for (const note of notes) noted.set(kindOf(note), (noted.get(kindOf(note)) ?? 0) + 1);
  return [
    `${seen.length} programs: ${count((one) => one.verdict === "agree")} agree, ${count((one) => one.verdict === "EXCLUDED")} excluded, ${count((one) => one.verdict === "DIFFERS")} differ`,
    ...[...noted].map(([note, times]) => `  ${times} x ${note}`),
    renderSizes(seen.flatMap(({ spin }) => (spin ? [spin.states] : []))),
  ].join("\n");
}

/** Exclusions by kind, without line numbers and file names. */
function kindOf(note: string): string {
  return note.replace(/:.*/, "");
}

async function printStatistics(): Promise<void> {
  const counts = new Map<string, number>();
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  const states: number[] = [];
  for (const seed of seeds) {
    const program = generateProgram(seed);
    if (choosesInAtomic(program)) count("chooses in atomic");
    const spin = await spinOn(program);
    count(spin.kind);
    if (spin.kind !== "searched") continue;
    states.push(spin.report.states);
    if (spin.report.incomplete) count(`incomplete: ${spin.report.incomplete}`);
    if (spin.report.errors === 0) count("no errors");
    for (const kind of spin.report.errorKinds) count(`error: ${kind}`);
  }
  for (const [name, times] of [...counts].sort()) console.log(`${name}: ${share(times, seeds.length)}`);
  console.log(renderSizes(states));
}

function renderSizes(states: readonly number[]): string {
  const bounds = [1, 10, 100, 1_000, 10_000, 100_000, Infinity];
  const parts = bounds.slice(1).map((high, index) => {
    const inside = states.filter((size) => size >= bounds[index]! && size < high).length;
    return `${bounds[index]}+: ${share(inside, states.length)}`;
  });
  return `states ${parts.join(", ")}`;
}

function share(part: number, whole: number): string {
  return `${part} (${((100 * part) / Math.max(1, whole)).toFixed(1)} %)`;
}
