/** Runs our command line as a user would, and parses its JSON, for comparisons with peers. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, checkJson } from "../../src/index.js";
import { inRepository } from "../repository.js";
import { inTemporaryDirectory, runProcess } from "./process.js";

export interface EverypathOptions {
  readonly defines?: readonly string[];
  /** Options of `check`; by default the graph that plain Spin explores, with all errors. */
  readonly options?: readonly string[];
  readonly timeoutMs?: number;
  readonly measureMemory?: boolean;
  /** Options of Node, such as a larger heap. */
  readonly node?: readonly string[];
  /** Script of another build; defaults to ours. */
  readonly script?: string;
}

/** The compared part of the output of `everypath check --json`. */
export interface EverypathReport {
  readonly verdict: "holds" | "violated" | "unknown";
  readonly properties: readonly PropertyReport[];
  readonly stats: {
    readonly states: number;
    readonly transitions: number;
    readonly depth: number;
    readonly seconds: number;
    readonly totalSeconds: number;
    readonly peakBytes: number;
    readonly bytesPerState: number;
    readonly tableBytes?: number;
    readonly stateBytes?: number;
    /** Spin's convention: stored + matched, that is our edges and the arrival in the initial state. */
    readonly spin?: { readonly transitions: number };
  };
  readonly runs: readonly {
    readonly properties: readonly string[];
    /** Started on the whole system, and restarted with reductions. */
    readonly isAbandoned?: true;
    readonly stats: {
      readonly states: number;
      readonly transitions: number;
      readonly depth: number;
      readonly seconds: number;
      readonly peakBytes: number;
    };
  }[];
  readonly diagnostics: readonly {
    readonly code: string;
    readonly severity: string;
    readonly message: string;
    readonly line?: number;
  }[];
}

export interface PropertyReport {
  readonly name: string;
  readonly kind: string;
  readonly verdict: string;
  readonly reason?: string;
  /** The fault of kind `runtime`: `array-bounds`, `bad-channel`, … */
  readonly fault?: string;
}

export type EverypathOutcome =
  | {
      readonly kind: "searched";
      readonly report: EverypathReport;
      readonly wallSeconds: number;
      readonly peakBytes: number;
      readonly userSeconds: number;
      readonly systemSeconds: number;
    }
  | { readonly kind: "rejected"; readonly message: string }
  | { readonly kind: "timeout" }
  | { readonly kind: "crashed"; readonly how: string; readonly output: string };

/** Depth-first over the unreduced graph, continuing after errors, as `pan -c0` of a plain build. */
export const plainSearch = ["--plain", "--search", "dfs", "--errors", "all"] as const;

export async function runEverypath(file: string, options: EverypathOptions = {}): Promise<EverypathOutcome> {
  const defines = (options.defines ?? []).flatMap((name) => ["-D", name]);
  const result = await runProcess({
    command: process.execPath,
    arguments: [
      ...(options.node ?? []),
      options.script ?? commandLine(),
      "check",
      file,
      ...(options.options ?? plainSearch),
      ...defines,
      "--json",
    ],
    timeoutMs: options.timeoutMs ?? 60_000,
    measureMemory: options.measureMemory ?? false,
  });
  if (result.timedOut) return { kind: "timeout" };
  const report = parseReport(result.stdout);
  const output = result.stdout + result.stderr;
  if (result.exitCode === 3) return { kind: "rejected", message: report ? errorsOf(report) : output };
  if (!report || result.exitCode === null || result.exitCode > 3)
    return { kind: "crashed", how: result.signal ?? `exit code ${result.exitCode}`, output };
  const { seconds: wallSeconds, peakBytes, userSeconds, systemSeconds } = result;
  return { kind: "searched", report, wallSeconds, peakBytes, userSeconds, systemSeconds };
}

/** The same for a model given as text. */
export async function runEverypathOnText(
  text: string,
  options: EverypathOptions = {},
): Promise<EverypathOutcome> {
  return inTemporaryDirectory((directory) => {
    const file = join(directory, "model.pml");
    writeFileSync(file, text);
    return runEverypath(file, options);
  });
}

/**
 * The same through the library in this process, to avoid starting Node for hundreds of small models. Searches that
 * exceed the time count as unfinished, regardless of partial results.
 */
export async function checkTextHere(text: string): Promise<EverypathOutcome> {
  const started = performance.now();
  const found = await check(
    { file: "model.pml", text },
    { isPlain: true, search: "dfs", maxErrors: Infinity, budget: { timeMs: 60_000 } },
  );
  const report = parseReport(JSON.stringify(checkJson(found)))!;
  const wallSeconds = (performance.now() - started) / 1000;
  if (report.diagnostics.some(({ severity }) => severity === "error"))
    return { kind: "rejected", message: errorsOf(report) };
  if (wallSeconds >= 60) return { kind: "timeout" };
  return {
    kind: "searched",
    report,
    wallSeconds,
    peakBytes: report.stats.peakBytes,
    userSeconds: wallSeconds,
    systemSeconds: 0,
  };
}

/** The built command line, from the package's `bin` entry; EVERYPATH_CLI overrides it. */
export function commandLine(): string {
  const manifest = JSON.parse(readFileSync(inRepository("package.json"), "utf8")) as {
    bin: Record<string, string>;
  };
  const script = process.env["EVERYPATH_CLI"] ?? inRepository(manifest.bin["everypath"]!);
  if (!existsSync(script)) throw new Error(`${script} is missing: run "npm run build" first`);
  return script;
}

function parseReport(stdout: string): EverypathReport | undefined {
  try {
    return safetyAlone(JSON.parse(stdout) as EverypathReport);
  } catch {
    return undefined; // Not JSON: the caller shows the raw output.
  }
}

/**
 * The results of the safety search: peers run without claims. Temporal properties have separate runs, after the run for
 * all others.
 */
function safetyAlone(report: EverypathReport): EverypathReport {
  const [first, ...others] = report.runs.filter(({ isAbandoned }) => !isAbandoned);
  if (!first || others.length === 0) return report;
  const properties = report.properties.filter((p) => first.properties.includes(p.name));
  const verdict = (["violated", "unknown"] as const).find((v) => properties.some((p) => p.verdict === v));
  const spin = { transitions: first.stats.transitions + 1 };
  return {
    ...report,
    verdict: verdict ?? "holds",
    properties,
    stats: { ...report.stats, ...first.stats, spin },
  };
}

const errorsOf = (report: EverypathReport): string =>
  report.diagnostics
    .filter((diagnostic) => diagnostic.severity === "error")
    .map(({ code, message, line }) => `${line ?? "?"}: ${message} [${code}]`)
    .join("\n");
