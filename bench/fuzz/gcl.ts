/**
 * Random guarded commands: all modes, checks, engines and back ends, compared with an explicit search of a window of values; every
 * run is replayed, every invariant certified. `-- --count N --seed N --solver NAME`; a disagreement prints the program and is exit 1.
 */
import { parseArgs } from "node:util";
import { compareAll, waysOf } from "../../test/engines/guarded-agreement.js";
import { randomGuarded } from "../../test/generators/guarded.js";
import { openCheckers, openSolver, type SolverName } from "../../src/solvers/index.js";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    solver: { type: "string", default: "auto" },
    horn: { type: "string", default: "10" },
  },
});
const first = Number(values.seed);
const solverName = values.solver as SolverName;
const checkers = openCheckers(solverName === "all" ? "all" : "auto");
let opened = openSolver({ name: solverName, timeMs: 5000, memoryMb: 1024 });
if (!opened) throw new Error(`the solver '${solverName}' is not installed`);
const totals: Record<string, Record<string, number>> = {};
let problems = 0;
for (let seed = first; seed < first + Number(values.count); seed++) {
  const current = opened;
  // Horn clauses take longest: every so many programs.
  const usesHorn = seed % Number(values.horn) === 0;
  const ways = waysOf(() => current.solver, usesHorn ? current.horn : undefined);
  const { problem, kinds } = compareAll(randomGuarded(seed), ways, checkers);
  for (const [way, kind] of Object.entries(kinds)) {
    const row = (totals[way] ??= {});
    row[kind] = (row[kind] ?? 0) + 1;
  }
  if (problem !== undefined) {
    problems++;
    console.log(`seed ${seed}: ${problem}\n${JSON.stringify(kinds)}\n${randomGuarded(seed)}\n`);
  }
  if (seed % 50 === 49) {
    opened.close();
    opened = openSolver({ name: solverName, timeMs: 5000, memoryMb: 1024 }) ?? opened;
  }
}
opened.close();
for (const checker of checkers) checker.close();
for (const [way, row] of Object.entries(totals)) console.log(way.padEnd(26), JSON.stringify(row));
console.log(problems === 0 ? `${values.count} programs: no disagreement` : `${problems} disagreements`);
process.exitCode = problems === 0 ? 0 : 1;
