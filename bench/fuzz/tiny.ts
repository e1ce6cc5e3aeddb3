/**
 * Tiny random Promela programs by the hundred thousand: `npm run fuzz:tiny -- [--from SEED] [--count N] [--ltl|--peer]
 * [--keep DIR]`.
 *
 * Searches each program plainly, in default mode, with all reductions, with one of them alone, and with one property
 * alone or in a random order with a random store; verdicts must agree and traces must replay. `--ltl` adds a temporal
 * formula to each. `--peer` compares the plain search with Spin's instead: kinds of error, states and transitions.
 * Minimises differing programs into `--keep`. Fails on a difference, and if too few programs were compared or reduced.
 */
import "./throughput.js";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seedsOf } from "../arguments.js";
import type { Comparison } from "../../test/conformance/compare.js";
import { compareProgram } from "../../test/generators/fuzz.js";
import { minimise } from "../../test/generators/minimise.js";
import { tinyCase } from "../../test/generators/promela-tiny.js";
import { renderProgram, smallerPrograms, type Program } from "../../test/generators/promela-tree.js";
import { checkTextHere } from "../../test/peers/everypath.js";
import {
  compareTiny,
  smallestTiny,
  tinyFile,
  tinyReductions,
  type TinyOutcome,
} from "../../test/transforms/reduction/tiny.js";
import { TinyTally } from "../../test/transforms/reduction/tiny-tally.js";

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    count: { type: "string", default: "1000" },
    ltl: { type: "boolean", default: false },
    peer: { type: "boolean", default: false },
    keep: { type: "string", default: "fuzz-differences" },
    "stop-at": { type: "string", default: "20" },
    "no-minimise": { type: "boolean", default: false },
    /** Comma-separated. */
    seeds: { type: "string" },
  },
});
const from = Number(values.from);
const count = Number(values.count);
const tally = new TinyTally(values.peer ? [] : tinyReductions);
for (const seed of seedsOf(from, count, values.seeds)) {
  await compareSeed(seed);
  if ((seed - from + 1) % 1000 === 0) console.log(`next --from ${seed + 1}: ${tally.line()}`);
  if (tally.differing >= Number(values["stop-at"])) break;
}
const shortfalls = tally.shortfalls();
console.log(
  `fuzz:tiny --from ${from} --count ${count}${values.ltl ? " --ltl" : ""}${values.peer ? " --peer" : ""}: ${tally.line()}`,
);
for (const [why, times] of tally.refusals()) console.log(`refused ${times} times: ${why}`);
for (const shortfall of shortfalls) console.log(`FAILED: ${shortfall}`);
process.exitCode = tally.differing > 0 || shortfalls.length > 0 ? 1 : 0;

async function compareSeed(seed: number): Promise<void> {
  if (values.peer) return comparePeer(seed);
  const asked = tinyCase(seed, { hasFormula: values.ltl });
  const outcome = await compareTiny(asked, seed);
  tally.add(outcome);
  if (outcome.kind !== "compared" || outcome.differences.length === 0) return;
  const [first] = outcome.differences;
  for (const { mode, what } of outcome.differences) console.log(`seed ${seed}: ${mode}: ${what}`);
  const smallest = values["no-minimise"] ? asked : await smallestTiny(asked, seed, first!);
  keep(seed, tinyFile(smallest, first!));
}

/** Compares the plain search with Spin's, both complete. */
async function comparePeer(seed: number): Promise<void> {
  const { program } = tinyCase(seed, { isForPeer: true });
  const found = await besidePan(program);
  tally.add(peerOutcome(found));
  if (found.verdict !== "DIFFERS") return;
  console.log(`seed ${seed}: ${found.notes.join("; ")}`);
  const differs = async (candidate: Program): Promise<boolean> =>
    (await besidePan(candidate)).verdict === "DIFFERS";
  const smallest = values["no-minimise"] ? program : await minimise(program, smallerPrograms, differs, 150);
  keep(seed, `// --plain --errors all, beside pan: ${found.notes[0]}\n${renderProgram(smallest)}`);
}

/** An internal error is a difference. */
async function besidePan(program: Program): Promise<Comparison> {
  try {
    return await compareProgram(program, checkTextHere);
  } catch (error) {
    const notes = [`internal error: ${(error as Error).message}`];
    return { verdict: "DIFFERS", notes, spin: undefined, ours: undefined };
  }
}

function peerOutcome({ verdict, notes, spin }: Comparison): TinyOutcome {
  if (verdict === "EXCLUDED") return { kind: "refused", why: (notes[0] ?? "").replace(/:.*/, "") };
  const differences = verdict === "DIFFERS" ? notes.map((what) => ({ mode: "peer", what })) : [];
  const byErrors = verdict === "agree" && notes.some((note) => note.startsWith("errors only"));
  return { kind: "compared", violated: spin?.errors.length ?? 0, smaller: [], differences, byErrors };
}

function keep(seed: number, text: string): void {
  mkdirSync(values.keep, { recursive: true });
  writeFileSync(join(values.keep, `seed-${seed}.pml`), text);
  if (!values["no-minimise"]) console.log(text);
}
