/** `everypath test FILE`: generates tests that cover the paths of a C program. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Option, type Command } from "commander";
import { hasErrors, type Control, type Progress } from "../model/index.js";
import {
  counted,
  diagnosticJson,
  palette,
  ProgressReporter,
  renderDiagnostics,
  version,
  type DiagnosticJson,
} from "../report/index.js";
import { generateTests, readInput, registry, testFiles, type TestResult } from "../session/index.js";
import { Exit } from "./exit.js";
import { modelOptions, type ModelFlags, type OutputFlags, type ProgressFlags } from "./options.js";
import { addProgramOptions } from "./program-options.js";
import { hasColor, Interrupt, progressStyle, type Terminal } from "./terminal.js";
import { usageError } from "./usage.js";
import { collectDefines, count, duration, oneOf } from "./values.js";

const STRATEGIES = ["fork", "dfs", "bfs", "random", "cfg"] as const;
const SOLVERS = ["auto", "z3", "native", "cvc5", "all"] as const;

export interface TestFlags extends ModelFlags, OutputFlags, ProgressFlags {
  readonly output?: string;
  readonly strategy: (typeof STRATEGIES)[number];
  readonly solver: (typeof SOLVERS)[number];
  readonly seed: number;
  readonly maxStates?: number;
  readonly maxDepth?: number;
  readonly time?: number;
}

export const addTestOptions = (command: Command): Command =>
  addProgramOptions(command)
    .option("--language <name>", "the language of the file (default: by extension)")
    .addOption(
      new Option("-D, --define <name[=value]>", "define a preprocessor macro; repeatable").argParser(
        collectDefines,
      ),
    )
    .option("-o, --output <folder>", "write the tests, a driver in C and a script that runs them")
    .addOption(
      new Option("--strategy <name>", `which path comes next: ${STRATEGIES.join(", ")}`)
        .default("fork")
        .argParser(oneOf("--strategy", STRATEGIES)),
    )
    .addOption(
      new Option("--solver <name>", "the solver: auto, z3, native, cvc5 or all")
        .default("auto")
        .argParser(oneOf("--solver", SOLVERS)),
    )
    .addOption(new Option("--seed <n>", "seed of random choices").default(1).argParser(count("--seed", 0)))
    .addOption(new Option("--max-states <n>", "stop after n paths").argParser(count("--max-states")))
    .addOption(new Option("--max-depth <n>", "decisions on a path").argParser(count("--max-depth")))
    .addOption(
      new Option("--time <duration>", "stop after this time, such as 90s or 5m").argParser(
        duration("--time"),
      ),
    )
    .option("--json", "print one JSON object")
    .option("--quiet", "print only the result line")
    .addOption(
      new Option("--progress <style>", "auto, plain or none")
        .default("auto")
        .argParser(oneOf("--progress", ["auto", "plain", "none"])),
    )
    .addOption(
      new Option("--color <when>", "auto, always or never")
        .default("auto")
        .argParser(oneOf("--color", ["auto", "always", "never"])),
    );

export async function runTest(
  file: string,
  flags: TestFlags,
  terminal: Terminal,
  argv: readonly string[],
): Promise<number> {
  const input = readInput(file);
  if ("code" in input) throw usageError(argv, "cannot-read", input.message, file);
  const result = await controlled(flags, terminal, (control) =>
    generateTests(
      input,
      {
        ...modelOptions(flags),
        strategy: flags.strategy,
        seed: flags.seed,
        solver: flags.solver,
        control,
        budget: {
          ...(flags.maxStates === undefined ? {} : { maxStates: flags.maxStates }),
          ...(flags.maxDepth === undefined ? {} : { maxDepth: flags.maxDepth }),
          ...(flags.time === undefined ? {} : { timeMs: flags.time }),
        },
      },
      registry,
    ),
  );
  const json = testJson(result);
  if (flags.output !== undefined && result.generated) {
    const problem = written(result, flags.define ?? [], flags.output, json);
    if (problem !== undefined)
      throw usageError(argv, "cannot-write", `cannot write '${flags.output}': ${problem}`, flags.output);
  }
  print(result, json, flags, terminal);
  if (hasErrors(result.diagnostics)) return Exit.badInput;
  return json.verdict === "violated" ? Exit.violated : json.verdict === "unknown" ? Exit.unknown : Exit.holds;
}

async function controlled<T>(
  flags: TestFlags,
  terminal: Terminal,
  work: (control: Control) => Promise<T>,
): Promise<T> {
  const interrupt = new Interrupt(terminal);
  const progress = new ProgressReporter(terminal.stderr, progressStyle(flags.progress, terminal));
  try {
    return await work({
      onProgress: (now: Progress) => progress.update(now),
      isStopped: () => interrupt.isStopped,
    });
  } finally {
    progress.finish();
    interrupt.release();
  }
}

/** A problem, or undefined. */
function written(
  result: TestResult,
  defines: readonly string[],
  output: string,
  json: TestJson,
): string | undefined {
  const folder = resolve(output);
  try {
    mkdirSync(folder, { recursive: true });
    const file = { ...result, file: resolve(result.file) };
    for (const [name, content] of testFiles(file, defines, folder))
      writeFileSync(join(folder, name), content, name.endsWith(".sh") ? { mode: 0o755 } : {});
    writeFileSync(join(folder, "coverage.json"), `${JSON.stringify(json.coverage, null, 2)}\n`);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Output of `test --json`. */
export interface TestJson {
  readonly everypath: string;
  readonly file: string;
  readonly language: string;
  /** `violated`: a test shows an error; `unknown`: paths are missing; `holds`: there is a test for every path, and none fails. */
  readonly verdict: "holds" | "violated" | "unknown";
  /** Why paths may be missing. */
  readonly open: readonly string[];
  readonly tests: readonly {
    readonly schedule: string;
    readonly inputs: readonly { readonly name: string; readonly values: readonly string[] }[];
    /** Exit status; null: an error, or one that the run does not determine. */
    readonly status: number | null;
    readonly error: string | null;
    readonly output: string;
    /** It covers a line or branch outcome that no earlier test covers. */
    readonly isNew: boolean;
  }[];
  readonly coverage: CoverageJson;
  readonly stats: {
    readonly paths: number;
    readonly instructions: number;
    readonly queries: number;
    readonly seconds: number;
  };
  readonly diagnostics: readonly DiagnosticJson[];
}

export interface CoverageJson {
  readonly lines: { readonly covered: number; readonly total: number };
  readonly branches: { readonly covered: number; readonly total: number };
  readonly files: readonly {
    readonly file: string;
    readonly lines: readonly { readonly line: number; readonly isCovered: boolean }[];
    readonly branches: readonly {
      readonly line: number;
      readonly taken: number;
      readonly outcomes: number;
    }[];
  }[];
}

function testJson({ file, language, generated, diagnostics, sources }: TestResult): TestJson {
  const { tests = [], coverage = [], open = [], bounds = [] } = generated ?? {};
  const reasons = [...open, ...bounds];
  const hasError = tests.some(({ error }) => error !== undefined);
  return {
    everypath: version,
    file,
    language,
    verdict: hasError ? "violated" : reasons.length > 0 || !generated ? "unknown" : "holds",
    open: reasons,
    tests: tests.map(({ schedule, inputs, status, error, output, isNew }) => ({
      schedule: `:${schedule.join(",")}`,
      inputs: inputs.map(({ name, values }) => ({ name, values: values.map(String) })),
      status: status ?? null,
      error: error ?? null,
      output: Buffer.from(output).toString("latin1"),
      isNew,
    })),
    coverage: coverageJson(coverage),
    stats: {
      paths: generated?.paths ?? 0,
      instructions: generated?.instructions ?? 0,
      queries: generated?.queries ?? 0,
      seconds: generated?.seconds ?? 0,
    },
    diagnostics: diagnostics.map((diagnostic) => diagnosticJson(diagnostic, sources)),
  };
}

function coverageJson(files: CoverageJson["files"]): CoverageJson {
  const lines = files.flatMap((file) => file.lines);
  const branches = files.flatMap((file) => file.branches);
  return {
    lines: { covered: lines.filter(({ isCovered }) => isCovered).length, total: lines.length },
    branches: {
      covered: branches.reduce((sum, { taken }) => sum + taken, 0),
      total: branches.reduce((sum, { outcomes }) => sum + outcomes, 0),
    },
    files,
  };
}

function print(
  result: TestResult,
  json: TestJson,
  flags: TestFlags,
  { stdout, stderr, env }: Terminal,
): void {
  if (flags.json) {
    stdout.write(`${JSON.stringify(json, null, 2)}\n`);
    return;
  }
  if (result.diagnostics.length > 0)
    stderr.write(
      renderDiagnostics(result.diagnostics, result.sources, palette(hasColor(flags.color, stderr, env))),
    );
  if (!result.generated) return;
  const colors = palette(hasColor(flags.color, stdout, env));
  const { tests, coverage, open } = json;
  const lines: string[] = [];
  const errors = tests.filter(({ error }) => error !== null);
  if (!flags.quiet) {
    for (const { error, schedule } of errors) lines.push(colors.bad(`  ${error}`), `    inputs ${schedule}`);
    for (const { file, ...each } of coverage.files) {
      const missed = each.lines.filter(({ isCovered }) => !isCovered).map(({ line }) => line);
      if (missed.length > 0) lines.push(`  ${file}: lines without a test: ${missed.join(", ")}`);
    }
    for (const reason of open) lines.push(`  incomplete: ${reason}`);
  }
  const share = ({ covered, total }: { covered: number; total: number }): string => `${covered} of ${total}`;
  const found = errors.length > 0 ? colors.bad(`, ${errors.length} with an error`) : "";
  const written = flags.output === undefined ? "" : `, in ${flags.output}`;
  lines.push(
    `${colors.bold(result.file)}: ${counted(tests.length, "test")}${found}${written}; lines ${share(coverage.lines)}, branch outcomes ${share(coverage.branches)}`,
  );
  stdout.write(lines.map((line) => `${line}\n`).join(""));
}
