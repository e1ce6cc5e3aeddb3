/** Our command line on one model of a folder. */
import { type EverypathOutcome, type EverypathReport, runEverypath } from "../../test/peers/everypath.js";
import { processorSeconds } from "../../test/peers/process.js";
import { type Figures, type Outcome, failed } from "./figures.js";

/** Like pan's `-c0 -E`: errors do not end the search, and deadlocks are not errors. */
export const wholeGraph = ["--no-deadlock", "--errors", "all", "--progress", "none"] as const;

/** Everypath on one model. */
export class Everypath {
  readonly #file: string;
  readonly #timeoutMs: number;
  #startup: Startup | undefined;

  constructor(file: string, timeoutMs: number) {
    this.#file = file;
    this.#timeoutMs = timeoutMs;
  }

  async measure(options: readonly string[]): Promise<Outcome> {
    this.#startup ??= await this.#start();
    const { safety, processorSeconds } = this.#startup;
    return judge(await this.#run([...options, ...safety]), processorSeconds);
  }

  /** A run that stops at its first state: the time of start-up, front end and code generation, and the list of properties. */
  async #start(): Promise<Startup> {
    const outcome = await this.#run(["--plain", "--max-states", "1"]);
    if (outcome.kind !== "searched") return { safety: [], processorSeconds: 0 };
    return {
      safety: safetyOptions(outcome.report.properties),
      processorSeconds: processorSeconds(outcome),
    };
  }

  #run(options: readonly string[]): Promise<EverypathOutcome> {
    return runEverypath(this.#file, {
      options: [...wholeGraph, ...options],
      timeoutMs: this.#timeoutMs,
      measureMemory: true,
    });
  }
}

interface Startup {
  /** Options that exclude temporal properties, if there are any. */
  readonly safety: readonly string[];
  readonly processorSeconds: number;
}

/** An incomplete search has no figures. */
export function judge(outcome: EverypathOutcome, startSeconds = 0): Outcome {
  if (outcome.kind === "timeout") return failed("everypath: time limit");
  if (outcome.kind === "rejected") return failed(`everypath refused: ${outcome.message}`);
  if (outcome.kind === "crashed") return failed(`everypath ended with ${outcome.how}`);
  const unknown = outcome.report.properties.find(({ verdict }) => verdict === "unknown");
  if (outcome.report.verdict === "unknown" || unknown)
    return failed(`everypath: unknown: ${unknown?.reason ?? "no reason given"}`);
  return { kind: "searched", figures: figuresOf(outcome, startSeconds) };
}

function figuresOf(outcome: Extract<EverypathOutcome, { kind: "searched" }>, startSeconds: number): Figures {
  const { report, wallSeconds, peakBytes } = outcome;
  const { states, tableBytes = 0 } = report.stats;
  const bytes = Math.max(report.stats.peakBytes, ...report.runs.map(({ stats }) => stats.peakBytes));
  return {
    states,
    searchSeconds: searchSeconds(report),
    processorSeconds: Math.max(0.01, processorSeconds(outcome) - startSeconds),
    wholeSeconds: wallSeconds,
    wholeProcessorSeconds: processorSeconds(outcome),
    bytes,
    residentBytes: peakBytes,
    stateBytes: tableBytes,
    tableBytes: 0,
    stackBytes: Math.max(0, bytes - tableBytes),
  };
}

/** Includes runs on the whole system that were restarted with reductions. */
const searchSeconds = ({ runs, stats }: EverypathReport): number =>
  Math.max(
    stats.seconds,
    runs.reduce((sum, run) => sum + run.stats.seconds, 0),
  );

export function safetyOptions(properties: EverypathReport["properties"]): readonly string[] {
  const safety = properties.filter(({ kind }) => !temporalKinds.has(kind));
  if (safety.length === properties.length || safety.length === 0) return [];
  return safety.flatMap(({ name }) => ["--property", name]);
}

const temporalKinds = new Set(["ltl", "never", "progress", "acceptance", "agef"]);
