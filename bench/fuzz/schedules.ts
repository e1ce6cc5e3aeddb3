/**
 * Random async programs in the world against Node: over services, timers, files, sockets and `fetch`.
 *
 * Each program is explored, and run on Node several times, with random delays. Every outcome (the log of what happened) that Node
 * shows must be among those that the exploration found. `-- --from SEED --count N`, `--runs N` (of each program on Node: 5),
 * `--schedules N` (at most, of each program: 600).
 *
 * Not compared, and counted: programs with more schedules, and runs on Node in which the machine was late. Exit code 1 if an
 * outcome is missing, or if fewer than half of the programs were compared.
 */
import { argument } from "../arguments.js";
import { explored, loadUnderTest, realOutcomes } from "./schedules/compare.js";
import { makeProgram } from "./schedules/program.js";
import { RealWorld } from "./schedules/real.js";

const from = Number(argument("from") ?? 1);
const count = Number(argument("count") ?? 200);
const runs = Number(argument("runs") ?? 5);
const schedules = Number(argument("schedules") ?? 600);
const atOnce = 16;

const file = await loadUnderTest();
const real = new RealWorld();
await real.listen();
let [compared, large, late, missing, outcomes, seen] = [0, 0, 0, 0, 0, 0];

for (let first = from; first < from + count; first += atOnce) {
  const seeds = Array.from({ length: Math.min(atOnce, from + count - first) }, (_, i) => first + i);
  const all = seeds.map((seed) => ({ seed, program: makeProgram(seed) }));
  const found = all.map(({ program }) => explored(file, program, schedules));
  // One after the other: timers of several programs in one process would fire together.
  const shown: ReadonlyMap<string, number>[] = [];
  for (const [i, { program }] of all.entries())
    shown.push(found[i]!.isWhole ? await realOutcomes(real, program, runs) : new Map());
  all.forEach(({ seed, program }, i) => {
    const { outcomes: ours, isWhole, failure } = found[i]!;
    const theirs = shown[i]!;
    if (failure !== undefined) return difference(seed, program, `the exploration fails: ${failure}`);
    if (!isWhole) return void large++;
    if (theirs.size === 0) return void late++;
    compared++;
    outcomes += ours.size;
    seen += theirs.size;
    for (const [outcome, times] of theirs)
      if (!ours.has(outcome)) difference(seed, program, `Node shows, ${times} times of ${runs}:\n${outcome}`);
  });
}
real.close();

const figures = `${count} programs from ${from}: ${compared} compared, ${large} with more than ${schedules} schedules, ${late} late; ${seen} outcomes of Node among ${outcomes}; ${missing} missing`;
console.log(figures);
if (compared * 2 < count) console.log("too few were compared");
process.exitCode = missing > 0 || compared * 2 < count ? 1 : 0;

function difference(seed: number, program: unknown, text: string): void {
  missing++;
  console.log(`seed ${seed}: ${JSON.stringify(program)}\n${text}\n`);
}
