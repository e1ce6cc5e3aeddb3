/** Compares random programs between Spin and ours, and minimises differences. */
import { type Comparison, compare, defeatsUndoing, whyNoFigures } from "../conformance/compare.js";
import { runEverypathOnText, type EverypathOutcome } from "../peers/everypath.js";
import { type SpinOptions, type SpinOutcome, runSpinOnText } from "../peers/spin.js";
import { minimise } from "./minimise.js";
import { choosesInAtomic, generateProgram } from "./promela.js";
import { type Program, renderProgram, smallerPrograms } from "./promela-tree.js";

/** Fast compilation and short limits: programs that explode are rare and not worth the time. */
export const spinForFuzzing: SpinOptions = {
  optimise: "-O0",
  compile: ["SAFETY", "NOREDUCE", "NOCLAIM", "VECTORSZ=8192", "MEMLIM=1000"],
  // Without -e: trails are not read, and a program can have thousands of errors.
  pan: ["-c0"],
  depth: 200_000,
  hashBits: 18,
  timeoutMs: 10_000,
};

export const spinOn = (program: Program): Promise<SpinOutcome> =>
  runSpinOnText(renderProgram(program), spinForFuzzing);

/** Compares with Spin; `runOurs` defaults to the command line. */
export async function compareProgram(
  program: Program,
  runOurs: (text: string) => Promise<EverypathOutcome> = (text) =>
    runEverypathOnText(text, { timeoutMs: 60_000 }),
): Promise<Comparison> {
  const excluded = (why: string): Comparison => ({
    verdict: "EXCLUDED",
    notes: [why],
    spin: undefined,
    ours: undefined,
  });
  const text = renderProgram(program);
  if (defeatsUndoing(text)) return excluded("pan cannot undo a receive");
  const spin = await spinOn(program);
  // Without Spin's figures there is nothing to compare.
  if (spin.kind !== "searched") return excluded(whyNoFigures(spin));
  const ours = await runOurs(text);
  const lendsChannels = /\bof \{ ?chan\b/.test(text);
  return compare(spin, ours, { choosesInAtomic: choosesInAtomic(program), lendsChannels });
}

export interface Difference {
  readonly seed: number;
  readonly comparison: Comparison;
  readonly smallest: string;
}

/** Minimises the program of `seed`, preserving the kind of difference. */
export async function explainDifference(seed: number, comparison: Comparison): Promise<Difference> {
  const respect = respectOf(comparison);
  const smallest = await minimise(generateProgram(seed), smallerPrograms, async (candidate) => {
    const again = await compareProgram(candidate);
    return again.verdict === "DIFFERS" && respectOf(again) === respect;
  });
  return { seed, comparison: await compareProgram(smallest), smallest: renderProgram(smallest) };
}

/** The difference without numbers, which vary with the size of the program. */
const respectOf = ({ notes }: Comparison): string => (notes[0] ?? "").replace(/\d+/g, "").replace(/:.*/, "");
