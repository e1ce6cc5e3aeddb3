/**
 * Random nets through all procedures for coverability and, where they are bounded, through the obvious search; then random
 * branching vector addition systems likewise: `npm run fuzz:nets -- [--from SEED] [--count N] [--only nets|bvas]`;
 * `--seed N` shows one of each.
 *
 * Exits with 1 when two disagree, when Karp-Miller gives up on more than 2 % of the nets, or expand-enlarge-check on more than
 * 2 % of the branching systems.
 */
import { parseArgs } from "node:util";
import { compareBvas, wideBvas } from "../../test/generators/bvas.js";
import { compareNet, randomNet } from "../../test/generators/nets.js";

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    count: { type: "string", default: "5000" },
    only: { type: "string" },
    seed: { type: "string" },
  },
});
const from = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.count) : 1;

interface Comparison {
  readonly problems: readonly string[];
  readonly answers: ReadonlyMap<string, string>;
  readonly brute: string;
}

/** Compares all of a kind, prints a summary; false when something is wrong. */
function fuzz<T>(
  what: string,
  make: (seed: number) => T,
  compare: (made: T) => Comparison,
  judged: string,
): boolean {
  const tally = new Map<string, number>();
  const add = (each: string): void => void tally.set(each, (tally.get(each) ?? 0) + 1);
  let problems = 0;
  for (let seed = from; seed < from + count; seed++) {
    const made = make(seed);
    if (values.seed !== undefined) console.log(JSON.stringify(made, null, 1));
    const { answers, brute, problems: found } = compare(made);
    for (const [name, answer] of answers) add(`${name} ${answer}`);
    add(`brute force ${brute}`);
    for (const problem of found) console.log(`${what}, seed ${seed}: ${problem}`);
    problems += found.length;
  }
  const unknown = (tally.get(`${judged} unknown`) ?? 0) / count;
  console.log(`${count} ${what}, seeds ${from} to ${from + count - 1}`);
  for (const [each, times] of [...tally].toSorted()) console.log(`  ${each.padEnd(34)} ${times}`);
  console.log(`  ${"differences".padEnd(34)} ${problems}`);
  console.log(`${judged} gave up on ${(100 * unknown).toFixed(2)} % (at most 2 % expected)`);
  return problems === 0 && unknown <= 0.02;
}

const results = [
  values.only === "bvas" || fuzz("nets", randomNet, (net) => compareNet(net), "karp-miller"),
  values.only === "nets" || fuzz("branching systems", wideBvas, (made) => compareBvas(made), "eec"),
];
process.exitCode = results.every(Boolean) ? 0 : 1;
