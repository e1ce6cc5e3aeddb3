/** `everypath lts FILE`: the labelled transition system of a model, possibly minimised. */
import { Option, type Command } from "commander";
import { minimisingEquivalences, type MinimisingEquivalence } from "../engines/lts/index.js";
import { renderAut } from "../languages/aut/index.js";
import { ltsJson, type LtsJson } from "../languages/aut/json.js";
import { hasErrors, type Lts } from "../model/index.js";
import { counted, diagnosticJson, renderLtsDot, version, type DiagnosticJson } from "../report/index.js";
import { readInput, registry, toLts, type LtsResult } from "../session/index.js";
import { Exit } from "./exit.js";
import {
  addExplorationOptions,
  controlled,
  printDiagnostics,
  stopText,
  type ExplorationFlags,
} from "./lts-options.js";
import { writeProblem, writeWhole } from "./output-file.js";
import type { Terminal } from "./terminal.js";
import { usageError } from "./usage.js";
import { oneOf } from "./values.js";

export interface LtsFlags extends ExplorationFlags {
  readonly minimise?: MinimisingEquivalence;
  readonly aut?: boolean;
  readonly dot?: boolean;
  readonly json?: boolean;
  readonly output?: string;
}

export const addLtsOptions = (command: Command): Command =>
  addExplorationOptions(
    command
      .addOption(
        new Option(
          "--minimise <relation>",
          `replace it by its quotient: ${minimisingEquivalences.join(", ")}`,
        ).argParser(oneOf("--minimise", minimisingEquivalences)),
      )
      .option("--aut", "print it in the format of Aldebaran")
      .option("--dot", "print it for Graphviz")
      .option("--json", "print one JSON object")
      .option("-o, --output <file>", "write to a file instead of standard output"),
  );

export async function runLts(
  file: string,
  flags: LtsFlags,
  terminal: Terminal,
  argv: readonly string[],
): Promise<number> {
  refuseContradictions(flags, argv);
  const input = readInput(file);
  if ("code" in input) throw usageError(argv, "cannot-read", input.message, file);
  const minimise = flags.minimise ? { minimise: flags.minimise } : {};
  const result = await controlled(flags, terminal, (options) =>
    toLts(input, { ...options, ...minimise }, registry),
  );
  if (!flags.json) printDiagnostics(result.diagnostics, result.sources, flags, terminal);
  const code = hasErrors(result.diagnostics) ? Exit.badInput : result.lts ? Exit.holds : Exit.unknown;
  if (flags.aut && result.lts && result.lts.initial.length !== 1)
    throw usageError(
      argv,
      "one-initial-state",
      `there are ${result.lts.initial.length} initial states, and .aut has one`,
      "--aut",
      "--json writes all of them",
    );
  return (await emit(textOf(result, flags), flags, terminal)) ? code : Exit.notWritten;
}

function refuseContradictions(flags: LtsFlags, argv: readonly string[]): void {
  const formats = (["aut", "dot", "json"] as const).filter((name) => flags[name]);
  if (formats.length > 1)
    throw usageError(
      argv,
      "one-format",
      `--${formats[0]} and --${formats[1]} are two formats; one is printed`,
      `--${formats[1]}`,
    );
  const problem = flags.output === undefined ? undefined : writeProblem(flags.output);
  if (problem !== undefined)
    throw usageError(argv, "cannot-write", `cannot write '${flags.output}': ${problem}`, flags.output);
}

async function emit(text: string, { output }: LtsFlags, { stdout, stderr }: Terminal): Promise<boolean> {
  if (output === undefined) {
    stdout.write(text);
    return true;
  }
  const problem = await writeWhole(output, text);
  if (problem !== undefined) stderr.write(`everypath: cannot write '${output}': ${problem}\n`);
  return problem === undefined;
}

function textOf(result: LtsResult, flags: LtsFlags): string {
  if (flags.json) return `${JSON.stringify(ltsResultJson(result), null, 2)}\n`;
  if (!result.lts) return unknownText(result);
  if (flags.aut) return renderAut(result.lts);
  if (flags.dot) return renderLtsDot(result.lts);
  return `${result.file}: ${sizeText(result.lts)}${beforeText(result, flags)}\n`;
}

function unknownText({ file, stop, diagnostics }: LtsResult): string {
  if (hasErrors(diagnostics)) return "";
  const why = stop ? stopText(stop) : diagnostics.find(({ severity }) => severity !== "note")?.message;
  return why === undefined ? "" : `${file}: unknown: ${why}\n`;
}

const sizeText = ({ states, targets, labels }: Lts): string =>
  [
    counted(states, "state"),
    counted(targets.length, "transition"),
    counted(labels.length - 1, "visible label"),
  ].join(", ");

const beforeText = ({ explored }: LtsResult, { minimise }: LtsFlags): string =>
  minimise === undefined
    ? ""
    : ` (${minimise}; before: ${counted(explored.states, "state")}, ${counted(explored.transitions, "transition")})`;

/** Output of `lts --json`: the system's fields are absent if it was not computed. */
export interface LtsResultJson extends Partial<LtsJson> {
  readonly everypath: string;
  readonly file: string;
  readonly language: string;
  /** Why the computation did not end. */
  readonly stop?: string;
  /** Size before minimisation. */
  readonly explored: { readonly states: number; readonly transitions: number };
  readonly seconds: number;
  readonly notes: readonly string[];
  readonly diagnostics: readonly DiagnosticJson[];
}

const ltsResultJson = ({
  file,
  language,
  lts,
  explored,
  seconds,
  stop,
  notes,
  ...rest
}: LtsResult): LtsResultJson => ({
  everypath: version,
  file,
  language,
  ...(stop === undefined ? {} : { stop }),
  explored,
  seconds,
  notes,
  ...(lts ? ltsJson(lts) : {}),
  diagnostics: rest.diagnostics.map((diagnostic) => diagnosticJson(diagnostic, rest.sources)),
});
