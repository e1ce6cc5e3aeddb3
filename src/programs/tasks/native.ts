/** Runs the exported sequential program natively, with the guesses and inputs of a run that had a real queue. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Slot, TaskProgram } from "../../model/tasks.js";
import { sequentialC } from "./export.js";

/** What a run with a real queue has seen. */
export interface QueuedRun {
  readonly run: {
    readonly inputs: readonly { readonly values: readonly bigint[] }[];
    readonly end: { readonly kind: string; readonly error?: NativeError } | undefined;
  };
  /** The phase in which each input was requested. */
  readonly inputPhases: readonly number[];
  /** The variables when each phase from the second on began. */
  readonly starts: readonly PhaseStart[];
  readonly phase: number;
}

interface NativeError {
  readonly kind: string;
  readonly span?: unknown;
}

export interface PhaseStart {
  readonly phase: number;
  /** In the order of the slots. */
  readonly values: readonly (bigint | { readonly symbol: string | undefined; readonly offset: number })[];
  /** Tasks in the queue, handlers that are off, all handlers off. */
  readonly bits: readonly boolean[];
}

export interface SequentialRun {
  readonly compiler: string;
  readonly tool: "sequential program";
  readonly outcome: "same" | "other" | "none";
  readonly report: string;
}

const TIME_MS = 60_000;

export function replaySequential(
  program: TaskProgram,
  queued: QueuedRun,
): SequentialRun | { readonly problem: string } {
  const text = sequentialC(program, "gcc");
  if (typeof text !== "string") return { problem: `the sequential program has no form in C: ${text.why}` };
  const ran = runSequential(text, { EVERYPATH_INPUTS: inputsOf(program, queued) });
  if ("problem" in ran) return ran;
  const { end } = queued.run;
  const expected = end?.kind === "error" ? end.error : undefined;
  const line = (expected?.span as { readonly line?: number } | undefined)?.line;
  const [, phase, kind, at] = /^BUG phase (\d+): (.*) at line (\d+)/m.exec(ran.output) ?? [];
  const report = ran.output.split("\n")[0] ?? "";
  const isSame =
    expected !== undefined &&
    kind === expected.kind &&
    Number(phase) === queued.phase &&
    (line === undefined || Number(at) === line);
  const outcome = isSame ? "same" : kind === undefined ? "none" : "other";
  return {
    compiler: ran.compiler,
    tool: "sequential program",
    outcome,
    report: `sequential program: ${report}`,
  };
}

/** Compiles a program of the flavour `gcc` without warnings and runs it; files are given by the variables that name them. */
export function runSequential(
  text: string,
  files: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
): { readonly compiler: string; readonly output: string } | { readonly problem: string } {
  const folder = mkdtempSync(join(tmpdir(), "everypath-bbs-"));
  try {
    const source = join(folder, "sequential.c");
    const binary = join(folder, "sequential");
    writeFileSync(source, text);
    const compiler = ["gcc", "clang", "clang-16", "cc"].find(
      (name) => spawnSync(name, ["--version"], { timeout: TIME_MS }).status === 0,
    );
    if (compiler === undefined) return { problem: "no C compiler is installed" };
    const built = spawnSync(
      compiler,
      ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-o", binary, source],
      {
        encoding: "utf8",
        timeout: TIME_MS,
      },
    );
    if (built.status !== 0)
      return {
        problem: `${compiler} does not compile the sequential program: ${built.stderr.split("\n").find((each) => each.includes("error")) ?? ""}`,
      };
    const env: Record<string, string | undefined> = { ...process.env, ...variables };
    for (const [name, content] of Object.entries(files)) {
      env[name] = join(folder, name);
      writeFileSync(join(folder, name), content);
    }
    const { stdout, status, signal } = spawnSync(binary, [], { encoding: "utf8", env, timeout: TIME_MS });
    if (status !== 0 && status !== 1)
      return { problem: `the sequential program ends with ${signal ?? status ?? "nothing"}` };
    return { compiler, output: stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One line a value: its kind, its phase, its number and the value. */
function inputsOf({ slots }: TaskProgram, { run, inputPhases, starts }: QueuedRun): string {
  const lines = run.inputs.flatMap(({ values }, index) =>
    values.map((value) => `i ${inputPhases[index] ?? 1} ${BigInt.asIntN(64, value)} 0`),
  );
  for (const { phase, values, bits } of starts) {
    bits.forEach((bit, index) => lines.push(`b ${phase} ${index} ${bit ? 1 : 0}`));
    slots.forEach((slot, index) => lines.push(...slotLines(slot, index, phase, values[index])));
  }
  return `${lines.join("\n")}\n`;
}

function slotLines(
  slot: Slot,
  index: number,
  phase: number,
  value: PhaseStart["values"][number] | undefined,
): string[] {
  if (value === undefined) return [];
  if (typeof value === "bigint")
    return slot.isPointer ? [] : [`n ${phase} ${index} ${BigInt.asIntN(64, value)}`];
  const found = slot.targets.findIndex(
    ({ symbol, offset }) =>
      symbol === value.symbol && (symbol === undefined || offset === undefined || offset === value.offset),
  );
  return [
    `p ${phase} ${index} ${found + 1}`,
    ...(slot.targets[found]?.offset === undefined ? [`n ${phase} ${index} ${value.offset}`] : []),
  ];
}
