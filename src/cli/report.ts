/** `everypath report DIR`: the union of results that jobs wrote with `--json`. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { worst } from "../model/index.js";
import {
  counted,
  formatSeconds,
  palette,
  quote,
  unionOfResults,
  version,
  type CheckJson,
  type FilesJson,
  type Palette,
} from "../report/index.js";
import { Exit, combine } from "./exit.js";
import { addOutputOptions, type OutputFlags } from "./options.js";
import { hasColor, type Terminal } from "./terminal.js";
import { usageError } from "./usage.js";

export const addReportOptions = (command: Command): Command => addOutputOptions(command);

export function runReport(
  directory: string,
  flags: OutputFlags,
  terminal: Terminal,
  argv: readonly string[],
): number {
  const files = unionOfResults(resultsIn(directory, argv));
  const { stdout, env } = terminal;
  const colors = palette(hasColor(flags.color, stdout, env));
  const all: FilesJson = { everypath: version, verdict: worst(files.map(({ verdict }) => verdict)), files };
  if (flags.json) stdout.write(`${JSON.stringify(all, null, 2)}\n`);
  else
    stdout.write(
      files.map((file) => linesOf(file, flags.quiet === true, colors).join("\n")).join("\n\n") + "\n",
    );
  return combine(files.map(exitCodeOf));
}

function resultsIn(directory: string, argv: readonly string[]): CheckJson[] {
  let names: string[];
  try {
    names = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".json"),
    );
  } catch (error) {
    throw usageError(
      argv,
      "cannot-read",
      `cannot read '${directory}': ${(error as Error).message}`,
      directory,
    );
  }
  if (names.length === 0)
    throw usageError(
      argv,
      "no-results",
      `there are no results in '${directory}'`,
      directory,
      "jobs write them: everypath simulate FILE --runs N --json > DIR/1.json",
    );
  return names.sort().flatMap((name) => {
    const results = parsed(readFileSync(join(directory, name), "utf8"));
    if (results) return results;
    throw usageError(argv, "no-result", `'${name}' is not a result of check or simulate --json`, directory);
  });
}

/** One result, or those of several files; undefined: it is something else. */
function parsed(text: string): readonly CheckJson[] | undefined {
  try {
    const value = JSON.parse(text) as CheckJson | FilesJson;
    const results = "files" in value ? value.files : [value];
    const isResult = ({ everypath, file, properties, runs, scope, stats }: Partial<CheckJson>): boolean =>
      typeof everypath === "string" &&
      typeof file === "string" &&
      Array.isArray(properties) &&
      Array.isArray(runs) &&
      scope !== undefined &&
      stats !== undefined;
    return results.every(isResult) ? results : undefined;
  } catch {
    return undefined;
  }
}

function exitCodeOf({ diagnostics, verdict, accepted }: CheckJson): number {
  if (diagnostics.some(({ severity }) => severity === "error")) return Exit.badInput;
  return verdict === "unknown" && accepted !== null ? Exit.holds : Exit[verdict];
}

function linesOf(result: CheckJson, isQuiet: boolean, colors: Palette): string[] {
  const { file, verdict, properties, diagnostics, accepted, scope } = result;
  const paint = { holds: colors.good, violated: colors.bad, unknown: colors.warning }[verdict];
  const first = properties.find((property) => property.verdict === verdict);
  const accepting = verdict === "unknown" && accepted !== null ? ` (accepted: --accept ${accepted})` : "";
  const title = `${colors.bold(file)}: ${colors.bold(paint(verdict))}: ${first?.reason ?? scope.by}${accepting}`;
  if (isQuiet) return [title];
  const width = Math.max(0, ...properties.map(({ name }) => name.length));
  return [
    title,
    ...diagnostics.map(
      ({ code, severity, message, hint }) => `  ${severity}[${code}]: ${message}${hint ? ` (${hint})` : ""}`,
    ),
    ...properties.map(
      (property) => `  ${property.name.padEnd(width)}  ${property.verdict.padEnd(8)}  ${property.reason}`,
    ),
    ...figureLines(result),
    ...properties.flatMap(({ trace }) =>
      trace
        ? [`  Again: everypath replay ${[trace.schedule, file, ...optionsOf(result)].map(quote).join(" ")}`]
        : [],
    ),
  ];
}

const optionsOf = ({ runs }: CheckJson): readonly string[] =>
  runs.find(({ simulation }) => simulation)?.simulation?.options ?? [];

const figureLines = ({ runs }: CheckJson): string[] =>
  runs.flatMap(({ simulation }) =>
    simulation
      ? [
          `  ${counted(simulation.runs, "run")} of ${simulation.planned}, ${counted(simulation.steps, "step")}, ${formatSeconds(simulation.processorSeconds)} of processor time; --seed ${simulation.seed}`,
        ]
      : [],
  );
