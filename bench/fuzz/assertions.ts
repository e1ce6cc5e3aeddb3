/**
 * Assertions inside realms against the real ones, on random pairs of values: `npm run fuzz:assertions -- [--from SEED]
 * [--count N]`.
 *
 * Passes each pair to every comparing function of `node:assert`, `assert.strict` and `expect`. Prints every difference
 * with its seed; exits with 1 if there is one, or if too few assertions passed or failed.
 */
import { inspect, parseArgs } from "node:util";
import { assertionNames, compareAssertions, pairOf } from "../../test/code/compare-assertions.js";

// Some assertions reject a promise without awaiting it.
process.on("unhandledRejection", () => undefined);
const { values } = parseArgs({
  options: { from: { type: "string", default: "1" }, count: { type: "string", default: "20000" } },
});
const [from, count] = [Number(values.from), Number(values.count)];
let [accepted, refused, unprintable] = [0, 0, 0];
const found = new Map<string, number>();
for (let seed = from; seed < from + count; seed++) {
  if (seed % 1000 === 0) console.log(`seed ${seed}: ${summary()}`);
  for (const { name, accepts, isSame } of await compareAssertions(seed)) {
    if (accepts === undefined) unprintable++;
    else if (accepts) accepted++;
    else refused++;
    if (isSame) continue;
    found.set(name, (found.get(name) ?? 0) + 1);
    const [a, b] = pairOf(seed, name);
    console.log(
      `seed ${seed}: ${name} ${accepts ? "accepts" : "refuses"} ${text(a)}, ${text(b)}; inside it does not`,
    );
  }
}
console.log(`${count} pairs from ${from}: ${summary()}`);
for (const [name, times] of found) console.log(`  ${name}: ${times}`);
const total = accepted + refused;
const isTooFew = Math.min(accepted, refused) < total / 10 || total < (count * assertionNames.length * 9) / 10;
if (isTooFew) console.log("too few were accepted, refused or compared to mean anything");
process.exitCode = found.size > 0 || isTooFew ? 1 : 0;

function summary(): string {
  const differences = [...found.values()].reduce((sum, times) => sum + times, 0);
  return (
    `${accepted + refused} assertions by ${assertionNames.length} functions, ${accepted} accepted, ${refused} refused, ` +
    `${unprintable} without words; ${differences} differences`
  );
}

function text(value: unknown): string {
  try {
    return inspect(value, { depth: 4, breakLength: Infinity, compact: true }).slice(0, 300);
  } catch {
    return "a value that cannot be printed";
  }
}
