/**
 * Random Promela programs searched as JavaScript and as WebAssembly: `npm run fuzz:step -- [--programs N] [--seed S]
 * [--workers] [--keep DIR]`.
 *
 * Both codes search each program in both orders, with both exact stores, with and without partial order; with hashes of
 * eight bits, with a memory that WebAssembly outgrows, with lossy stores and, with `--workers`, by two threads. All
 * figures, errors, paths and coverage must agree, and every trace must replay. Minimises differing programs into
 * `--keep`. Fails on a difference, and if too few searches ran as WebAssembly.
 */
import "./throughput.js";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Crew } from "../../src/engines/explicit/parallel/crew.js";
import { compareStep, smallerCases, type StepOutcome } from "../../test/engines/explicit/step-columns.js";
import { minimise } from "../../test/generators/minimise.js";
import { renderProgram, smallerPrograms } from "../../test/generators/promela-tree.js";
import { stepCase, type StepCase } from "../../test/generators/promela-step.js";

const { values } = parseArgs({
  options: {
    programs: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    workers: { type: "boolean", default: false },
    keep: { type: "string", default: "fuzz-differences" },
    "stop-at": { type: "string", default: "20" },
    "no-minimise": { type: "boolean", default: false },
  },
});

const first = Number(values.seed);
const programs = Number(values.programs);
const started = performance.now();
const tally = { programs: 0, refused: 0, complete: 0, violated: 0, asStepCode: 0, replayed: 0, differing: 0 };
const columns = new Map<string, number>();
const threads = values.workers ? await startThreads() : undefined;

for (let seed = first; seed < first + programs && tally.differing < Number(values["stop-at"]); seed++) {
  await compareSeed(seed);
  if ((seed - first + 1) % 500 === 0) console.log(`next --seed ${seed + 1}: ${summary()}`);
}
await threads?.crew.dismiss();
console.log(
  `fuzz:step --seed ${first} --programs ${programs}${values.workers ? " --workers" : ""}: ${summary()}`,
);
const searches = [...columns.values()].reduce((sum, times) => sum + times, 0);
const isThin = programs >= 100 && tally.asStepCode < searches / 2;
if (isThin) console.log("FAILED: too few searches ran as WebAssembly");
process.exitCode = tally.differing > 0 || isThin ? 1 : 0;

async function startThreads() {
  const { searchWorkers } = await import("../../src/session/engines/search-worker.js");
  const source = searchWorkers(2);
  return { source, crew: new Crew(source) };
}

async function compareSeed(seed: number): Promise<void> {
  const asked = stepCase(seed);
  const outcome = await compare(asked, seed);
  add(outcome);
  if (outcome.kind === "refused" || outcome.differences.length === 0) return;
  for (const difference of outcome.differences) console.log(`seed ${seed}: ${difference}`);
  keep(seed, values["no-minimise"] ? asked : await smallest(asked, seed), outcome.differences[0]!);
}

function compare(asked: StepCase, seed: number): Promise<StepOutcome> {
  return compareStep(asked, seed, threads);
}

function smallest(asked: StepCase, seed: number): Promise<StepCase> {
  const smaller = (one: StepCase): Iterable<StepCase> => smallerCases(one, smallerPrograms);
  const differs = async (one: StepCase): Promise<boolean> => {
    const outcome = await compare(one, seed);
    return outcome.kind === "compared" && outcome.differences.length > 0;
  };
  return minimise(asked, smaller, differs, 300);
}

function add(outcome: StepOutcome): void {
  tally.programs++;
  if (outcome.kind === "refused") return void tally.refused++;
  if (outcome.isComplete) tally.complete++;
  if (outcome.violations > 0) tally.violated++;
  if (outcome.differences.length > 0) tally.differing++;
  tally.asStepCode += outcome.asStepCode;
  tally.replayed += outcome.replayed;
  for (const [column, times] of outcome.columns) columns.set(column, (columns.get(column) ?? 0) + times);
}

function summary(): string {
  const compared = [...columns].map(([column, times]) => `${times} ${column}`).join(", ");
  return (
    `${tally.programs} programs (${tally.refused} refused, ${tally.complete} searched to the end, ${tally.violated} violated), ` +
    `searches compared: ${compared}; ${tally.asStepCode} of them as WebAssembly; ${tally.replayed} traces replayed; ` +
    `${tally.differing} differ, ${((performance.now() - started) / 1000).toFixed(0)} s`
  );
}

function keep(seed: number, { program, invariants }: StepCase, difference: string): void {
  mkdirSync(values.keep, { recursive: true });
  const asked = invariants.map((invariant) => ` --invariant '${invariant}'`).join("");
  const text = `// fuzz:step --seed ${seed} --programs 1${asked}: ${difference.split("\n")[0]}\n${renderProgram(program)}`;
  writeFileSync(join(values.keep, `step-${seed}.pml`), text);
  if (!values["no-minimise"]) console.log(text);
}
