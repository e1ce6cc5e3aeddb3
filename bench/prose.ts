/**
 * Counts habits of prose: `npm run prose [-- --list | --pick N --seed S | --check] [PATH…]`.
 *
 * Counts each habit of `prose/habits.ts` per 1,000 words of comments, pages and messages, by area and by folder, and
 * names the worst files. `--list` prints each hit, `--pick N` picks N pages and 3 N sources for a reader, and `--check`
 * fails if the total exceeds 1.0.
 */
import { parseArgs } from "node:util";
import { areas, hitsOf, readProse, type FileProse } from "./prose/files.js";
import { habits } from "./prose/habits.js";

const limit = 1.0;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "boolean", default: false },
    pick: { type: "string" },
    seed: { type: "string", default: "1" },
    check: { type: "boolean", default: false },
    foreign: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help)
  console.log(
    "npm run prose [-- --list [PATH…]: each hit] [--pick N --seed S: pages and files for a reader] [--check: exit code 1 above 1.0 per 1,000 words] [--foreign PATH…: other people's files] [PATH…: these alone]",
  );
else main();

function main(): void {
  const root = process.env["EVERYPATH_ROOT"] ?? process.cwd();
  const prose = readProse(root, positionals, values.foreign);
  if (values.list) return list(prose);
  if (values.pick !== undefined) return pick(prose, Number(values.pick), Number(values.seed));
  table("area", prose, (one) => one.area);
  table("folder", prose, (one) =>
    one.file
      .split("/")
      .slice(0, one.file.split("/").length > 2 ? 2 : 1)
      .join("/"),
  );
  worst(prose, 30);
  const rate = rateOf(prose);
  console.log(`\ntotal: ${rate.toFixed(2)} per 1,000 words (limit ${limit.toFixed(1)})`);
  if (values.check && rate > limit) process.exitCode = 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
function wordsOf(prose: readonly FileProse[]): number {
  return sum(prose.map((one) => one.words));
}
function rateOf(prose: readonly FileProse[]): number {
  return (1000 * sum(prose.map((one) => one.hits.length))) / Math.max(1, wordsOf(prose));
}

function table(title: string, prose: readonly FileProse[], key: (one: FileProse) => string): void {
  const groups = grouped(prose, key);
  console.log(
    `\n${title.padEnd(26)}${"words".padStart(8)}${habits.map((habit) => habit.padStart(16)).join("")}${"total".padStart(9)}`,
  );
  const print = (name: string, group: readonly FileProse[]): void => {
    const rates = habits.map(
      (habit) =>
        (1000 * sum(group.map((one) => one.hits.filter((hit) => hit.habit === habit).length))) /
        Math.max(1, wordsOf(group)),
    );
    console.log(
      `${name.padEnd(26)}${String(wordsOf(group)).padStart(8)}${rates.map((rate) => rate.toFixed(2).padStart(16)).join("")}${rateOf(group).toFixed(2).padStart(9)}`,
    );
  };
  const order = title === "area" ? areas.filter((area) => groups.has(area)) : [...groups.keys()].sort();
  for (const name of order) print(name, groups.get(name) ?? []);
  print("all", prose);
}

function worst(prose: readonly FileProse[], count: number): void {
  console.log(`\nworst ${count} files by hits`);
  const byFile = [...grouped(prose, (one) => one.file)].map(([file, parts]) => ({
    file,
    hits: sum(parts.map((one) => one.hits.length)),
    rate: rateOf(parts),
  }));
  byFile.sort((a, b) => b.hits - a.hits || a.file.localeCompare(b.file));
  for (const { file, hits, rate } of byFile.slice(0, count))
    console.log(`${String(hits).padStart(6)}${rate.toFixed(1).padStart(8)}  ${file}`);
}

function list(prose: readonly FileProse[]): void {
  for (const one of prose) for (const hit of hitsOf(one)) console.log(hit);
}

/** Picks by a linear congruential generator, so that a seed picks the same files on every machine. */
function pick(prose: readonly FileProse[], count: number, seed: number): void {
  let state = seed >>> 0;
  const next = (below: number): number => (
    (state = (Math.imul(state, 1664525) + 1013904223) >>> 0),
    Math.floor((state / 2 ** 32) * below)
  );
  const take = (files: string[], n: number): string[] =>
    Array.from({ length: Math.min(n, files.length) }, () => files.splice(next(files.length), 1)[0] ?? "");
  const files = (isPage: boolean): string[] => [
    ...new Set(
      prose.filter((one) => (one.area === "docs") === isPage && one.words >= 50).map((one) => one.file),
    ),
  ];
  for (const file of [...take(files(true), count), ...take(files(false), 3 * count)]) console.log(file);
}

function grouped<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}
