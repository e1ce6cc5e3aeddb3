/**
 * Random message-passing programs: `npm run fuzz:provenance -- [--count N] [--seed SEED]`.
 *
 * Checks each with and without every reduction, searches it by brute force within limits, replays its trace and certifies
 * its proof; all must agree. Prints the smallest program that shows a difference, and exits with 1.
 */
import { parseArgs } from "node:util";
import fc from "fast-check";
import { anyProgram } from "../../test/generators/mpp.js";
import { compareWays } from "../../test/provenance/agreement.js";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000" },
    seed: { type: "string", default: `${Date.now() % 1e9}` },
  },
});

const verdicts = new Map<string, number>();
const result = await fc.check(
  fc.asyncProperty(anyProgram, async (text) => {
    const { problem, verdict } = await compareWays(text, 2000);
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    if (problem !== undefined) throw new Error(problem);
  }),
  { numRuns: Number(values.count), seed: Number(values.seed) },
);
const counts = [...verdicts].map(([verdict, count]) => `${count} ${verdict}`).join(", ");
console.log(`seed ${values.seed}: ${result.numRuns} programs: ${counts}`);
const rare = ["holds", "violated"].filter(
  (verdict) => result.numRuns >= 100 && (verdicts.get(verdict) ?? 0) * 20 < result.numRuns,
);
for (const verdict of rare) {
  console.log(`FAILED: too few programs are ${verdict === "holds" ? "certified" : verdict}`);
  process.exitCode = 1;
}
if (result.failed) {
  console.log(`${String(result.errorInstance)}\n${result.counterexample?.[0] ?? ""}`);
  process.exitCode = 1;
}
