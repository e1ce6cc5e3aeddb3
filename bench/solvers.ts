/**
 * Back ends on the same recorded queries: checks per second and memory; then 10,000 checks on one solver, which must not grow by more than
 * a tenth. `-- --checks N`. Memory is this process for the embedded Z3, and the solver's process for native ones.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ase, DEFAULT_ASE } from "../src/engines/guarded/index.js";
import { openSolver } from "../src/solvers/index.js";
import type { Backend } from "../src/solvers/backend.js";
import { EmbeddedZ3 } from "../src/solvers/embedded.js";
import { isInstalled, NATIVE, NativeBackend } from "../src/solvers/native.js";
import { programOf } from "./gcl-rows.js";
import { renderColumns } from "./statistics.js";

const { values } = parseArgs({ options: { checks: { type: "string", default: "10000" } } });
const checks = Number(values.checks);

/** Queries of an analysis that reach a solver. */
function recorded(): string[] {
  const folder = mkdtempSync(join(tmpdir(), "everypath-queries-"));
  try {
    for (const file of ["mesi-symbolic", "synapse", "ticket-symbolic"]) {
      const dumpDirectory = join(folder, file);
      const opened = openSolver({ name: "auto", timeMs: 10_000, memoryMb: 1024, dumpDirectory });
      const program = programOf({ file });
      const [property] = program.properties;
      if (!opened || !property) throw new Error(`cannot run ${file}`);
      const analysis = ase(program, property, opened.solver, DEFAULT_ASE);
      for (let step = analysis.next(); !step.done; step = analysis.next());
      opened.close();
    }
    return readdirSync(folder).flatMap((file) =>
      readdirSync(join(folder, file)).map((name) =>
        readFileSync(join(folder, file, name), "utf8").replace("(set-logic ALL)", ""),
      ),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resident megabytes of a process; the shell around a native solver has one child. */
function megabytesOf(backend: Backend): number {
  if (!(backend instanceof NativeBackend)) return process.memoryUsage.rss() / 2 ** 20;
  const child = readdirSync("/proc").find((name) => /^\d+$/.test(name) && parentOf(name) === backend.pid);
  if (child === undefined) return NaN;
  const status = readFileSync(`/proc/${child}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? NaN) / 1024;
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}

const queries = recorded();
console.log(`${queries.length} recorded queries; ${checks} checks`);
const rows = [["back end", "checks/s", "MB after 1,000", "MB at the end", "peak MB", "growth"]];
const answers = new Map<number, string>();
let problems = 0;
for (const backend of [
  new EmbeddedZ3(2048),
  ...(["z3", "cvc5"] as const).flatMap((name) =>
    isInstalled(name) ? [new NativeBackend(NATIVE[name])] : [],
  ),
] satisfies Backend[]) {
  backend.ask("(push 1)(check-sat)(pop 1)", 60_000);
  const started = performance.now();
  let [early, peak] = [NaN, 0];
  for (let number = 0; number < checks; number++) {
    const index = number % queries.length;
    const answer =
      backend
        .ask(`(push 1)${queries[index] ?? ""}(pop 1)`, 30_000)
        .trim()
        .split(/\s/)[0] ?? "";
    if (answer !== (answers.get(index) ?? answer)) {
      problems++;
      console.log(
        `query ${index}: ${backend.name} answers ${answer}, another one ${answers.get(index) ?? ""}`,
      );
    }
    answers.set(index, answer);
    if (number % 500 === 499) peak = Math.max(peak, megabytesOf(backend));
    if (number === Math.min(999, checks - 1)) early = megabytesOf(backend);
  }
  const seconds = (performance.now() - started) / 1000;
  const late = megabytesOf(backend);
  backend.close();
  const growth = late / early - 1;
  if (growth > 0.1) problems++;
  rows.push([
    backend.name,
    (checks / seconds).toFixed(0),
    early.toFixed(1),
    late.toFixed(1),
    peak.toFixed(1),
    `${(100 * growth).toFixed(1)} %${growth > 0.1 ? " MISSED" : ""}`,
  ]);
}
console.log(renderColumns(rows));
process.exitCode = problems === 0 ? 0 : 1;
