/**
 * Random nets, some with transfers, resets and infinitely many starts, through all procedures, and random branching
 * vector addition systems: `npm run fuzz:nets -- [--from SEED] [--count N] [--only nets|bvas]`; `--seed N` shows one of
 * each.
 *
 * Compares procedures with each other, with an enumeration of all markings and with naive predecessors; separate code
 * checks the proofs. Also writes every net to files, reads it again, checks it with every engine through the user
 * interface, and replays traces. Fails on a difference, and if too few were compared, proved or reduced by weights.
 */
import { parseArgs } from "node:util";
import { seedsOf } from "../arguments.js";
import type { Net } from "../../src/model/index.js";
import { compareBvas, wideBvas } from "../../test/generators/bvas.js";
import { checkedProblems, readingProblems } from "../../test/generators/net-files.js";
import { hasSources, hasTransfers } from "../../test/generators/net-oracle.js";
import { compareNet, randomNet } from "../../test/generators/nets.js";

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    count: { type: "string", default: "5000" },
    only: { type: "string" },
    seed: { type: "string" },
    seeds: { type: "string" },
    "stop-at": { type: "string", default: "Infinity" },
  },
});
const from = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.count) : 1;

class Tally {
  readonly #counts = new Map<string, number>();
  readonly #started = performance.now();
  readonly #what: string;
  cases = 0;
  differences = 0;

  constructor(what: string) {
    this.#what = what;
  }

  add(what: string, times = 1): void {
    this.#counts.set(what, this.of(what) + times);
  }

  of(what: string): number {
    return this.#counts.get(what) ?? 0;
  }

  differ(seed: number, problems: readonly string[]): void {
    for (const problem of problems) console.log(`${this.#what}, seed ${seed}: ${problem}`);
    this.differences += problems.length;
  }

  line(): string {
    const parts = [...this.#counts].map(([what, times]) => `${times} ${what}`);
    const seconds = ((performance.now() - this.#started) / 1000).toFixed(0);
    return `${this.cases} ${this.#what}: ${parts.join(", ")}; ${this.differences} differences, ${seconds} s`;
  }

  /** Lists shortfalls from the required percentages of cases. */
  shortfalls(least: Readonly<Record<string, number>>): string[] {
    return Object.entries(least)
      .filter(([what, percent]) => this.cases >= 100 && this.of(what) < (this.cases * percent) / 100)
      .map(([what, percent]) => `${this.of(what)} ${what}, fewer than ${percent} of 100`);
  }
}

async function fuzzNets(): Promise<boolean> {
  const tally = new Tally("nets");
  for (const seed of seedsOf(from, count, values.seeds)) {
    const net = randomNet(seed);
    if (values.seed !== undefined) console.log(JSON.stringify(net, null, 1));
    tally.cases++;
    await compareOne(net, seed, tally).catch((error: Error) =>
      tally.differ(seed, [`internal error: ${error.message}`]),
    );
    progress(seed, tally);
    if (tally.differences >= Number(values["stop-at"])) break;
  }
  return report(tally, {
    "with transfers": 20,
    covered: 20,
    uncovered: 20,
    "decided by hand": 70,
    "made smaller by weights": 5,
    "proofs checked": 150,
    "checked as files": 90,
    "decided by default": 90,
    "traces replayed": 60,
  });
}

async function compareOne(net: Net, seed: number, tally: Tally): Promise<void> {
  const { answers, brute, problems, isReduced, certificates } = compareNet(net);
  if (hasTransfers(net)) tally.add("with transfers");
  if (hasSources(net)) tally.add("with many starts");
  const [verdict] = [...answers.values()].filter((answer) => answer !== "unknown");
  tally.add(verdict ?? "undecided");
  tally.add("decided by hand", brute === "unknown" ? 0 : 1);
  tally.add("made smaller by weights", isReduced ? 1 : 0);
  tally.add("proofs checked", certificates);
  tally.differ(seed, problems);
  await compareFiles(net, seed, verdict, tally);
}

async function compareFiles(
  net: Net,
  seed: number,
  verdict: string | undefined,
  tally: Tally,
): Promise<void> {
  if (verdict === undefined) return;
  const { problems, replayed, isDecided } = await checkedProblems(net, verdict);
  tally.add("checked as files");
  tally.add("decided by default", isDecided ? 1 : 0);
  tally.add("traces replayed", replayed);
  tally.differ(seed, [...readingProblems(net, seed), ...problems]);
}

function fuzzBranching(): boolean {
  const tally = new Tally("branching systems");
  for (const seed of seedsOf(from, count, values.seeds)) {
    const made = wideBvas(seed);
    if (values.seed !== undefined) console.log(JSON.stringify(made, null, 1));
    const { answers, brute, problems } = compareBvas(made);
    tally.cases++;
    tally.add(answers.get("eec")!);
    tally.add("decided by hand", brute === "unknown" ? 0 : 1);
    tally.differ(seed, problems);
    progress(seed, tally);
    if (tally.differences >= Number(values["stop-at"])) break;
  }
  return report(tally, { covered: 20, uncovered: 20, "decided by hand": 50 });
}

function progress(seed: number, tally: Tally): void {
  if ((seed - from + 1) % 1000 === 0) console.log(`next --from ${seed + 1}: ${tally.line()}`);
}

function report(tally: Tally, least: Readonly<Record<string, number>>): boolean {
  const shortfalls = tally.shortfalls(least);
  console.log(`fuzz:nets --from ${from} --count ${count}: ${tally.line()}`);
  for (const shortfall of shortfalls) console.log(`FAILED: ${shortfall}`);
  return tally.differences === 0 && shortfalls.length === 0;
}

const nets = values.only === "bvas" || (await fuzzNets());
const branching = values.only === "nets" || fuzzBranching();
process.exitCode = nets && branching ? 0 : 1;
