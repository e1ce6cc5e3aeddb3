/** One model of the comparison with Spin, and the options for both sides. */
import { runEverypath } from "../peers/everypath.js";
import { type SpinOptions, type SpinOutcome, runSpin } from "../peers/spin.js";
import { compare } from "./compare.js";
import type { Row } from "./table.js";

export interface ConformanceModel {
  /** Short and unique, for tables and test names. */
  readonly name: string;
  readonly file: string;
  readonly defines: readonly string[];
  /** States that Spin stored when the list was frozen; undefined if its search did not finish. */
  readonly statesSeen: number | undefined;
  /** See `CompareOptions`. */
  readonly choosesInAtomic: boolean;
}

export interface RunOptions {
  readonly optimise: NonNullable<SpinOptions["optimise"]>;
  readonly timeoutMs: number;
}

/** In CI: without optimisation, because compilation would take longer than the search. */
export const quick: RunOptions = { optimise: "-O0", timeoutMs: 60_000 };
export const thorough: RunOptions = { optimise: "-O2", timeoutMs: 60_000 };

/** `npm run conformance` runs larger models. */
export const quickStates = 200_000;

export async function compareWithSpin(model: ConformanceModel, options: RunOptions): Promise<Row> {
  const spin = await runSpinOn(model, options);
  // Ours has more time than pan, so that a slow answer is reported as slow rather than missing.
  const ours = await runEverypath(model.file, { defines: model.defines, timeoutMs: 3 * options.timeoutMs });
  return { model: model.name, ...compare(spin, ours, model) };
}

export const runSpinOn = (
  { file, defines }: Pick<ConformanceModel, "file" | "defines">,
  options: RunOptions,
): Promise<SpinOutcome> => runSpin(file, { ...options, ...depths, hashBits: 22, defines });

/** Enough for every model here; pan allocates memory for it, so the larger one is a fallback. */
const depths = { depth: 1_000_000, largerDepth: 30_000_000 };
