/**
 * Mutation testing of soundness conditions: `npm run mutate [-- --only PATH… --sample N --seed S --minutes M --fresh
 * --again --missing --part I/N]`.
 *
 * Changes every line marked `// sound: TESTS` in small ways, one at a time, in a copy of the repository, and runs its
 * tests: they must fail. `test/mutants.json` judges equivalent mutants, with the reason. Fails if a mutant survives
 * without judgement, a judgement fits no mutant, or a mark names no test or yields no mutant. Results are kept by the
 * texts of the file and its tests, so that a stopped run continues. After tests were added, `--again` runs only the
 * survivors of `summary.json`, in files with an unchanged number of mutants. `bench/mutation/summary.json` summarises
 * completed files; `--missing` skips those without survivors and with an unchanged number of mutants; `--part I/N` takes
 * every Nth file, for parallel runs.
 */
import { fork, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { copyOfRepository } from "./copy.js";
import { marksIn, type Mark } from "./mutation/marks.js";
import { mutantsOf, type Mutant } from "./mutation/mutants.js";

const root = process.env["EVERYPATH_ROOT"] ?? process.cwd();
const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "Infinity" },
    fresh: { type: "boolean", default: false },
    again: { type: "boolean", default: false },
    missing: { type: "boolean", default: false },
    part: { type: "string", default: "1/1" },
    list: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(
    "npm run mutate [-- --only PATH]… [--sample N --seed S] [--fresh: forget earlier results] [--again: survivors alone] [--missing: files that are not summed up] [--part I/N: every Nth file] [--list: run nothing]",
  );
  process.exit(0);
}

interface Judged {
  readonly file: string;
  readonly code: string;
  readonly instead: string;
  readonly reason: string;
}

/** One file's entry in `summary.json`. */
interface Summarised {
  readonly file: string;
  readonly mutants: number;
  readonly survivors: readonly Pick<Mutant, "code" | "instead">[];
}

type Outcome = "killed" | "survived" | "timeout";

interface Task extends Mutant {
  readonly mark: Mark;
}

/** A snapshot, since sources may be edited meanwhile. */
const scratch = copyOfRepository(root);
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const read = (path: string): string => readFileSync(join(scratch, path), "utf8");
const problems: string[] = [];

const isChosen = ({ file }: { readonly file: string }): boolean =>
  values.only?.some((path) => file.startsWith(path)) ?? true;
const marks = marksIn(scratch).filter(isChosen);
const judged = (JSON.parse(read("test/mutants.json")) as Judged[]).filter(isChosen);
const tasks = marks.flatMap((mark): Task[] => {
  for (const test of mark.tests)
    if (!existsSync(join(scratch, test)))
      problems.push(`${mark.file}:${mark.line}: there is no test '${test}'`);
  const mutants = mutantsOf(mark.file, read(mark.file), mark.line);
  if (mutants.length === 0)
    problems.push(`${mark.file}:${mark.line}: nothing of the marked line can be changed`);
  return mutants.map((mutant) => ({ ...mutant, mark }));
});
const isJudged = ({ mark, code, instead }: Task): boolean =>
  judged.some((one) => one.file === mark.file && one.code === code && one.instead === instead);
for (const { file, code, instead } of judged)
  if (!tasks.some((task) => task.mark.file === file && task.code === code && task.instead === instead))
    problems.push(`test/mutants.json: no mutant of ${file} is '${code}' -> '${instead}'`);
if (problems.length > 0) {
  for (const problem of problems) console.error(problem);
  process.exit(1);
}
console.log(
  `${marks.length} marks, ${tasks.length} mutants, ${tasks.filter(isJudged).length} judged equivalent`,
);
if (values.list) {
  const lines = tasks.map(({ mark, code, instead }) => `${mark.file}:${mark.line}: ${code} -> ${instead}\n`);
  // Waits for the pipe.
  await new Promise((resolve) => process.stdout.write(lines.join(""), resolve));
  process.exit(0);
}

const summaryPath = join(root, "bench/mutation/summary.json");
const readSummary = (): readonly Summarised[] => readJson(summaryPath, []);
const summary = readSummary();
/** Known survivors are open work, on which a whole run fails; a sample looks for new ones. */
const isOpen = ({ mark, code, instead }: Task): boolean =>
  summary.some(
    ({ file, survivors }) =>
      file === mark.file && survivors.some((one) => one.code === code && one.instead === instead),
  );
