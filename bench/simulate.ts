/**
 * Steps of `simulate` until the first failure of five systems with seeded bugs: mixes of faults beside plain repetition,
 * which chooses uniformly among all enabled events. Medians over seeds, in one run; `--seeds N` (5), `--steps N` (300), `--runs N` (400),
 * `--only NAME`.
 */
import { readFileSync } from "node:fs";
import { figuresOf } from "../src/report/index.js";
import { checkInput } from "../src/session/check/check.js";
import { registry } from "../src/session/registry.js";
import { inRepository } from "../test/repository.js";
import { median } from "./statistics.js";

const all = [
  ["raft-members.ts", "COMPACTS_ALL"],
  ["raft-members.ts", "CHANGES_EARLY"],
  ["replicated-queue.ts", "GIVES_FIRST"],
  ["replicated-queue.ts", "ACKNOWLEDGES_FIRST"],
  ["commit-recovery.ts", "SENDS_FIRST"],
  ["commit-recovery.ts", "FORGETS_VOTE"],
  ["crdt-set.ts", "NO_TOMBSTONES"],
  ["crdt-set.ts", "LAST_SEEN"],
  ["lease-lock.ts", "NO_FENCING"],
  ["lease-lock.ts", "UNSYNCED"],
] as const;

const only = process.argv.includes("--only") ? process.argv[process.argv.indexOf("--only") + 1] : "";
const bugs = all.filter(([name]) => name.includes(only ?? ""));

/** Limits instead of the small ones that a search can exhaust. */
const faults: Readonly<Record<string, readonly string[]>> = {
  "raft-members.ts": ["stores=20", "changes=4", "snapshots=6", "capacity=6", "loss"],
  "replicated-queue.ts": ["put=20", "get=20"],
  "commit-recovery.ts": ["crashes=3"],
  "crdt-set.ts": ["add=10", "remove=10", "duplicates"],
  "lease-lock.ts": ["acquire=20", "write=20", "capacity=8", "crashes=3"],
};

const option = (name: string, usual: number): number => {
  const place = process.argv.indexOf(name);
  return place < 0 ? usual : Number(process.argv[place + 1]);
};
const [seeds, steps, runs] = [option("--seeds", 5), option("--steps", 300), option("--runs", 400)];

interface Found {
  /** Steps until the failure; Infinity: none failed. */
  readonly steps: number;
  readonly all: number;
  readonly seconds: number;
}

async function found(
  name: string,
  define: string | undefined,
  strategy: "swarm" | "plain",
  seed: number,
): Promise<Found> {
  const file = inRepository(`examples/code/systems/${name}`);
  const terms = name === "raft-members.ts" ? ["TERMS=12"] : [];
  const { report } = await checkInput(
    { file, text: readFileSync(file, "utf8") },
    {
      ...{ seed, minimises: false, faults: faults[name] ?? [] },
      defines: [...(define === undefined ? [] : [define]), ...terms],
      schedules: { by: "swarm", runs, steps, strategy },
    },
    registry,
  );
  const figures = figuresOf(report);
  if (!figures) throw new Error(report.diagnostics.map(({ message }) => message).join("; "));
  return {
    steps: figures.failed ? figures.steps : Infinity,
    all: figures.steps,
    seconds: figures.processorSeconds,
  };
}

const shown = (n: number): string => (n === Infinity ? "none" : `${n}`).padStart(8);

console.log(
  `steps until the first failure: median (failing seeds of ${seeds}); at most ${runs} runs of ${steps} steps`,
);
console.log(`${"system".padEnd(42)}${"swarm".padStart(8)}       ${"plain".padStart(8)}       steps/s`);
for (const [name, define] of bugs) {
  const each = async (strategy: "swarm" | "plain"): Promise<Found[]> => {
    const all: Found[] = [];
    for (let seed = 1; seed <= seeds; seed++) all.push(await found(name, define, strategy, seed));
    return all;
  };
  const [swarm, plain] = [await each("swarm"), await each("plain")];
  const cell = (all: readonly Found[]): string =>
    `${shown(median(all.map((one) => one.steps)))} (${all.filter((one) => one.steps < Infinity).length}/${seeds})`;
  const total = [...swarm, ...plain];
  const rate =
    total.reduce((sum, one) => sum + one.all, 0) / total.reduce((sum, one) => sum + one.seconds, 0);
  console.log(`${`${name} -D ${define}`.padEnd(42)}${cell(swarm)} ${cell(plain)} ${Math.round(rate)}`);
}
for (const name of new Set(bugs.map(([file]) => file))) {
  const { steps: failed, all, seconds } = await found(name, undefined, "swarm", 1);
  const verdict = failed === Infinity ? "survives" : "FAILS";
  console.log(
    `${`${name}, repaired`.padEnd(42)}${verdict}: ${all} steps, ${Math.round(all / seconds)} steps/s`,
  );
}
