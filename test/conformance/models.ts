/** What the comparison with Spin runs on: one model, and how it is run on both sides. */
import { runEverypath } from "../peers/everypath.js";
import { type SpinOptions, type SpinOutcome, runSpin } from "../peers/spin.js";
import { compare } from "./compare.js";
import type { Row } from "./table.js";

export interface ConformanceModel {
  /** Short and unique, for tables and test names. */
  readonly name: string;
  readonly file: string;
  readonly defines: readonly string[];
  /** States that Spin stored when the list was frozen; undefined where it did not come to an end. */
  readonly statesSeen: number | undefined;
  /** See `CompareOptions`. */
  readonly choosesInAtomic: boolean;
}

export interface RunOptions {
  readonly optimise: NonNullable<SpinOptions["optimise"]>;
  readonly timeoutMs: number;
}

/** In CI: no optimiser, since compiling would take longer than searching. */
export const quick: RunOptions = { optimise: "-O0", timeoutMs: 60_000 };
export const thorough: RunOptions = { optimise: "-O2", timeoutMs: 60_000 };

/** Models over this many states are left to `npm run conformance`. */
export const quickStates = 200_000;

export async function compareWithSpin(model: ConformanceModel, options: RunOptions): Promise<Row> {
  const spin = await runSpinOn(model, options);
  // Ours gets more time than pan, so that a slow answer shows as slow and not as missing.
  const ours = await runEverypath(model.file, { defines: model.defines, timeoutMs: 3 * options.timeoutMs });
  return { model: model.name, ...compare(spin, ours, model) };
}

export const runSpinOn = (
  { file, defines }: Pick<ConformanceModel, "file" | "defines">,
  options: RunOptions,
): Promise<SpinOutcome> => runSpin(file, { ...options, ...depths, hashBits: 22, defines });

/** Enough for every model here; pan reserves memory for it, so the larger one only where it is needed. */
const depths = { depth: 1_000_000, largerDepth: 30_000_000 };
