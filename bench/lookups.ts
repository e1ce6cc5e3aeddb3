/**
 * How far a search is from its limit, the cache misses of its lookups: `npm run bench:lookups -- FILE… [--search dfs|bfs]`.
 *
 * Each transition reads one place of the table and, if the hash bits there agree, the words of one state: two misses at most once
 * the table outgrows the caches. In the same run, with the same size of table, the script measures independent reads at random places (the
 * misses overlap, as they do in a batch of lookups) and reads of which each depends on the one before (they do not). The search's processor
 * time, less that of a run which stops at its first state, lies above the first product and, without batches, near the second.
 */
import { parseArgs } from "node:util";
import { Everypath } from "./side-by-side/everypath.js";
import { runEverypath } from "../test/peers/everypath.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { search: { type: "string", default: "dfs" }, repeat: { type: "string", default: "3" } },
});

for (const file of positionals) await measure(file);

async function measure(file: string): Promise<void> {
  const options = ["--plain", "--search", values.search];
  const everypath = new Everypath(file, 120_000);
  const outcomes = [];
  for (let i = 0; i < Number(values.repeat); i++) outcomes.push(await everypath.measure(options));
  const seconds = outcomes.flatMap((o) => (o.kind === "searched" ? [o.figures.processorSeconds] : []));
  const run = await runEverypath(file, { options: ["--no-deadlock", "--errors", "all", ...options] });
  if (run.kind !== "searched" || seconds.length === 0) return console.log(`${file}: not searched`);
  const { transitions, tableBytes = 0 } = run.report.stats;
  const processor = seconds.sort((a, b) => a - b)[seconds.length >> 1]!;
  const { overlapping, dependent } = randomReads(Math.max(1 << 16, tableBytes));
  const [least, most] = [2 * transitions * overlapping, 2 * transitions * dependent];
  const ns = (s: number): string => `${(1e9 * s).toFixed(1)} ns`;
  console.log(
    `${file}: ${transitions.toLocaleString("en")} transitions, tables of ${(tableBytes / 2 ** 20).toFixed(1)} MiB; ` +
      `${processor.toFixed(2)} s, ${ns(processor / transitions)} a transition; random reads ${ns(overlapping)} overlapping, ` +
      `${ns(dependent)} dependent: the limit is ${least.toFixed(2)} s in batches, ${most.toFixed(2)} s one by one; ` +
      `the search takes ${(processor / least).toFixed(1)} and ${(processor / most).toFixed(1)} times that`,
  );
}

/** Processor seconds of a read at a random place of so many bytes. */
function randomReads(bytes: number): { readonly overlapping: number; readonly dependent: number } {
  const length = 2 ** Math.ceil(Math.log2(bytes / 4));
  const words = new Int32Array(length);
  // One cycle through all places (a full-period generator), so that dependent reads do not end in a short one.
  for (let i = 0; i < length; i++) words[i] = (Math.imul(i, 1664525) + 1013904223) & (length - 1);
  const reads = 1 << 23;
  return {
    overlapping: timed(reads, () => {
      let sum = 0;
      for (let i = 0; i < reads; i++) sum += words[(Math.imul(i, 0x9e3779b1) >>> 7) & (length - 1)]!;
      return sum;
    }),
    dependent: timed(reads, () => {
      let at = 0;
      for (let i = 0; i < reads; i++) at = words[at]!;
      return at;
    }),
  };
}

/** The faster of two runs, of which the first is compiled on the way. */
function timed(reads: number, work: () => number): number {
  const runs = [0, 1].map(() => {
    const before = process.cpuUsage();
    if (Number.isNaN(work())) throw new Error("a sum is a number");
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  });
  return Math.min(...runs) / reads;
}
