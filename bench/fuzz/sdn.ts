/**
 * Random networks with and without reductions: `npm run fuzz:sdn -- [--from SEED] [--count N]` (500).
 *
 * Each is explored by the machine and by a naive implementation; then with every reduction that the gate lets pass, alone
 * and together. Prints every difference with its seed and exits with 1 if there is one.
 */
import { parseArgs } from "node:util";
import { compareNetwork } from "../../test/transforms/network/compare.js";

const { values } = parseArgs({
  options: { from: { type: "string", default: "1" }, count: { type: "string", default: "500" } },
});

let compared = 0;
let violated = 0;
let differences = 0;
// Seeds of networks that are too large do not count.
for (let seed = Number(values.from); compared < Number(values.count); seed++) {
  const outcome = compareNetwork(seed);
  if (outcome.isSkipped) continue;
  compared++;
  violated += outcome.violated;
  for (const difference of outcome.differences) {
    differences++;
    console.log(`seed ${seed}: ${difference}`);
  }
  if (compared % 100 === 0) console.log(`${compared} networks compared, ${differences} differences`);
}
console.log(`${compared} networks compared, ${violated} properties violated, ${differences} differences`);
process.exitCode = differences === 0 ? 0 : 1;
