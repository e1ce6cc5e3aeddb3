/**
 * The comparison with Spin in full: `npm run conformance -- [--quick] [--only TEXT] [--json FILE]`.
 *
 * Every example of Debian's `spin` package that Spin searches within a minute, and our fixtures: one table, and exit code
 * 1 if a row differs. `--freeze` measures the examples with Spin alone and writes the tests' list.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { whyNoFigures } from "../test/conformance/compare.js";
import { conformanceFixtures } from "../test/conformance/fixtures.js";
import {
  type ConformanceModel,
  compareWithSpin,
  quick,
  quickStates,
  runSpinOn,
  thorough,
} from "../test/conformance/models.js";
import {
  comparableExamples,
  type ExampleEntry,
  exampleListFile,
  examplesFolder,
  excludedExamples,
  frozenExamples,
  hasExamples,
} from "../test/conformance/spin-examples.js";
import { type Row, renderTable, renderTotals } from "../test/conformance/table.js";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    json: { type: "string" },
    freeze: { type: "boolean", default: false },
  },
});

if (!hasExamples()) console.warn(`no examples in ${examplesFolder}: comparing our own fixtures only`);
if (values.freeze) await freeze();
else await compareAll();

async function compareAll(): Promise<void> {
  const rows: Row[] = [];
  for (const model of selected()) {
    const row = await compareWithSpin(model, values.quick ? quick : thorough);
    console.log(renderTable([row]).split("\n")[1]);
    rows.push(row);
  }
  for (const { name, excluded } of excludedExamples().filter(({ name }) => name.includes(values.only)))
    rows.push({ model: name, verdict: "EXCLUDED", notes: [excluded], spin: undefined, ours: undefined });
  console.log(`\n${renderTable(rows)}\n\n${renderTotals(rows)}`);
  if (values.json) writeFileSync(values.json, JSON.stringify(rows, undefined, 2));
  process.exitCode = rows.some((row) => row.verdict === "DIFFERS") ? 1 : 0;
}

function selected(): ConformanceModel[] {
  const models = [...conformanceFixtures(), ...(hasExamples() ? comparableExamples() : [])];
  return models
    .filter(({ name }) => name.includes(values.only))
    .filter(({ statesSeen }) => !values.quick || (statesSeen ?? Infinity) <= quickStates);
}

/** Keeps manual decisions (kind, definitions, choices in atomic sequences); measures the rest again. */
async function freeze(): Promise<void> {
  const known = new Map(frozenExamples().map((entry) => [entry.file, entry]));
  const files = readdirSync(examplesFolder, { recursive: true })
    .map(String)
    .filter((file) => /\.(pml|h)$/.test(file));
  const entries: ExampleEntry[] = [];
  for (const file of files.sort()) {
    const entry = known.get(file);
    entries.push(entry && entry.kind !== "model" ? entry : await measure(file, entry));
    console.log(JSON.stringify(entries.at(-1)));
  }
  writeFileSync(exampleListFile, `${JSON.stringify(entries, undefined, 2)}\n`);
}

async function measure(file: string, known: ExampleEntry | undefined): Promise<ExampleEntry> {
  if (file.endsWith(".h")) return { file, kind: "fragment", why: "included by models" };
  const kept = known?.kind === "model" ? { ...known } : { file, kind: "model" as const };
  const spin = await runSpinOn({ file: join(examplesFolder, file), defines: kept.defines ?? [] }, thorough);
  const { seen: _, excluded: __, ...entry } = kept;
  if (spin.kind !== "searched") return { ...entry, excluded: whyNoFigures(spin) };
  const { report } = spin;
  if (report.incomplete !== undefined && report.incomplete !== "aborted")
    return { ...entry, excluded: `pan ran out of ${report.incomplete}` };
  return {
    ...entry,
    seen: { states: report.states, transitions: report.transitions, errors: [...report.errorKinds].sort() },
  };
}
