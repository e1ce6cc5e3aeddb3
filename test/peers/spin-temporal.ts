/**
 * Spin's verdicts on temporal properties: `spin -a`, the C compiler once, then `pan` for each search (`-a`, `-a -f`,
 * `-l`). Without partial-order reduction and statement merging, so that the steps equal ours.
 */
import { copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { panCompiler, type Optimisation } from "./pan-compiler.js";
import { inTemporaryDirectory, runProcess, type ProcessResult } from "./process.js";
import { plainSpin } from "./spin.js";

export interface TemporalRequest {
  /** Options of `spin` besides `-a`, including definitions. */
  readonly spin?: readonly string[];
  /** Additional `-D` for the C compiler. */
  readonly compile?: readonly string[];
  /** Options of pan, a list for each search. */
  readonly searches: readonly (readonly string[])[];
  readonly optimise?: Optimisation;
  /** With Spin's reductions: fewer steps, the same verdicts for stutter-invariant properties. */
  readonly isReduced?: boolean;
  readonly timeoutMs?: number;
}

export type SpinVerdict =
  | { readonly kind: "holds" }
  /** The first error, and the texts of all errors (with `-c0`). */
  | { readonly kind: "violated"; readonly message: string; readonly messages: readonly string[] }
  | { readonly kind: "excluded"; readonly why: string };

/** One verdict for each search. */
export function spinVerdictsOnText(text: string, request: TemporalRequest): Promise<SpinVerdict[]> {
  return inTemporaryDirectory((directory) => {
    writeFileSync(join(directory, "model.pml"), text);
    return verdicts("model.pml", directory, request);
  });
}

/** The same for a text that replaces a file, with the files next to it. */
export function spinVerdictsOnFile(
  file: string,
  text: string,
  request: TemporalRequest,
): Promise<SpinVerdict[]> {
  return inTemporaryDirectory((directory) => {
    for (const entry of readdirSync(dirname(resolve(file)), { withFileTypes: true }))
      if (entry.isFile()) copyFileSync(join(dirname(file), entry.name), join(directory, entry.name));
    writeFileSync(join(directory, basename(file)), text);
    return verdicts(basename(file), directory, request);
  });
}

async function verdicts(model: string, directory: string, request: TemporalRequest): Promise<SpinVerdict[]> {
  const deadline = performance.now() + (request.timeoutMs ?? 30_000);
  const stage = (command: string, args: readonly string[]): Promise<ProcessResult> => {
    const timeoutMs = Math.max(1, deadline - performance.now());
    return runProcess({ command, arguments: args, directory, timeoutMs });
  };
  const all = (verdict: SpinVerdict): SpinVerdict[] => request.searches.map(() => verdict);
  const spin = await stage("spin", [
    ...(request.isReduced ? [] : plainSpin),
    ...(request.spin ?? []),
    ...["-a", model],
  ]);
  if (spin.timedOut) return all({ kind: "excluded", why: "time-out in spin" });
  if (spin.exitCode !== 0) return all({ kind: "excluded", why: `rejected by spin: ${lastLine(spin)}` });
  const defines = [
    ...(request.isReduced ? [] : ["NOREDUCE"]),
    "VECTORSZ=8192",
    "MEMLIM=2000",
    "NFAIR=4",
    ...(request.compile ?? []),
  ];
  const compiler = panCompiler(request.optimise);
  const gcc = await stage(compiler.command, [
    ...compiler.arguments,
    ...defines.map((d) => `-D${d}`),
    "-o",
    "pan",
    "pan.c",
  ]);
  if (gcc.timedOut) return all({ kind: "excluded", why: "time-out in gcc" });
  if (gcc.exitCode !== 0) return all({ kind: "excluded", why: `rejected by gcc: ${lastLine(gcc)}` });
  const found: SpinVerdict[] = [];
  for (const search of request.searches)
    found.push(verdictOf(await stage("./pan", [...search, "-m1000000", "-w20"])));
  return found;
}

function verdictOf(pan: ProcessResult): SpinVerdict {
  if (pan.timedOut) return { kind: "excluded", why: "time-out in pan" };
  const { stdout } = pan;
  const messages = [...stdout.matchAll(/^pan:\d+: (.*) \(at depth -?\d+\)$/gm)].map((line) => line[1]!);
  const [message] = messages;
  if (message !== undefined)
    return isTemporal(message)
      ? { kind: "violated", message, messages }
      : { kind: "excluded", why: `pan stops at another error: ${message.replace(/\d+/g, "N")}` };
  if (/max search depth too small/.test(stdout)) return { kind: "excluded", why: "pan ran out of depth" };
  if (/MEMLIM|out of memory|VECTORSZ/.test(stdout)) return { kind: "excluded", why: "pan ran out of memory" };
  if (!/errors: 0$/m.test(stdout)) return { kind: "excluded", why: "pan died" };
  return { kind: "holds" };
}

/** Assertions of Spin's claims are temporal: the caller must exclude assertions of the model. */
const isTemporal = (message: string): boolean =>
  /^(acceptance cycle|non-progress cycle|end state in claim|accept stutter|claim violated)/.test(message) ||
  (/^assertion violated/.test(message) && !/invalid array index/.test(message));

const lastLine = ({ stdout, stderr }: ProcessResult): string =>
  `${stdout}${stderr}`.trim().split("\n").at(-1) ?? "";
