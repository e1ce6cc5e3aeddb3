/**
 * Random systems of nodes searched with and without partial-order reduction: `npm run fuzz:nodes -- [--from SEED] [--count N]`.
 *
 * Breadth-first and depth-first by turns. Prints every difference with its seed and exits with 1 if there is one.
 */
import { parseArgs } from "node:util";
import { compareOrder } from "../../test/code/system/compare-order.js";

process.env["EVERYPATH_ROOT"] ??= process.cwd();
const { values } = parseArgs({
  options: { from: { type: "string", default: "1" }, count: { type: "string", default: "300" } },
});

let [compared, smaller, repeated, differences, all, reduced] = [0, 0, 0, 0, 0, 0];
for (let seed = Number(values.from); seed < Number(values.from) + Number(values.count); seed++) {
  const found = await compareOrder(seed, seed % 3 === 0 ? "dfs" : "bfs");
  for (const difference of found.differences) console.log(`seed ${seed}: ${difference}`);
  differences += found.differences.length;
  if (seed % 100 === 0) console.log(`seed ${seed}: ${summary()}`);
  if (!found.states) continue;
  compared++;
  if (found.states.reduced < found.states.all) smaller++;
  if (found.isRepeated) repeated++;
  all += found.states.all;
  reduced += found.states.reduced;
}
console.log(summary());
process.exitCode = differences > 0 ? 1 : 0;

function summary(): string {
  return (
    `${compared} systems compared, ${smaller} of them smaller (${reduced} states instead of ${all}), ` +
    `${repeated} searched more than once; ${differences} differences`
  );
}
