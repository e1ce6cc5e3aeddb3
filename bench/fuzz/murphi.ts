/**
 * Random Murphi models, and all fixtures, compared with Rumur and a naive interpreter: `npm run test:differential --
 * [--from SEED] [--count N] [--bags]`, or `--seed N` for one, which is printed.
 *
 * `npm run fuzz:tiny-murphi -- [--from SEED] [--count N]` compares tiny models full of scalarsets in one process: in
 * default mode, switched to symmetry during the search, and with symmetry forced, against the whole system, property by
 * property and orbit by orbit. `--codes` compares searches by JavaScript and by WebAssembly; `--peer` compares tiny
 * models with Rumur. `--ltl` compares temporal formulas, without fairness and with both kinds, against the same model in
 * Promela, a naive oracle and another search, and replays every trace. `--order` compares models of mostly independent
 * rules, with and without partial order.
 *
 * Prints every difference and statistics of the models. Exits with 1 on a difference, or if too few tiny models were
 * compared or reduced.
 */
import "./throughput.js";
import { parseArgs } from "node:util";
import { seedsOf } from "../arguments.js";
import { generateMurphi } from "../../test/generators/murphi.js";
import { ruleCase } from "../../test/generators/murphi-ltl.js";
import { symmetricModel } from "../../test/generators/murphi-symmetric.js";
import { compareRuleCodes } from "../../test/engines/explicit/both-codes-rules.js";
import { compare } from "../../test/languages/murphi/compare.js";
import { fixtures, optionsOf } from "../../test/languages/murphi/fixtures.js";
import { compareModes, NOT_COMPARED } from "../../test/languages/murphi/modes.js";
import { optionsFor } from "../../test/languages/murphi/random.js";
import { compareOrder } from "../../test/languages/murphi/order.js";
import { compareTemporal } from "../../test/languages/murphi/temporal.js";
import { hasPeer } from "../../test/peers.js";

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    count: { type: "string", default: "1000" },
    seed: { type: "string" },
    seeds: { type: "string" },
    /** Multisets and unions, which Rumur lacks. */
    bags: { type: "boolean", default: false },
    tiny: { type: "boolean", default: false },
    peer: { type: "boolean", default: false },
    codes: { type: "boolean", default: false },
    ltl: { type: "boolean", default: false },
    order: { type: "boolean", default: false },
    "stop-at": { type: "string", default: "Infinity" },
  },
});
const rumur = hasPeer("rumur") && hasPeer("gcc");
if (!rumur) console.log("SKIPPED: Rumur or gcc is not installed here; only the obvious interpreter is asked");

/** Fractions of all tiny models. */
const LEAST_COMPARED = 0.8;
const LEAST_REDUCED = 0.25;

const outcomes = new Map<string, number>();
let differences = 0;
let compared = 0;
let reduced = 0;
if (values.seed === undefined && !values.tiny) await compareFixtures();
let cases = 0;
const seeds =
  values.seed === undefined
    ? seedsOf(Number(values.from), Number(values.count), values.seeds)
    : [Number(values.seed)];
for (const seed of seeds) {
  await (values.codes
    ? compareCodes(seed)
    : values.order
      ? compareOrdered(seed)
      : values.ltl
        ? compareFormula(seed)
        : values.tiny && !values.peer
          ? compareTiny(seed)
          : compareOne(seed));
  cases++;
  if (differences >= Number(values["stop-at"])) break;
}
for (const [outcome, count] of [...outcomes].sort((a, b) => b[1] - a[1])) console.log(`${count}  ${outcome}`);
const isEnough = summarise();
console.log(`${differences} differences`);
process.exitCode = differences > 0 || !isEnough ? 1 : 0;

async function compareTiny(seed: number): Promise<void> {
  const text = symmetricModel(seed);
  if (values.seed !== undefined) console.log(text);
  const found = await compareModes(text, optionsOf(optionsFor(seed)), seed).catch((error: unknown) => ({
    ...NOT_COMPARED,
    differences: [`plain: ${(error as Error).message}`],
  }));
  note(`seed ${seed}`, found.differences);
  if (found.isCompared) compared++;
  if (found.isReduced) reduced++;
  const outcome = found.isCompared ? found.violated.join(", ") || "holds" : "too large";
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  if (seed % 1000 === 0)
    console.log(
      `next --from ${seed + 1}: ${compared} compared, ${reduced} reduced, ${differences} differences`,
    );
}

