/**
 * Random Promela models with interchangeable processes: `npm run fuzz:symmetry -- [--from SEED] [--count N] [--show
 * SEED]`.
 *
 * Searches each plainly and by representatives, with every error, and compares: verdicts and reasons, replays of traces,
 * the number of representatives against orbits by brute force, and the symmetry's conditions in every state. One in four
 * has a statement that may distinguish processes. Fails on a difference, and if too few models were reduced, refused or
 * violated.
 */
import "./throughput.js";
import { parseArgs } from "node:util";
import { symmetricCase } from "../../test/generators/promela-symmetric.js";
import { compareOrbits } from "../../test/transforms/symmetry/process-orbits.js";

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    count: { type: "string", default: "500" },
    show: { type: "string" },
  },
});
const tally = {
  models: 0,
  invalid: 0,
  large: 0,
  reduced: 0,
  smaller: 0,
  refused: 0,
  violated: 0,
  differing: 0,
};
const reasons = new Map<string, number>();
const [first, count] =
  values.show === undefined ? [Number(values.from), Number(values.count)] : [Number(values.show), 1];
for (let seed = first; seed < first + count; seed++) await compareSeed(seed);
console.log(`fuzz:symmetry --from ${first} --count ${count}: ${JSON.stringify(tally)}`);
for (const [why, times] of [...reasons].sort((a, b) => b[1] - a[1]).slice(0, 25))
  console.log(`${times} ${why}`);
const compared = tally.models - tally.invalid - tally.large;
const isThin =
  count >= 100 &&
  (tally.reduced < 0.4 * compared || tally.refused < 0.05 * compared || tally.violated < 0.1 * compared);
if (isThin) console.log("FAILED: too few models were reduced, refused or violated");
process.exitCode = tally.differing > 0 || isThin ? 1 : 0;

async function compareSeed(seed: number): Promise<void> {
  const asked = symmetricCase(seed);
  if (values.show !== undefined) console.log(asked.text, asked.invariants, asked.breaker);
  const outcome = await compareOrbits(asked);
  tally.models++;
  if (outcome.kind === "invalid") {
    tally.invalid++;
    note(`invalid: ${outcome.why}`);
  } else if (outcome.kind === "too large") tally.large++;
  else {
    if (outcome.isReduced) tally.reduced++;
    else tally.refused++;
    if (outcome.isSmaller) tally.smaller++;
    if (outcome.isViolated) tally.violated++;
    for (const why of outcome.refused) note(why.replace(/`[^`]*`/g, "…").replace(/\d+/g, "N"));
    if (outcome.difference === undefined) return;
    tally.differing++;
    console.log(`seed ${seed}: ${outcome.difference}\n${asked.text}${asked.invariants.join("\n")}`);
  }
}

function note(why: string): void {
  reasons.set(why, (reasons.get(why) ?? 0) + 1);
}
