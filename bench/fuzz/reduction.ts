/**
 * Random programs searched with and without reductions: `npm run fuzz:reduction -- [--from SEED] [--count N]`.
 *
 * Every proviso in both orders, then every reduction alone and all together; what is violated must be the same. And for
 * each seed a small program with a formula without next, with and without partial-order reduction. Prints every
 * difference with its seed and exits with 1 if there is one.
 */
import { parseArgs } from "node:util";
import { compareReductions } from "../../test/transforms/reduction/compare.js";
import { compareTemporal, temporalCase } from "../../test/transforms/reduction/temporal.js";

const { values } = parseArgs({
  options: { from: { type: "string", default: "1" }, count: { type: "string", default: "1000" } },
});

let compared = 0;
let reducedSome = 0;
let differences = 0;
let formulasReduced = 0;
for (let seed = Number(values.from); seed < Number(values.from) + Number(values.count); seed++) {
  const outcome = await compareReductions(seed);
  if (outcome.kind === "compared") {
    compared++;
    if (outcome.isSmaller) reducedSome++;
    for (const difference of outcome.differences) {
      differences++;
      console.log(`seed ${seed}: ${difference}`);
    }
  }
  const { full, reduced, isSmaller } = await compareTemporal(temporalCase(seed));
  if (isSmaller) formulasReduced++;
  if (full !== reduced) {
    differences++;
    console.log(`seed ${seed}: the formula is ${full}, reduced ${reduced}`);
  }
  if (seed % 500 === 0) console.log(`seed ${seed}: ${compared} compared, ${differences} differences`);
}
console.log(
  `${compared} programs compared, ${reducedSome} of them smaller; ${values.count} formulas, ` +
    `${formulasReduced} with fewer states; ${differences} differences`,
);
process.exitCode = differences > 0 ? 1 : 0;
