/**
 * Random NDLog programs: the engine compared with an interpreter on all networks of up to three base tuples over a small domain; every
 * violation is replayed. Derived tuples are also compared with gringo, if it is installed. `-- --count N --seed N --solver NAME`; a
 * disagreement prints the program and is exit 1.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { openSolver, type SolverName } from "../../src/solvers/index.js";
import { compareNdlog } from "../../test/engines/pools-agreement.js";
import { randomNdlog } from "../../test/generators/ndlog.js";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    solver: { type: "string", default: "auto" },
  },
});
const first = Number(values.seed);
const name = values.solver as SolverName;
const hasGringo = spawnSync("gringo", ["--version"], { stdio: "ignore" }).status === 0;
if (!hasGringo) console.log("SKIPPED: comparison with gringo, which is not installed");
const open = (): NonNullable<ReturnType<typeof openSolver>> => {
  const opened = openSolver({ name, timeMs: 5000, memoryMb: 1024 });
  if (!opened) throw new Error(`the solver '${name}' is not installed`);
  return opened;
};
let opened = open();
const totals: Record<string, number> = {};
let problems = 0;
for (let seed = first; seed < first + Number(values.count); seed++) {
  const made = randomNdlog(seed);
  const { problem, kinds } = compareNdlog(made, opened.solver, hasGringo);
  for (const kind of kinds) totals[kind] = (totals[kind] ?? 0) + 1;
  if (problem !== undefined) {
    problems++;
    console.log(`seed ${seed}: ${problem}\n${made.text}\n`);
  }
  if (seed % 20 === 19) {
    opened.close();
    opened = open();
  }
}
opened.close();
console.log(JSON.stringify(totals));
console.log(problems === 0 ? `${values.count} programs: no disagreement` : `${problems} disagreements`);
process.exitCode = problems === 0 ? 0 : 1;
