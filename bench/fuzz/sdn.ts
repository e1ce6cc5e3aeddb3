/**
 * Random networks with and without reductions: `npm run fuzz:sdn -- [--from SEED] [--count N] [--max-states N]` (500,
 * 150).
 *
 * Explores each by the machine and by a naive implementation; then with every admissible reduction, alone and together;
 * then checks it through the user interface: in default mode, and plain, with one or all reductions forced, or in a
 * random order with a random store. Half of them have OpenFlow's barriers, half the published encoding's. Skips networks
 * with more states. Fails on a difference, and if too few networks were compared with the naive implementation, violated
 * or reduced.
 */
import { parseArgs } from "node:util";
import { seedsOf } from "../arguments.js";
import { usesBarriers } from "../../src/model/network.js";
import { networkReductionNames } from "../../src/transforms/reduction/names.js";
import { compareNetwork } from "../../test/transforms/network/compare.js";
import { compareModes } from "../../test/transforms/network/modes.js";
import { exampleFor, networkFor, sendsFor } from "../../test/transforms/network/networks.js";

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    count: { type: "string", default: "500" },
    /** Comma-separated. */
    seeds: { type: "string" },
    "max-states": { type: "string", default: "150" },
    "stop-at": { type: "string", default: "Infinity" },
  },
});
const from = Number(values.from);
const count = Number(values.count);
const started = performance.now();

/** Not for networks that send each packet once, as all of these do; `compare.ts` explores those without a limit. */
const needsCounting = new Set<string>(["counter", "one-shot", "preload"]);

const MOST_OF_AN_EXAMPLE = 2000;

let compared = 0;
let naive = 0;
let violated = 0;
let checks = 0;
let differences = 0;
let handedOver = 0;
const barriers = new Map<string, number>();
const smaller = new Map<string, number>();
const add = (to: Map<string, number>, key: string): void => void to.set(key, (to.get(key) ?? 0) + 1);

for (const seed of seeds()) {
  const network = networkFor(seed);
  const most = exampleFor(seed) ? MOST_OF_AN_EXAMPLE : Number(values["max-states"]);
  const outcome = attempt(seed, () => compareNetwork(seed, most));
  if (!outcome || outcome.isSkipped) continue;
  const modes = await compareModes(network, outcome.found, seed, sendsFor(seed));
  compared++;
  naive += outcome.isNaivelyDone ? 1 : 0;
  violated += outcome.found.violated.size;
  checks += modes.compared;
  if (usesBarriers(network)) add(barriers, network.controller.barriers);
  for (const name of modes.smaller) add(smaller, name);
  if (modes.isHandedOver) handedOver++;
  for (const difference of [...outcome.differences, ...modes.differences]) {
    differences++;
    console.log(`seed ${seed}: ${difference}`);
  }
  if (compared % 500 === 0) console.log(`next --from ${seed + 1}: ${line()}`);
  if (differences >= Number(values["stop-at"])) break;
}

/** Skips seeds of too large networks. */
function* seeds(): Generator<number> {
  if (values.seeds !== undefined) yield* seedsOf(from, count, values.seeds);
  else for (let seed = from; compared < count; seed++) yield seed;
}

/** An internal error is a difference. */
function attempt<T>(seed: number, run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    differences++;
    compared++;
    console.log(`seed ${seed}: internal error: ${(error as Error).message}`);
    return undefined;
  }
}

function line(): string {
  const each = (counts: ReadonlyMap<string, number>): string =>
    [...counts].map(([name, times]) => `${times} ${name}`).join(", ");
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  return `${compared} networks compared (${naive} with the naive one; barriers: ${each(barriers)}), ${checks} checks, ${violated} properties violated; smaller by ${each(smaller)}; ${handedOver} handed over; ${differences} differences, ${seconds} s`;
}

const shortfalls =
  count < 100
    ? []
    : [
        ...(naive < count / 2 ? ["too few were visited by the naive implementation"] : []),
        ...(violated < count ? ["too few properties were violated"] : []),
        ...(handedOver < count / 20 ? ["too few were handed over to reductions"] : []),
        ...["openflow", "published"]
          .filter((kind) => (barriers.get(kind) ?? 0) < count / 20)
          .map((kind) => `too few had ${kind} barriers`),
        ...networkReductionNames
          .filter((name) => !needsCounting.has(name) && (smaller.get(name) ?? 0) < count / 50)
          .map((name) => `too few were made smaller by ${name}`),
      ];
console.log(`fuzz:sdn --from ${from} --count ${count}: ${line()}`);
for (const shortfall of shortfalls) console.log(`FAILED: ${shortfall}`);
process.exitCode = differences === 0 && shortfalls.length === 0 ? 0 : 1;
