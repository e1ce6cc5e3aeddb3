/** Spin's pan on one model of a folder: built once per repetition, with its best flags. */
import { mkdirSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import type { PanReport } from "../../test/peers/pan-output.js";
import {
  type BuiltPan,
  type SpinOptions,
  type SpinOutcome,
  buildPan,
  copyModel,
  plainSpin,
  searchWithPan,
} from "../../test/peers/spin.js";
import { chooseDepth, chooseHashBits } from "./choose.js";
import { type Figures, type Outcome, failed } from "./figures.js";

export interface PanMode {
  readonly order: "dfs" | "bfs";
  /** Partial-order reduction and Spin's optimisations, or neither. */
  readonly isReduced: boolean;
  readonly isCollapsed: boolean;
}

export interface PanFlags {
  readonly depth: number;
  readonly hashBits: number;
}

/** Every state despite errors; ignores invalid end states; does not list unreached code. */
const wholeGraph = ["-c0", "-E", "-n"];
/** Stops where the depth is reached. */
const cutAtDepth = ["-c1", "-b", "-E", "-n"];

export class Pan {
  readonly #file: string;
  readonly #directory: string;
  readonly #options: SpinOptions;
  #built: BuiltPan | undefined;
  #failure: Outcome | undefined;
  #isFresh = false;

  /** Works in `directory`, which it creates. */
  constructor(file: string, directory: string, mode: PanMode, timeoutMs: number) {
    this.#file = file;
    this.#directory = directory;
    this.#options = { ...optionsOf(mode), timeoutMs, measureMemory: true };
  }

  /** The flags with the states found, or the failure. */
  async tune(): Promise<{ flags: PanFlags; states: number } | Outcome> {
    const found = await this.chooseDepth();
    if (!("depth" in found)) return found;
    const hashBits = await chooseHashBits(found.report.states, async (bits) => {
      const outcome = await this.#search(wholeGraph, { depth: found.depth, hashBits: bits });
      const isWhole = outcome.kind === "searched" && outcome.report.incomplete === undefined;
      return isWhole ? outcome.run.panProcessorSeconds : undefined;
    });
    if (hashBits === undefined) return failed("pan completed with no size of its table");
    return { flags: { depth: found.depth, hashBits }, states: found.report.states };
  }

  /** A whole search with the smallest depth. */
  async chooseDepth(): Promise<{ depth: number; report: PanReport } | Outcome> {
    await this.#build();
    if (this.#failure) return this.#failure;
    let reason = failed("pan: no depth is enough");
    const chosen = await chooseDepth(async (depth) => {
      const outcome = await this.#searchWhole({ depth, hashBits: 22 });
      if (outcome.kind === "searched") return outcome.report;
      reason = failure(outcome);
      return undefined;
    });
    if (!chosen) return reason;
    const { incomplete } = chosen.report;
    return incomplete === undefined ? chosen : failed(`pan: ${incompleteness[incomplete]}`);
  }

  /** One measured run, with translation and compilation. */
  async measure(flags: PanFlags): Promise<Outcome> {
    if (!this.#isFresh) await this.#build();
    this.#isFresh = false;
    if (this.#failure) return this.#failure;
    const outcome = await this.#search(wholeGraph, flags);
    if (outcome.kind !== "searched") return failure(outcome);
    const { incomplete } = outcome.report;
    if (incomplete !== undefined) return failed(`pan: ${incompleteness[incomplete]}`);
    return { kind: "searched", figures: figuresOf(outcome) };
  }

  /** A search cut by the depth ends at once; one with errors is repeated to its end. */
  async #searchWhole(flags: PanFlags): Promise<SpinOutcome> {
    const outcome = await this.#search(cutAtDepth, flags);
    if (outcome.kind !== "searched" || outcome.report.errors === 0) return outcome;
    return outcome.report.incomplete === "depth" ? outcome : this.#search(wholeGraph, flags);
  }

  async #build(): Promise<void> {
    mkdirSync(this.#directory, { recursive: true });
    const model = copyModel(this.#file, this.#directory);
    const built = await buildPan(model, this.#directory, this.#options);
    this.#built = built.kind === "built" ? built : undefined;
    this.#failure = built.kind === "built" ? undefined : failure(built);
    this.#isFresh = true;
  }

  #search(pan: readonly string[], flags: PanFlags): Promise<SpinOutcome> {
    if (!this.#built) throw new Error("pan has not been built");
    return searchWithPan(this.#built, { ...this.#options, ...flags, pan });
  }
}

export const panDirectory = (root: string, name: string, mode: PanMode): string =>
  join(
    root,
    `${name}-${mode.order}${mode.isReduced ? "-reduced" : ""}${mode.isCollapsed ? "-collapsed" : ""}`,
  );

/** Excludes claims: both sides check safety. */
const optionsOf = ({ order, isReduced, isCollapsed }: PanMode): SpinOptions => ({
  spin: isReduced ? [] : plainSpin,
  optimise: "-O2",
  compile: [
    ...["SAFETY", "NOCLAIM", "VECTORSZ=16384", `MEMLIM=${Math.floor((0.8 * totalmem()) / 2 ** 20)}`],
    ...(isReduced ? [] : ["NOREDUCE"]),
    ...(order === "bfs" ? ["BFS"] : []),
    ...(isCollapsed ? ["COLLAPSE"] : []),
  ],
});

function figuresOf({ report, run }: Extract<SpinOutcome, { kind: "searched" }>): Figures {
  const bytes = (megabytes: number): number => megabytes * 2 ** 20;
  return {
    states: report.states,
    // pan prints hundredths of seconds.
    searchSeconds: Math.max(0.01, report.seconds),
    processorSeconds: Math.max(0.01, run.panProcessorSeconds),
    wholeSeconds: run.spinSeconds + run.gccSeconds + run.panSeconds,
    wholeProcessorSeconds: run.buildProcessorSeconds + run.panProcessorSeconds,
    bytes: bytes(report.memoryMegabytes),
    residentBytes: run.peakBytes,
    stateBytes: bytes(report.stateMegabytes),
    tableBytes: bytes(report.tableMegabytes),
    stackBytes: bytes(report.stackMegabytes),
  };
}

const incompleteness: Record<NonNullable<PanReport["incomplete"]>, string> = {
  depth: "its stack is too small",
  memory: "out of memory",
  vector: "its state vector is too small",
  aborted: "did not complete",
};

function failure(outcome: Exclude<SpinOutcome, { kind: "searched" }>): Outcome {
  switch (outcome.kind) {
    case "rejected":
      return failed(`${outcome.by} failed: ${outcome.message}`);
    case "timeout":
      return failed(`${outcome.stage}: time limit`);
    case "crashed":
      return failed(`pan ended with ${outcome.how}`);
  }
}
