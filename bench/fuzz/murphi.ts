/**
 * Random Murphi models, and all fixtures, through Rumur, through an obvious interpreter and through us:
 * `npm run test:differential -- [--from SEED] [--count N] [--bags]`, or `--seed N` for one, which is printed.
 *
 * Prints every difference, and at the end what the models were like. Exits with 1 when something differs.
 */
import { parseArgs } from "node:util";
import { generateMurphi } from "../../test/generators/murphi.js";
import { compare } from "../../test/languages/murphi/compare.js";
import { fixtures } from "../../test/languages/murphi/fixtures.js";
import { optionsFor } from "../../test/languages/murphi/random.js";
import { hasPeer } from "../../test/peers.js";

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    count: { type: "string", default: "1000" },
    seed: { type: "string" },
    /** Multisets and unions, which Rumur has not. */
    bags: { type: "boolean", default: false },
  },
});
const rumur = hasPeer("rumur") && hasPeer("gcc");
if (!rumur) console.log("SKIPPED: Rumur or gcc is not installed here; only the obvious interpreter is asked");

const outcomes = new Map<string, number>();
let differences = 0;
if (values.seed === undefined) await compareFixtures();
for (const seed of seeds()) await compareOne(seed);
for (const [outcome, count] of [...outcomes].sort((a, b) => b[1] - a[1])) console.log(`${count}  ${outcome}`);
console.log(`${differences} differences`);
process.exitCode = differences > 0 ? 1 : 0;

function seeds(): number[] {
  if (values.seed !== undefined) return [Number(values.seed)];
  return Array.from({ length: Number(values.count) }, (_, i) => Number(values.from) + i);
}

async function compareOne(seed: number): Promise<void> {
  const text = generateMurphi(seed, { hasBags: values.bags });
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
      // Other constants and the other dialect are nothing that Rumur has options for.
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
