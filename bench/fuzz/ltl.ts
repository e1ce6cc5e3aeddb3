/**
 * Random programs with random temporal properties, compared with Spin: `npm run fuzz:ltl -- [--from SEED] [--count N]
 * [--time SECONDS]`.
 *
 * Spin has `--time` for each pair (default 15 s). If Spin cannot take part, compares our emptiness checks with one
 * another, which also happens on a formula with X for each program. Prints every difference with the smallest program
 * that shows it, and exits with 1 if there is one. `--seed N` shows one case.
 */
import { parseArgs } from "node:util";
import { seedsOf } from "../arguments.js";
import {
  compareCase,
  contradictions,
  nextCase,
  renderCase,
  smallestDifference,
  temporalCase,
  type TemporalComparison,
} from "../../test/generators/fuzz-ltl.js";

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    count: { type: "string", default: "1000" },
    seed: { type: "string" },
    seeds: { type: "string" },
    "stop-at": { type: "string", default: "Infinity" },
    time: { type: "string", default: "15" },
    "no-minimise": { type: "boolean", default: false },
  },
});
const seeds =
  values.seed === undefined
    ? seedsOf(Number(values.from), Number(values.count), values.seeds)
    : [Number(values.seed)];

const seen: TemporalComparison[] = [];
let contradicted = 0;
for (const seed of seeds) {
  const asked = temporalCase(seed);
  if (values.seed !== undefined) console.log(renderCase(asked));
  const comparison = await compareCase(asked, 1000 * Number(values.time));
  seen.push(comparison);
  if (comparison.verdict === "DIFFERS") {
    console.log(`\nseed ${seed} DIFFERS: ${comparison.notes.join("; ")}`);
    if (!values["no-minimise"]) console.log(`smallest:\n${renderCase(await smallestDifference(asked))}`);
  }
  const withNext = nextCase(seed);
  for (const contradiction of await contradictions(withNext)) {
    contradicted++;
    console.log(`\nseed ${seed} with X: ${contradiction}\n${renderCase(withNext)}`);
  }
  if (seen.length % 100 === 0) console.log(summary());
  const differing = seen.filter((one) => one.verdict === "DIFFERS").length;
  if (differing + contradicted >= Number(values["stop-at"])) break;
}
console.log(summary());
const agreed = seen.filter((one) => one.verdict === "agree").length;
const isThin = seen.length >= 100 && agreed * 2 < seen.length;
if (isThin) console.log("FAILED: Spin took part in too few");
process.exitCode = contradicted > 0 || isThin || seen.some((one) => one.verdict === "DIFFERS") ? 1 : 0;

function summary(): string {
  const count = (verdict: TemporalComparison["verdict"]): number =>
    seen.filter((one) => one.verdict === verdict).length;
  const answers = new Map<string, number>();
  for (const answer of seen.flatMap((one) => one.ours)) answers.set(answer, (answers.get(answer) ?? 0) + 1);
  const noted = new Map<string, number>();
  for (const note of seen.flatMap((one) => (one.verdict === "DIFFERS" ? [] : one.notes)))
    noted.set(note.replace(/:.*/, ""), (noted.get(note.replace(/:.*/, "")) ?? 0) + 1);
  return [
    `${seen.length} pairs: ${count("agree")} agree, ${count("EXCLUDED")} excluded, ${count("DIFFERS")} differ`,
    `  formulas with X, by our own checks: ${seen.length}, ${contradicted} contradictions`,
    `  verdicts compared: ${[...answers].map(([answer, times]) => `${times} ${answer}`).join(", ")}`,
    ...[...noted].map(([note, times]) => `  left out: ${times} x ${note}`),
  ].join("\n");
}
