/**
 * Runs a program natively with given inputs, under sanitizers: a second opinion on an error.
 *
 * A driver in C replaces the functions that request inputs; arguments and standard input are those of the process. Accesses,
 * overflows and the like are checked by AddressSanitizer and UndefinedBehaviorSanitizer; uninitialised values by
 * MemorySanitizer or, without it, by Valgrind.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  argumentBytes,
  DRIVER,
  INPUTS_VARIABLE,
  inputsText,
  quoted,
  UNFED,
  type NativeInputs,
} from "./driver.js";
import { HEADER } from "./library.js";
import { classesOf } from "./sanitizers.js";

export interface NativeRequest {
  readonly file: string;
  readonly text: string;
  readonly defines: readonly string[];
  /** Preferred compiler. */
  readonly compiler: string | undefined;
  readonly inputs: NativeInputs;
  /** The class of the error that the run should show. */
  readonly expected: string | undefined;
}

export interface NativeRun {
  readonly compiler: string;
  readonly tool: Tool;
  /** `same`: the expected class of error is reported; `other`: another one; `none`: the run ends without a report. */
  readonly outcome: "same" | "other" | "none";
  /** First line of the report. */
  readonly report: string;
}

type Tool = "sanitizers" | "memory sanitizer" | "valgrind";

const FLAGS: Readonly<Record<Tool, readonly string[]>> = {
  sanitizers: [
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
  ],
  "memory sanitizer": ["-fsanitize=memory", "-fno-sanitize-recover=all"],
  valgrind: ["-gdwarf-4"], // Valgrind does not read later debug information.
};

const ENVIRONMENT = {
  ASAN_OPTIONS:
    "detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1:max_allocation_size_mb=256:strict_string_checks=0",
  UBSAN_OPTIONS: "print_stacktrace=0",
};

const TIME_MS = 20_000;

export function runNatively(request: NativeRequest): NativeRun | { readonly problem: string } {
  const folder = mkdtempSync(join(tmpdir(), "everypath-native-"));
  try {
    const built = build(request, folder);
    if ("problem" in built) return built;
    const { compiler, tool, binary } = built;
    const start = tool === "valgrind" ? `valgrind -q --error-exitcode=77 ${binary}` : `-a program ${binary}`;
    // Arguments are bytes, which Node would encode: the shell passes them on as they are.
    const words = argumentBytes(request.inputs).map(quoted);
    const { stderr, signal, status, error } = spawnSync(
      "bash",
      ["-c", `exec ${[start, ...words].join(" ")}`],
      {
        input: Buffer.from(request.inputs.stdin),
        encoding: "utf8",
        env: { ...process.env, ...ENVIRONMENT, [INPUTS_VARIABLE]: join(folder, "inputs") },
        timeout: TIME_MS,
        maxBuffer: 2 ** 26,
      },
    );
    if (error && "code" in error && error.code === "ETIMEDOUT")
      return { problem: `the native run has not ended after ${TIME_MS / 1000} seconds` };
    if (error) return { problem: `the native run fails: ${error.message}` };
    if (status === UNFED)
      return { problem: "the native run requests other inputs, or an assumption is false" };
    const found = classesOf(stderr, signal);
    const isSame = request.expected !== undefined && found.classes.has(request.expected);
    const outcome = isSame ? "same" : found.classes.size > 0 ? "other" : "none";
    return { compiler, tool, outcome, report: found.report };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function build(
  { file, text, defines, compiler: wanted, inputs, expected }: NativeRequest,
  folder: string,
):
  { readonly compiler: string; readonly tool: Tool; readonly binary: string } | { readonly problem: string } {
  writeFileSync(join(folder, "everypath.h"), HEADER);
  writeFileSync(join(folder, "driver.c"), DRIVER);
  writeFileSync(join(folder, "inputs"), inputsText(inputs));
  const binary = join(folder, "program");
  let problem = "no C compiler with sanitizers is installed (gcc, or clang with compiler-rt)";
  for (const [compiler, tool] of candidates(wanted, expected)) {
    const { status, stderr } = spawnSync(
      compiler,
      [
        ...["-g", "-O0", "-w", ...FLAGS[tool], "-isystem", folder, "-iquote", dirname(file)],
        ...defines.map((define) => `-D${define}`),
        ...["-o", binary, join(folder, "driver.c"), "-x", "c", "-", "-lm"],
      ],
      { input: `# 1 ${JSON.stringify(file)}\n${text}`, encoding: "utf8", timeout: 120_000 },
    );
    if (status === 0) return { compiler, tool, binary };
    const line = stderr.split("\n").find((each) => each.includes("error"));
    if (line !== undefined && !/cannot find|linker command failed/.test(line))
      problem = `${compiler} does not compile the program: ${line.trim()}`;
  }
  return { problem };
}

/** Compilers and tools in the order in which they are tried. */
function candidates(wanted: string | undefined, expected: string | undefined): (readonly [string, Tool])[] {
  const compilers = [...(wanted === undefined ? [] : [wanted]), "clang", "clang-16", "gcc"].filter(
    isInstalled,
  );
  if (expected !== "uninitialised") return compilers.map((compiler) => [compiler, "sanitizers"] as const);
  return [
    ...compilers.map((compiler) => [compiler, "memory sanitizer"] as const),
    ...(isInstalled("valgrind") ? compilers.map((compiler) => [compiler, "valgrind"] as const) : []),
  ];
}

const installed = new Map<string, boolean>();

function isInstalled(command: string): boolean {
  const known = installed.get(command);
  if (known !== undefined) return known;
  const isThere = spawnSync(command, ["--version"], { timeout: TIME_MS }).status === 0;
  installed.set(command, isThere);
  return isThere;
}