const mutantsIn = (file: string): number => tasks.filter(({ mark }) => mark.file === file).length;
const isSummedUp = (file: string): boolean =>
  summary.some((one) => one.file === file && one.mutants === mutantsIn(file) && one.survivors.length === 0);
const [part = 1, parts = 1] = values.part.split("/").map(Number);
const files = new Set(
  [...new Set(tasks.map(({ mark }) => mark.file))]
    .filter((file) => !values.missing || !isSummedUp(file))
    .filter((_, index) => index % parts === part - 1),
);
const chosen =
  values.sample === undefined
    ? tasks.filter(({ mark }) => files.has(mark.file))
    : sampled(
        tasks.filter((task) => !isJudged(task) && !isOpen(task)),
        Number(values.sample),
      );
/** Killed before, which `--again` accepts. */
const isPast = (task: Task): boolean =>
  values.again &&
  !isOpen(task) &&
  summary.some(({ file, mutants }) => file === task.mark.file && mutants === mutantsIn(file));
const cachePath = join(root, "node_modules/.cache/mutants.json");
const isWhole = values.sample === undefined;
const known: Record<string, Outcome> = isWhole && !values.fresh ? readJson(cachePath, {}) : {};

let runner = await startRunner();
/** Cost of a mark's tests without a mutant. */
interface Usual {
  readonly ms: number;
  readonly processorMs: number;
  /** Do they pass in the runner's process, in any order? */
  readonly isInProcess: boolean;
}
/** Undefined: they fail without a mutant. */
const usual = new Map<string, Usual | undefined>();
/** Tests leak memory. */
const MOST_RESIDENT_BYTES = 1_500_000_000;
const outcomes = new Map<Task, Outcome | "equivalent">();
try {
  for (const [index, task] of chosen.entries()) {
    if (performance.now() > Number(values.minutes) * 60_000) break;
    const { mark, code, instead } = task;
    if (isJudged(task)) outcomes.set(task, "equivalent");
    else if (isPast(task)) outcomes.set(task, "killed");
    else {
      const key = keyOf(task);
      // The key omits other inputs of tests, such as fixtures.
      const isNew = !(key in known) || (values.again && known[key] === "survived");
      const outcome = isNew ? await attempt(task) : known[key];
      if (outcome === undefined) continue;
      known[key] = outcome;
      outcomes.set(task, outcome);
      // Another run may have written meanwhile.
      if (isWhole && isNew) replace(cachePath, JSON.stringify({ ...readJson(cachePath, {}), ...known }));
      console.log(
        `${index + 1}/${chosen.length} ${outcome} ${mark.file}:${mark.line}: ${code} -> ${instead}`,
      );
    }
    if (isWhole && chosen[index + 1]?.mark.file !== mark.file) writeSummary();
  }
} finally {
  runner.kill("SIGKILL");
}

const count = (outcome: Outcome | "equivalent"): number =>
  [...outcomes.values()].filter((one) => one === outcome).length;
const survivors = [...outcomes].flatMap(([task, outcome]) => (outcome === "survived" ? [task] : []));
console.log(
  `${outcomes.size} mutants: ${count("killed") + count("timeout")} killed (${count("timeout")} by time), ` +
    `${count("equivalent")} judged equivalent, ${survivors.length} survived`,
);
for (const { mark, code, instead } of survivors)
  console.log(`SURVIVED ${mark.file}:${mark.line}: ${code} -> ${instead}`);
process.exitCode = survivors.length > 0 || [...usual.values()].includes(undefined) ? 1 : 0;

/** Atomic, as another run may be reading. */
function replace(path: string, text: string): void {
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

function readJson<T>(path: string, otherwise: T): T {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as T) : otherwise;
}

/** Completed files replace their former entries. */
function writeSummary(): void {
  const isDone = (file: string): boolean =>
    chosen.every((task) => task.mark.file !== file || outcomes.has(task));
  const done = [...new Set(chosen.map(({ mark }) => mark.file))].filter(isDone);
  const files = done.map((file) => {
    const of = [...outcomes].filter(([{ mark }]) => mark.file === file);
    const number = (...wanted: string[]): number =>
      of.filter(([, outcome]) => wanted.includes(outcome)).length;
    return {
      file,
      marks: marks.filter((mark) => mark.file === file).length,
      mutants: of.length,
      killed: number("killed", "timeout"),
      equivalent: number("equivalent"),
      survivors: of.flatMap(([{ code, instead }, outcome]) =>
        outcome === "survived" ? [{ code, instead }] : [],
      ),
    };
  });
  const marked = new Set(marksIn(scratch).map(({ file }) => file));
  const others = readSummary().filter(({ file }) => !done.includes(file) && marked.has(file));
  const all = [...others, ...files].sort((a, b) => (a.file < b.file ? -1 : 1));
  replace(summaryPath, `${JSON.stringify(all, null, 2)}\n`);
}

