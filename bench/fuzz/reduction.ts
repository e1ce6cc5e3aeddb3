/**
 * Random programs searched with and without reductions: `npm run fuzz:reduction -- [--from SEED] [--count N]`.
 *
 * Runs every proviso in both orders, then every reduction alone and all together; the violations must be equal. For each
 * seed, also a small program with a temporal property (a formula without next, acceptance or non-progress cycles; no,
 * weak or strong fairness), with every reduction alone and all together; `--temporal` runs only this part. Prints every
 * difference with its seed; fails if there is one, and if too few were compared or reduced.
 */
import { parseArgs } from "node:util";
import { compareReductions } from "../../test/transforms/reduction/compare.js";
import {
  compareTemporal,
  temporalCase,
  temporalReductions,
} from "../../test/transforms/reduction/temporal.js";

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    count: { type: "string", default: "1000" },
    temporal: { type: "boolean", default: false },
  },
});

let compared = 0;
let reducedSome = 0;
let differences = 0;
let properties = 0;
const smaller = new Map<string, number>();
for (let seed = Number(values.from); seed < Number(values.from) + Number(values.count); seed++) {
  if (!values.temporal) await comparePrograms(seed);
  await compareProperty(seed);
  if (seed % 500 === 0) console.log(`seed ${seed}: ${summary()}`);
}
console.log(summary());
const shortfalls = Number(values.count) < 100 ? [] : whatIsMissing();
for (const shortfall of shortfalls) console.log(`FAILED: ${shortfall}`);
process.exitCode = differences > 0 || shortfalls.length > 0 ? 1 : 0;

function whatIsMissing(): string[] {
  const least = Number(values.count) / 10;
  return [
    ...(values.temporal || compared >= least ? [] : ["too few programs were compared"]),
    ...(values.temporal || reducedSome >= compared / 10 ? [] : ["too few programs were made smaller"]),
    ...(properties >= least ? [] : ["too few temporal properties were compared"]),
    ...temporalReductions
      .filter((name) => (smaller.get(name) ?? 0) < properties / 100)
      .map((name) => `too few temporal properties were searched in fewer states by ${name}`),
  ];
}

async function comparePrograms(seed: number): Promise<void> {
  const outcome = await compareReductions(seed);
  if (outcome.kind !== "compared") return;
  compared++;
  if (outcome.isSmaller) reducedSome++;
  outcome.differences.forEach((difference) => tell(seed, difference));
}

async function compareProperty(seed: number): Promise<void> {
  const outcome = await compareTemporal(temporalCase(seed));
  if (!outcome) return;
  properties++;
  for (const name of outcome.smaller) smaller.set(name, (smaller.get(name) ?? 0) + 1);
  outcome.differences.forEach((difference) => tell(seed, difference));
}

function tell(seed: number, difference: string): void {
  differences++;
  console.log(`seed ${seed}: ${difference}`);
}

function summary(): string {
  const fewer = [...smaller].map(([name, times]) => `${times} by ${name}`).join(", ");
  return (
    `${compared} programs compared, ${reducedSome} of them smaller; ${properties} temporal properties, ` +
    `those that hold with fewer states: ${fewer}; ${differences} differences`
  );
}
