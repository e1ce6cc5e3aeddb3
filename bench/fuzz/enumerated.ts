/**
 * Random async programs: outcomes of the exploration against an independent enumeration, with and without reduction:
 * `npm run fuzz:enumerated -- --from SEED --count N`.
 *
 * Without reduction, the sets of outputs must be equal; with it, the sets of final states. Explores every program in
 * this process, and one in `--realms N` (1) also in realms, all schedules and with reduction by races. Programs with
 * more schedules than `--schedules N` (200) are counted and not compared. Prints where to continue; exit code 1 after a
 * difference, or if fewer than half of the programs were compared.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argument, seedsOf } from "../arguments.js";
import { endOf, hostOutcomesOf, outcomesOf, pairsIn, type Pair } from "./schedules/both-ways.js";
import { enumerated, type Enumerated } from "./schedules/enumeration.js";
import { fileOfTasks, makeTasks, textOf, type TaskProgram } from "./schedules/tasks.js";

const from = Number(argument("from") ?? 1);
const count = Number(argument("count") ?? 500);
const schedules = Number(argument("schedules") ?? 200);
/** One in this number of programs runs in realms. */
const realms = Number(argument("realms") ?? 1);
/** Programs in one file: bundling and instrumenting it is shared. */
const together = 25;
const folder = mkdtempSync(join(process.cwd(), "bench/fuzz/schedules/random-"));
const started = process.cpuUsage();
let [compared, large, inRealms, reduced, outcomes, whole, less, differences] = [0, 0, 0, 0, 0, 0, 0, 0];

try {
  const seeds = seedsOf(from, count);
  let waiting: Compared[] = [];
  for (const [index, seed] of seeds.entries()) {
    const one = await compareHere(seed);
    if (one && seed % realms === 0) waiting.push(one);
    const isLast = index === seeds.length - 1;
    const isFull = waiting.length === together || (index + 1) % 1000 === 0 || isLast;
    if (!isFull) continue;
    if (waiting.length > 0) await compareInRealms(waiting);
    waiting = [];
    console.log(`next --from ${seed + 1}: ${summary()}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const shortfalls = [
  ...(compared * 2 < count ? ["too few were compared"] : []),
  ...(inRealms >= 100 && less * 10 > whole * 9 ? ["the reduction omitted too few schedules"] : []),
];
for (const shortfall of shortfalls) console.log(`FAILED: ${shortfall}`);
process.exitCode = differences > 0 || shortfalls.length > 0 ? 1 : 0;

interface Compared {
  readonly name: string;
  readonly program: TaskProgram;
  readonly expected: Enumerated;
}

async function compareHere(seed: number): Promise<Compared | undefined> {
  const [name, program] = [`program ${seed}`, makeTasks(seed)];
  const expected = enumerated(program, 4 * schedules);
  const found = expected.isWhole
    ? await hostOutcomesOf(textOf(program), program.latenessMs, schedules)
    : undefined;
  if (!found?.isWhole) return void large++;
  compared++;
  outcomes += expected.outcomes.size;
  tell(name, program, "in this process", expected.outcomes, found.outcomes);
  return { name, program, expected };
}

async function compareInRealms(programs: readonly Compared[]): Promise<void> {
  const file = join(folder, `${programs[0]!.name.replace(" ", "-")}.ts`);
  writeFileSync(file, fileOfTasks(programs.map(({ name, program }) => [name, program] as const)));
  const pairOf = await pairsIn(file);
  rmSync(file);
  for (const one of programs) compareReduced(one, pairOf(one.name, one.program.latenessMs));
}

function compareReduced({ name, program, expected }: Compared, pair: Pair): void {
  const all = outcomesOf(pair, "all", schedules);
  tell(name, program, "in realms", expected.outcomes, all.outcomes);
  const some = outcomesOf(pair, "races", 2 * schedules);
  inRealms++;
  whole += all.schedules;
  less += some.schedules;
  if (some.schedules < all.schedules) reduced++;
  if (!some.isWhole) return difference(name, program, "the reduced search does not end");
  tell(name, program, "with reduction", endsOf(expected.outcomes), endsOf(some.outcomes));
}

function endsOf(all: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...all].map(endOf));
}

function tell(
  name: string,
  program: TaskProgram,
  how: string,
  expected: ReadonlySet<string>,
  found: ReadonlySet<string>,
): void {
  const missing = [...expected].filter((one) => !found.has(one));
  const extra = [...found].filter((one) => !expected.has(one));
  if (missing.length + extra.length === 0) return;
  difference(
    name,
    program,
    `${how}: missing ${JSON.stringify(missing)}, not enumerated ${JSON.stringify(extra)}`,
  );
}

function difference(name: string, program: TaskProgram, text: string): void {
  differences++;
  console.log(`${name}: ${text}\n${JSON.stringify(program)}\n`);
}

function summary(): string {
  const { user, system } = process.cpuUsage(started);
  return (
    `${compared} programs from ${from} compared, ${large} with more than ${schedules} schedules; ${outcomes} outcomes; ` +
    `${inRealms} also in realms: ${whole} schedules, ${less} with reduction (fewer for ${reduced}); ${differences} differences; ` +
    `${Math.round((user + system) / 1e6)} s of processor time`
  );
}
