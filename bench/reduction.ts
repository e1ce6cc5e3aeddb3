/**
 * Partial-order reduction beside Spin's: `npm run bench:reduction -- [--all] [--model NAME]`.
 *
 * For every cell: Spin's figure, ours with Spin's marking and merging, and ours with our reductions. Then the acceptance
 * checks. Exits with 1 if a figure that should be equal is not. `--all` adds runs of minutes; `--model none` prints the
 * checks alone.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { ExplicitResult, Proviso } from "../src/engines/explicit/index.js";
import {
  asSpin,
  figuresAsSpin,
  errorsOf,
  load,
  reduced,
  search,
  spinProgram,
  type Loaded,
} from "../test/transforms/reduction/reducing.js";
import { obviousReduced } from "../test/transforms/reduction/obvious.js";
import { inRepository } from "../test/repository.js";
import { spinBreadthFirst } from "./spin-breadth-first.js";
import { columns, table, type Cell, type Column, type Row } from "./reduction-table.js";

const { values } = parseArgs({
  options: { all: { type: "boolean", default: false }, model: { type: "string" } },
});

let differences = 0;
for (const row of table)
  if ((values.all || !row.isLong) && (values.model ?? row.model) === row.model) await printRow(row);
if (values.model === undefined || values.model === "none") await printChecks();
console.log(differences === 0 ? "\nall figures as expected" : `\n${differences} figures differ`);
process.exitCode = differences > 0 ? 1 : 0;

async function printRow(row: Row): Promise<void> {
  const loaded = loadModel(row.model, row.defines);
  const parameters = Object.entries(row.defines ?? {}).map(([name, value]) => ` ${name}=${value}`);
  console.log(`\n${row.model}${parameters.join("")}${row.isPidGlobal ? ", pid global" : ""}, ${row.mode}`);
  for (const column of columns) {
    const expected = row.cells[column];
    if (!expected) continue;
    const [order, proviso] = searchOf(column);
    const obtained = await figuresAsSpin(asSpin(loaded, row.mode, order, row.isPidGlobal), order, proviso);
    const ours = row.mode === "opt" && proviso !== "visited" ? await ownStates(loaded, order, proviso) : "";
    if (expected.isStoredInside && values.all) {
      const program = spinProgram(loaded, row.mode, row.isPidGlobal);
      const spin = spinBreadthFirst(program, asSpin(loaded, row.mode, order), proviso as "queue" | "visited");
      report(`${column} as Spin stores it`, expected.states, spin.nominal);
    }
    printCell(column, expected, obtained, ours);
  }
}

function printCell(
  column: Column,
  expected: Cell,
  obtained: { states: number; transitions: number },
  ours: string,
): void {
  const isEqual =
    expected.states === obtained.states &&
    (expected.transitions === undefined || expected.transitions === obtained.transitions);
  if (!isEqual && !expected.isSpinOnly) differences++;
  const mark = isEqual ? "=" : expected.isSpinOnly ? "~" : "DIFFERS";
  const shown = ({ states, transitions }: Cell): string =>
    `${states}${transitions === undefined ? "" : ` / ${transitions}`}`;
  console.log(
    `  ${column.padEnd(12)} expected ${shown(expected).padEnd(20)} obtained ${shown(obtained).padEnd(20)} ${mark.padEnd(8)}${ours}`,
  );
}

/** States with our marking, merging, dead variables and slicing. */
async function ownStates(
  loaded: Loaded,
  order: "bfs" | "dfs",
  proviso: Proviso | undefined,
): Promise<string> {
  const { model } = reduced(loaded, proviso ? undefined : ["slice", "dead", "merge"]);
  const { stats } = await search(model, order, proviso);
  return `ours ${stats.states} / ${stats.transitions + 1}`;
}

function searchOf(column: Column): ["bfs" | "dfs", Proviso | "visited" | undefined] {
  const [order, proviso] = column.split(" ") as ["bfs" | "dfs", Proviso | "visited" | undefined];
  return [order, proviso];
}