/** Searches of two models by JavaScript and by WebAssembly. */
async function compareCodes(seed: number): Promise<void> {
  const options = optionsOf(optionsFor(seed));
  for (const text of [symmetricModel(seed), generateMurphi(seed, { hasBags: seed % 2 === 0 })]) {
    const found = await compareRuleCodes({ name: `model ${seed}`, text, options });
    note(`seed ${seed}`, found.differences);
    compared += found.compared;
    reduced += found.asStepCode;
  }
  if (seed % 100 === 0)
    console.log(
      `next --from ${seed + 1}: ${compared} compared, ${reduced} as WebAssembly, ${differences} differences`,
    );
}

/** A formula of a tiny model; an outcome is the verdict without fairness, with weak and with strong fairness. */
async function compareFormula(seed: number): Promise<void> {
  const { murphi, promela, formula } = ruleCase(seed);
  if (values.seed !== undefined) console.log([formula, murphi, promela ?? ""].join("\n"));
  const { verdicts, differences: found } = await compareTemporal(seed);
  note(`seed ${seed}`, found);
  compared++;
  const outcome = Object.values(verdicts).join(", ");
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  if (seed % 100 === 0) console.log(`next --from ${seed + 1}: ${differences} differences`);
}

/** With and without partial order among rules. */
async function compareOrdered(seed: number): Promise<void> {
  const found = await compareOrder(seed);
  note(`seed ${seed}`, found.differences);
  compared++;
  if (found.isReduced || found.isProductReduced) reduced++;
  outcomes.set(found.outcome, (outcomes.get(found.outcome) ?? 0) + 1);
}

/** Prints the amount compared; false if too little to be meaningful. */
function summarise(): boolean {
  if (values.codes) {
    console.log(
      `${cases} seeds from ${values.from}: ${compared} searches compared, ${reduced} as WebAssembly`,
    );
    return reduced > 0.8 * compared;
  }
  if (values.ltl) {
    console.log(`${cases} formulas from seed ${values.from}`);
    return values.seed !== undefined || outcomes.size > 2;
  }
  if (!values.tiny || values.peer || values.seed !== undefined) return true;
  console.log(`${cases} models from seed ${values.from}: ${compared} compared, ${reduced} reduced`);
  const isEnough = compared >= LEAST_COMPARED * cases && reduced >= LEAST_REDUCED * cases;
  if (!isEnough) console.log("FAILED: too few models were compared or reduced");
  return isEnough;
}

async function compareOne(seed: number): Promise<void> {
  const text = values.tiny
    ? symmetricModel(seed, { isForPeer: true })
    : generateMurphi(seed, { hasBags: values.bags });
  if (values.seed !== undefined) console.log(text);
  const peers = { rumur: rumur && !values.bags, obvious: true };
  const { ours, differences: found, refused } = await compare("m.m", text, optionsFor(seed), peers);
  note(`seed ${seed}`, refused === undefined ? found : [`Rumur refuses it: ${refused}`]);
  const outcome = ours.replace(/,.*/, "");
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
}

async function compareFixtures(): Promise<void> {
  for (const { name, text, expectations, withoutRumur } of fixtures())
    for (const { arguments: given } of expectations) {
      // Rumur lacks options for constants and for the other dialect.
      if (withoutRumur !== undefined || /-D|--dialect|--reduction/.test(given)) continue;
      const { differences: found, refused } = await compare(name, text, given, { rumur, obvious: false });
      note(`${name} ${given}`, refused === undefined ? found : [`Rumur refuses it: ${refused}`]);
    }
}

function note(what: string, found: readonly string[]): void {
  if (found.length === 0) return;
  differences++;
  console.log(`${what} DIFFERS: ${found.join("; ")}`);
}