/** Known inputs of the outcome: the mutated file and its tests. */
function keyOf({ mark, text }: Task): string {
  const hash = createHash("sha256").update(text);
  for (const test of mark.tests) hash.update(read(test));
  return `${mark.file} ${hash.digest("hex").slice(0, 24)}`;
}

/** Undefined: its tests fail without a mutant. */
async function attempt(task: Task): Promise<Outcome | undefined> {
  const { mark, text } = task;
  const names = mark.tests.join(" ");
  const path = join(scratch, mark.file);
  const unchanged = read(mark.file);
  if (!usual.has(names)) usual.set(names, await tryUnchanged(mark.tests, path));
  const known = usual.get(names);
  if (!known) return undefined;
  const { ms, processorMs, isInProcess } = known;
  writeFileSync(path, text);
  try {
    const limits = { limitMs: 20_000 + 5 * ms, processorLimitMs: 2_000 + 3 * processorMs };
    return (await runTests(mark.tests, path, { isInProcess, ...limits })).outcome;
  } finally {
    writeFileSync(path, unchanged);
  }
}

/** In the runner's process if possible, otherwise by Vitest. */
async function tryUnchanged(tests: readonly string[], path: string): Promise<Usual | undefined> {
  for (const isInProcess of [true, false]) {
    const started = performance.now();
    const first = await runTests(tests, path, { isInProcess, limitMs: 600_000 });
    const ms = performance.now() - started;
    const isPassed =
      first.outcome === "survived" &&
      (!isInProcess ||
        (await runTests(tests, path, { isInProcess, isReversed: true, limitMs: 600_000 })).outcome ===
          "survived");
    if (isPassed) return { ms, processorMs: first.processorMs, isInProcess };
  }
  console.log(`BROKEN ${tests.join(" ")}: the tests fail already when nothing is changed`);
  return undefined;
}

interface Answer {
  readonly kind: Outcome | "broken";
  readonly message: string;
  readonly residentBytes?: number;
  readonly processorMs?: number;
}

interface Ways {
  readonly isInProcess: boolean;
  readonly isReversed?: boolean;
  readonly limitMs: number;
  /** For tests in the runner's process. */
  readonly processorLimitMs?: number;
}

async function runTests(
  tests: readonly string[],
  changed: string,
  { limitMs, ...ways }: Ways,
): Promise<{ readonly outcome: Outcome; readonly processorMs: number }> {
  let isLarge = false;
  let processorMs = 0;
  const answer = new Promise<Outcome>((resolve, reject) => {
    runner.once("message", (answered: Answer) => {
      isLarge = (answered.residentBytes ?? 0) > MOST_RESIDENT_BYTES;
      processorMs = answered.processorMs ?? 0;
      if (answered.kind === "broken") reject(new Error(answered.message));
      else resolve(answered.kind);
    });
    runner.once("exit", (_, signal) => resolve(signal === "SIGXCPU" ? "timeout" : "killed"));
  });
  runner.send({ tests, changed: [changed], ...ways });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Outcome>((resolve) => (timer = setTimeout(() => resolve("timeout"), limitMs)));
  const outcome = await Promise.race([answer, late]);
  clearTimeout(timer);
  runner.removeAllListeners("message").removeAllListeners("exit");
  if (isLarge || outcome === "timeout" || runner.exitCode !== null || runner.signalCode !== null) {
    end(runner);
    runner = await startRunner();
  }
  return { outcome, processorMs };
}

/** Ends the process with its threads and children. */
function end({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, "SIGKILL");
  } catch {
    // Already ended.
  }
}

async function startRunner(): Promise<ChildProcess> {
  const child = fork(join(scratch, "bench/mutation/runner.mjs"), [], {
    cwd: scratch,
    detached: true,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env, EVERYPATH_ROOT: scratch, CI: "true" },
  });
  await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`the runner ended with ${code}`)));
  });
  child.removeAllListeners("exit");
  return child;
}

/** Deterministic: xorshift. */
function sampled(all: readonly Task[], size: number): Task[] {
  let state = Number(values.seed) || 1;
  const rest = [...all];
  return Array.from({ length: Math.min(size, rest.length) }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return rest.splice((state >>> 0) % rest.length, 1)[0]!;
  });
}