function loadModel(name: string, defines: Readonly<Record<string, string>> = {}): Loaded {
  return load(readFileSync(inRepository(`bench/models/reduction/${name}.pml`), "utf8"), defines);
}

async function printChecks(): Promise<void> {
  console.log("\nChecks");
  await ignoring();
  await errorDepths();
  await secondReceiver();
  await visibleVariable();
}

function report(what: string, expected: unknown, obtained: unknown): void {
  const isEqual = JSON.stringify(expected) === JSON.stringify(obtained);
  if (!isEqual) differences++;
  console.log(
    `  ${what}: expected ${JSON.stringify(expected)}, obtained ${JSON.stringify(obtained)} ${isEqual ? "=" : "DIFFERS"}`,
  );
}

/** A spinning process must not hide another's error. */
async function ignoring(): Promise<void> {
  const spinning = "active proctype Spinner() { byte k; do :: k = 1 - k od }";
  const bad = "active proctype Bad() { x = 1; assert(false) }";
  const first = load(`byte x; bit b;\n${spinning}\n${bad}`);
  for (const [order, proviso, transitions] of [
    ["dfs", "stack", 9],
    ["bfs", "queue", 10],
  ] as const) {
    const result = await search(asSpin(first, "plain", order), order, proviso);
    const { states, transitions: counted } = result.stats;
    report(`ignoring, ${proviso}`, ["found", 6, transitions], [verdictOf(result), states, counted + 1]);
  }
  report(
    "ignoring, visited",
    "found",
    obviousReduced(asSpin(first, "plain", "bfs").system, "bfs", "visited").errors.size > 0
      ? "found"
      : "missed",
  );
  // The spinner is preferred when it is the younger process.
  const preferred = asSpin(load(`byte x; bit b;\n${bad}\n${spinning}`), "plain", "bfs");
  report("ignoring, none", "missed", verdictOf(await search(preferred, "bfs", "none")));
}

function verdictOf(result: ExplicitResult): string {
  return errorsOf(result).length > 0 ? "found" : "missed";
}

/** Depth of the first error of mutual exclusion without the turn. */
async function errorDepths(): Promise<void> {
  const text = readFileSync(inRepository("bench/models/reduction/petersonN.pml"), "utf8");
  const loaded = load(text.replace(/^\s*turn\[k\] = _pid;\n/m, ""), { N: "3" });
  for (const [what, order, proviso, depth] of [
    ["depth-first reduced", "dfs", "stack", 338],
    ["depth-first full", "dfs", undefined, 1362],
    ["breadth-first reduced", "bfs", "queue", 72],
    ["breadth-first full", "bfs", undefined, 70],
  ] as const) {
    const { findings } = await search(asSpin(loaded, "plain", order), order, proviso, { errors: 1 });
    const [violated] = findings.flatMap(({ verdict }) => (verdict.kind === "violated" ? [verdict] : []));
    // Spin counts the steps before the failing one.
    report(`error depth, ${what}`, depth, violated && violated.trace!.choices.length - 1);
  }
}

async function secondReceiver(): Promise<void> {
  const receiver = (name: string, claim: string): string =>
    `active proctype ${name}() { byte v; ${claim} q?v }`;
  const text = `chan q = [2] of { byte };\n${receiver("A", "xr q;")}\n${receiver("B", "")}\nactive proctype S() { q!1; q!2 }`;
  const loaded = load(text);
  const faults = errorsOf(await search(reduced(loaded).model, "bfs", "queue")).map(
    (site) => loaded.program.sites[Number(site)]?.fault,
  );
  report("a second receiver of an xr channel", ["exclusive-access"], faults);
}

/** Writes to a property's variables are never omitted. */
async function visibleVariable(): Promise<void> {
  const text = `byte x, y;
active proctype A() { x = 1; x = 0 }
active proctype B() { y = 1; y = 2 }`;
  const loaded = load(text, {}, ["!(x == 1 && y == 1)"]);
  report(
    "an invariant over globals",
    1,
    errorsOf(await search(reduced(loaded).model, "bfs", "queue")).length,
  );
}
