/**
 * Schedules of async code compared with fast-check's scheduler: thirteen buggy snippets and fifty more races, each with
 * its correct version.
 *
 * Everypath must find every bug within 10 s, by a schedule no longer than the shortest of fast-check's in 1,000 runs,
 * and exhaust every correct version with at most 5,000 schedules. Length is the number of completions before the
 * failure. Exit code 1 otherwise. `-- --speed-only`: only the time per schedule of a ten-line test. `-- --races-only`:
 * only the table of races.
 */
import { join } from "node:path";
import { collectingRejections } from "../src/code/realm/index.js";
import { ScheduleProgram } from "../src/code/schedule/index.js";
import { ScheduleSearch, type Strategy } from "../src/engines/schedules/index.js";
import { explore } from "../src/session/schedules/explore.js";
import { limitsOf } from "../src/session/schedules/options.js";
import { loadTestFile } from "../src/session/schedules/test-file.js";
import { fastCheckOn } from "./schedules/fast-check.js";
import { raceTable } from "./schedules/race-table.js";
import { snippets } from "./schedules/snippets.js";

const root = process.cwd();
const file = join(root, "bench/schedules/under-test.ts");
const rows: string[][] = [];
let problems = 0;

if (process.argv.includes("--speed-only")) {
  console.log(await speed());
  process.exit();
}

if (process.argv.includes("--races-only")) {
  process.exit((await races()) === 0 ? 0 : 1);
}

for (const snippet of snippets) {
  const ours = await oursOn(`${snippet.name}, buggy`);
  const correct = await oursOn(`${snippet.name}, correct`);
  const theirs = await fastCheckOn(snippet.buggy);
  const length = ours.failing?.report.turns;
  const isFound = length !== undefined && ours.result!.seconds < 10;
  const isShort = length !== undefined && length <= (theirs.shortest ?? Infinity);
  const { verdict, result } = correct;
  const isExhausted = verdict === "holds" && result!.isExhausted && result!.schedules <= 5000;
  if (!isFound || !isShort || !isExhausted) problems++;
  rows.push([
    snippet.name,
    `${snippet.needs}`,
    isFound ? `${length}` : "NOT FOUND",
    `${ours.result?.schedules ?? "-"}`,
    (ours.result?.seconds ?? 0).toFixed(2),
    theirs.shortest === undefined ? "not found" : `${theirs.shortest}`,
    `${theirs.failures}/1000`,
    theirs.seconds.toFixed(2),
    isExhausted ? `${result!.schedules}` : `${verdict}: ${correct.message.split("\n")[0]}`,
  ]);
}

print([
  [
    "snippet",
    "order of",
    "ours: length",
    "schedules",
    "s",
    "fast-check: shortest",
    "failing runs",
    "s",
    "correct: all schedules",
  ],
  ...rows,
]);
problems += await races();
console.log(`\n${await speed()}`);
await reduction();
await strategies();
console.log(problems === 0 ? "\nevery point holds" : `\n${problems} snippets do not hold to it`);
process.exitCode = problems === 0 ? 0 : 1;

/** Returns the number of races missed and repairs not exhausted. */
async function races(): Promise<number> {
  const { table, summary, problems: missed } = await raceTable();
  print(table);
  console.log(`\n${summary.join("\n")}`);
  return missed;
}

/** Each strategy on the buggy snippets: schedules until a failure (random: the median over seeds), and the least bound. */
async function strategies(): Promise<void> {
  const kinds: readonly Strategy[] = ["deviations", "delays", "preemptions", "depth-first", "random", "pct"];
  const table = [
    [
      "schedules to the first failure",
      ...kinds.flatMap((kind) => (isCounted(kind) ? [kind, "takes"] : [kind])),
    ],
  ];
  for (const snippet of snippets) {
    const row = [snippet.name];
    for (const strategy of kinds) {
      const isDrawn = strategy === "random" || strategy === "pct";
      const found = await firstFailures(`${snippet.name}, buggy`, strategy, isDrawn ? 9 : 1);
      if (found.some(({ at }) => at === undefined)) problems++;
      const counts = found.map(({ at }) => at ?? Infinity).sort((a, b) => a - b);
      row.push(`${counts[Math.floor(counts.length / 2)]}`);
      if (isCounted(strategy)) row.push(`${found[0]!.cost}`);
    }
    table.push(row);
  }
  console.log();
  print(table);
}

