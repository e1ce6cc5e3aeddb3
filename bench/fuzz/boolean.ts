/**
 * Random Boolean programs: all fix-points, orders and reductions, compared with an obvious enumeration of states and with the explicit
 * engine; every run is executed, every proof certified. `-- --count N --seed N --solver NAME`; a disagreement prints the program, and the
 * exit code is 1. Counts the programs that a limit on explicit states excludes from a comparison. If `depqbf` is installed, it also answers questions of coverage: `-- --depqbf N` pairs of states.
 */
import { parseArgs } from "node:util";
import { checkInput, registry } from "../../src/session/index.js";
import { openCheckers, type SolverName } from "../../src/solvers/index.js";
import { compareAll } from "../../test/engines/boolean-agreement.js";
import { compareWithDepqbf, hasDepqbf } from "../../test/engines/boolean-depqbf.js";
import { randomBooleans } from "../../test/generators/booleans.js";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    solver: { type: "string", default: "auto" },
    sessions: { type: "string", default: "10" },
    depqbf: { type: "string", default: "100" },
  },
});
const first = Number(values.seed);
const count = Number(values.count);
const checkers = openCheckers(values.solver as SolverName);
const verdicts: Record<string, number> = {};
const limits: Record<string, number> = {};
let problems = 0;
for (let seed = first; seed < first + count; seed++) {
  const text = randomBooleans(seed);
  // One program in `--sessions` also goes through the command's path: both engines, replayed traces.
  const { problem, limits: reached } = compareAll(text, checkers);
  for (const limit of reached) limits[limit] = (limits[limit] ?? 0) + 1;
  const found = problem ?? (seed % Number(values.sessions) === 0 ? await sessions(text) : undefined);
  if (found === undefined) continue;
  problems++;
  console.log(`seed ${seed}: ${found}\n${text}`);
}
if (hasDepqbf()) {
  const wrong = compareWithDepqbf(first, Number(values.depqbf));
  problems += wrong.length;
  for (const each of wrong) console.log(each);
  console.log(`${values.depqbf} questions of coverage also answered by depqbf`);
} else console.log("depqbf is not installed: its comparison is skipped");
for (const checker of checkers) checker.close();
console.log(JSON.stringify(verdicts));
for (const [limit, programs] of Object.entries(limits)) console.log(`${programs} programs with ${limit}`);
console.log(problems === 0 ? `${count} programs: no disagreement` : `${problems} disagreements`);
process.exitCode = problems === 0 ? 0 : 1;

/** The engines of the registry agree, and violations replay: a check reports no trace that does not. */
async function sessions(text: string): Promise<string | undefined> {
  const input = { file: "fuzz.bp", text };
  const answers = [];
  for (const options of [
    { engine: "parametric" },
    { engine: "parametric", isPlain: true },
    { engine: "explicit", isPlain: true, maxErrors: 1000 },
    { engine: "explicit", reductions: ["por", "dead", "merge", "slice"] as const, maxErrors: 1000 },
  ]) {
    const { report } = await checkInput(input, { ...options, isolation: "none" }, registry);
    const wrong = report.diagnostics.find(({ severity }) => severity === "error");
    if (wrong) return `${options.engine}: ${wrong.message}`;
    answers.push(report.properties.map(({ property, verdict }) => `${property.name} ${verdict}`).join(", "));
  }
  const [one = "", ...others] = answers;
  verdicts[one] = (verdicts[one] ?? 0) + 1;
  return others.every((other) => other === one) ? undefined : `engines disagree: ${answers.join(" | ")}`;
}
