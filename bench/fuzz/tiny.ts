/**
 * Tiny random Promela programs by the hundred thousand: `npm run fuzz:tiny -- [--from SEED] [--count N] [--ltl] [--keep DIR]`.
 *
 * Each program is searched plainly, in default mode, with every reduction alone and with all of them, and once in a random
 * order with a random store; verdicts must agree and traces must replay. `--ltl` adds a temporal formula to each. Programs
 * that differ are made small and kept in `--keep`. Fails on a difference, and if too few programs were compared or reduced.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { tinyCase } from "../../test/generators/promela-tiny.js";
import { compareTiny, smallestTiny, tinyFile } from "../../test/transforms/reduction/tiny.js";
import { TinyTally } from "../../test/transforms/reduction/tiny-tally.js";

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    count: { type: "string", default: "1000" },
    ltl: { type: "boolean", default: false },
    keep: { type: "string", default: "fuzz-differences" },
    "stop-at": { type: "string", default: "20" },
    "no-minimise": { type: "boolean", default: false },
  },
});

const from = Number(values.from);
const count = Number(values.count);
const tally = new TinyTally();
for (let seed = from; seed < from + count; seed++) {
  await compareSeed(seed);
  if ((seed - from + 1) % 1000 === 0) console.log(`next --from ${seed + 1}: ${tally.line()}`);
  if (tally.differing >= Number(values["stop-at"])) break;
}
const shortfalls = tally.shortfalls();
console.log(`fuzz:tiny --from ${from} --count ${count}${values.ltl ? " --ltl" : ""}: ${tally.line()}`);
for (const [why, times] of tally.refusals()) console.log(`refused ${times} times: ${why}`);
for (const shortfall of shortfalls) console.log(`FAILED: ${shortfall}`);
process.exitCode = tally.differing > 0 || shortfalls.length > 0 ? 1 : 0;

async function compareSeed(seed: number): Promise<void> {
  const asked = tinyCase(seed, { hasFormula: values.ltl });
  const outcome = await compareTiny(asked, seed);
  tally.add(outcome);
  if (outcome.kind !== "compared" || outcome.differences.length === 0) return;
  const [first] = outcome.differences;
  for (const { mode, what } of outcome.differences) console.log(`seed ${seed}: ${mode}: ${what}`);
  const smallest = values["no-minimise"] ? asked : await smallestTiny(asked, seed, first!);
  const text = tinyFile(smallest, first!);
  mkdirSync(values.keep, { recursive: true });
  writeFileSync(join(values.keep, `seed-${seed}.pml`), text);
  if (!values["no-minimise"]) console.log(text);
}
