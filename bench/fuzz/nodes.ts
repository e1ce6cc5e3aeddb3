/**
 * Random systems of nodes in every mode, against an oracle for their tiny language: `npm run fuzz:nodes -- [--from SEED]
 * [--count N]`.
 *
 * Prints every difference with its seed. Exits with 1 if there is one, or if too few systems were compared, violated or
 * reduced.
 */
import "./throughput.js";
import { isMainThread } from "node:worker_threads";
import { argument, seedsOf } from "../arguments.js";
import "../../src/session/engines/search-worker.js";
import { Comparing, type Comparison } from "./nodes/compare.js";

const from = Number(argument("from") ?? 1);
const count = Number(argument("count") ?? 300);
const stopAt = Number(argument("stop-at") ?? Infinity);
const started = performance.now();
let [compared, violated, large, ordered, alike, threaded, replayed, differences, states] = [
  0, 0, 0, 0, 0, 0, 0, 0, 0,
];
// The threads of a search load the same file.
if (isMainThread) await compareAll();

async function compareAll(): Promise<void> {
  const comparing = await Comparing.begin();
  for (const seed of seedsOf(from, count)) {
    add(await comparing.compare(seed), seed);
    if ((seed - from + 1) % 100 === 0) console.log(`next --from ${seed + 1}: ${summary()}`);
    if (differences >= stopAt) break;
  }
  console.log(summary());
  const shortfalls = [
    ...(compared * 2 < compared + large ? ["too few were compared"] : []),
    ...(violated * 5 < compared ? ["too few were violated"] : []),
    ...(ordered * 20 < compared ? ["too few were made smaller by partial order"] : []),
    ...(alike * 20 < compared ? ["too few were made smaller by like nodes"] : []),
  ];
  for (const shortfall of shortfalls) console.log(`FAILED: ${shortfall}`);
  process.exitCode = differences > 0 || shortfalls.length > 0 ? 1 : 0;
}

function add(result: Comparison, seed: number): void {
  const { found } = result;
  for (const difference of result.differences) console.log(`seed ${seed}: ${difference}`);
  if (result.differences.length > 0) console.log(JSON.stringify(result.case));
  differences += result.differences.length > 0 ? 1 : 0;
  if (!found) return void large++;
  compared++;
  states += found.states;
  if ([...found.violated.values()].some((steps) => steps !== undefined)) violated++;
  if ((result.states.por ?? Infinity) < found.states) ordered++;
  if ((result.states.symmetry ?? Infinity) < found.states) alike++;
  if (result.withWorkers) threaded++;
  replayed += result.replayed;
}

function summary(): string {
  const seconds = Math.round((performance.now() - started) / 1000);
  return (
    `${compared} systems compared (${states} states; ${violated} violated; smaller: ${ordered} by por, ${alike} by symmetry; ` +
    `${threaded} with two workers; ${replayed} traces replayed), ${large} too large; ${differences} differ; ${seconds} s`
  );
}