function isCounted(strategy: Strategy): boolean {
  return strategy === "delays" || strategy === "preemptions";
}

/** By seed: the number of schedules until a failure, and the smallest sufficient bound. */
async function firstFailures(
  name: string,
  strategy: Strategy,
  seeds: number,
): Promise<{ at: number | undefined; cost: number }[]> {
  const loaded = await loadTestFile({ file, framework: "code" });
  if ("diagnostics" in loaded) throw new Error("the snippets cannot be bundled");
  const found: { at: number | undefined; cost: number }[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const limits = limitsOf({
      strategy,
      seed: seed * 10_000,
      schedules: 5000,
      timeMs: 60_000,
      replayEvery: 0,
    });
    const program = new ScheduleProgram({
      base: loaded.base,
      script: loaded.script,
      names: [name],
      world: limits.world,
      allowsEval: false,
      withCosts: isCounted(strategy),
      timeoutMs: undefined,
    });
    found.push(
      collectingRejections(() => {
        const all = new ScheduleSearch({ ...limits.search, now: () => performance.now() });
        for (let next = all.next(), at = 1; next; next = all.next(), at++) {
          const run = program.run(next);
          const cost = run.made.reduce((sum, { costs, value }) => sum + (costs?.[value] ?? 0), 0);
          if (run.end === "failed") return { at, cost };
          all.record(run);
        }
        return { at: undefined, cost: 0 };
      }),
    );
  }
  return found;
}

/** Correct tests with all schedules, and with reduction by races. */
async function reduction(): Promise<void> {
  const independent = join(root, "bench/schedules/independent.ts");
  const names = [
    "five downloads into records of their own",
    "three accounts, three steps each",
    "one writer, four readers",
    "two pairs of turns that race",
  ];
  const tests = [
    ...names.map((name) => ({ file: independent, name })),
    ...snippets.map((snippet) => ({ file, name: `${snippet.name}, correct` })),
  ];
  const table = [
    ["partial-order reduction", "all schedules", "reduced", "ratio", "schedules/s", "reduced: /s"],
  ];
  for (const { file: of, name } of tests) {
    const run = (how: "none" | "races"): ReturnType<typeof explore> =>
      explore(
        { file: of, framework: "code", names: [name], body: () => {} },
        { schedules: 5000, timeMs: 60_000, reduction: how },
      );
    const [all, some] = [await run("none"), await run("races")];
    const isAlike = all.verdict === "holds" && some.verdict === "holds" && some.result!.isReduced === true;
    if (!isAlike) problems++;
    const rate = ({ schedules, seconds }: { schedules: number; seconds: number }): string =>
      (schedules / Math.max(seconds, 0.001)).toFixed(0);
    table.push([
      name,
      `${all.result?.schedules}`,
      isAlike ? `${some.result!.schedules}` : `${some.verdict}: ${some.message}`,
      (all.result!.schedules / some.result!.schedules).toFixed(1),
      rate(all.result!),
      rate(some.result!),
    ]);
  }
  console.log();
  print(table);
}

/**
 * Median CPU time per schedule of a ten-line test, since the machine may be busy. Few schedules collect garbage, so
 * only the mean includes it.
 */
async function speed(): Promise<string> {
  const example = join(root, "examples/code/stock.test.ts");
  const loaded = await loadTestFile({ file: example, framework: "vitest" });
  if ("diagnostics" in loaded) throw new Error("the example cannot be bundled");
  const { world } = limitsOf({});
  const program = new ScheduleProgram({
    base: loaded.base,
    script: loaded.script,
    names: ["with a reservation"],
    world,
    allowsEval: false,
    withCosts: false,
    timeoutMs: undefined,
  });
  const times = collectingRejections(() =>
    Array.from({ length: 600 }, () => {
      const before = process.cpuUsage();
      program.run({ plan: { prefix: [], tail: { kind: "first" } }, maxTurns: 100 });
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    }),
  ).sort((a, b) => a - b);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return `a ten-line test: median ${times[300]!.toFixed(2)} ms a schedule of processor time, mean ${mean.toFixed(2)} ms, in a fresh realm`;
}

function oursOn(name: string): ReturnType<typeof explore> {
  return explore(
    { file, framework: "code", names: [name], body: () => {} },
    { schedules: 5000, timeMs: 10_000 },
  );
}

function print(table: readonly (readonly string[])[]): void {
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  for (const row of table)
    console.log(
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  "),
    );
}
