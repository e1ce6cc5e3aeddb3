/**
 * Random async programs in the world against Node: over services, timers, files, sockets and `fetch`.
 *
 * Explores each program, and runs it on Node several times with random delays. Exploration must have found every outcome
 * (log of events) that Node shows. `-- --from SEED --count N`, `--runs N` (of each program on Node: 5), `--schedules N`
 * (at most, of each program: 300), `--processes N` (for the runs on Node: 8).
 *
 * Programs with more schedules, and runs on Node during which the machine was late, are counted but not compared. Exit
 * code 1 if an outcome is missing, or if fewer than half of the programs were compared.
 */
import { argument, seedsOf } from "../arguments.js";
import { explored, loadUnderTest } from "./schedules/compare.js";
import { makeProgram } from "./schedules/program.js";
import { RealRuns, isChild, serveRuns } from "./schedules/real-runs.js";

const from = Number(argument("from") ?? 1);
const count = Number(argument("count") ?? 200);
const runs = Number(argument("runs") ?? 5);
const schedules = Number(argument("schedules") ?? 300);
const processes = Number(argument("processes") ?? 8);
const stopAt = Number(argument("stop-at") ?? Infinity);
const started = performance.now();
let [compared, large, late, missing, outcomes, seen] = [0, 0, 0, 0, 0, 0];

await (isChild ? serveRuns() : compareAll());

async function compareAll(): Promise<void> {
  const real = new RealRuns(processes);
  const underway = new Set<Promise<void>>();
  for (const seed of seedsOf(from, count)) {
    const one = compare(seed, real).finally(() => underway.delete(one));
    underway.add(one);
    // Exploring blocks this process, so the others get their next tasks first.
    await new Promise<void>((resolve) => void setImmediate(resolve));
    if (underway.size >= 2 * processes) await Promise.race(underway);
    if ((seed - from + 1) % 100 === 0) console.log(`next --from ${seed + 1}: ${summary()}`);
    if (missing >= stopAt) break;
  }
  await Promise.all(underway);
  real.close();
  console.log(summary());
  const cases = compared + large + late;
  const shortfalls = [
    ...(compared * 2 < cases ? ["too few were compared"] : []),
    ...(cases >= 100 && seen * 10 < compared * 11 ? ["Node showed too few outcomes beside the first"] : []),
  ];
  for (const shortfall of shortfalls) console.log(`FAILED: ${shortfall}`);
  process.exitCode = missing > 0 || shortfalls.length > 0 ? 1 : 0;
}

async function compare(seed: number, real: RealRuns): Promise<void> {
  const program = makeProgram(seed);
  const { outcomes: ours, isWhole, failure } = explored(await loadUnderTest(program), program, schedules);
  if (failure !== undefined) return difference(seed, program, `the exploration fails: ${failure}`);
  if (!isWhole) return void large++;
  const theirs = await real.outcomes(program, runs);
  if (theirs.size === 0) return void late++;
  compared++;
  outcomes += ours.size;
  seen += theirs.size;
  for (const [outcome, times] of theirs)
    if (!ours.has(outcome)) difference(seed, program, `Node shows, ${times} times of ${runs}:\n${outcome}`);
}

function summary(): string {
  const seconds = Math.round((performance.now() - started) / 1000);
  return (
    `${compared} programs from ${from} compared, ${large} with more than ${schedules} schedules, ${late} late; ` +
    `${seen} outcomes of Node among ${outcomes}; ${missing} missing; ${seconds} s`
  );
}

function difference(seed: number, program: unknown, text: string): void {
  missing++;
  console.log(`seed ${seed}: ${JSON.stringify(program)}\n${text}\n`);
}
