/** `everypath replay TRACE [FILE]`: re-executes a trace and reports whether it reproduces its error. */
import { Option, type Command } from "commander";
import { hasErrors } from "../model/index.js";
import {
  counted,
  executionJson,
  palette,
  renderDiagnostics,
  renderPlace,
  renderState,
  renderSteps,
  type ExecutionReport,
  type Narrative,
  type TraceStyle,
} from "../report/index.js";
import { replayApart, runsCode, type Debugging } from "../session/apart/index.js";
import { readInput, registry } from "../session/index.js";
import { exitCodeOfExecution } from "./exit.js";
import {
  EXPORT_FORMATS,
  exportRequests,
  refuseBadExports,
  writeExports,
  type ExportRequest,
} from "./export.js";
import { addModelOptions, addOutputOptions, type ModelFlags, type OutputFlags } from "./options.js";
import { hasColor, type Terminal } from "./terminal.js";
import { optionsFor, readTrace } from "./trace-argument.js";
import { usageError } from "./usage.js";
import { count } from "./values.js";

export interface ReplayFlags extends ModelFlags, OutputFlags {
  /** `true`: at the usual port. */
  readonly inspect?: number | true;
  readonly property?: string;
  readonly export?: readonly ExportRequest[];
  readonly native?: boolean;
}

export function addReplayOptions(command: Command): Command {
  const inspect = new Option("--inspect [port]", "of code: wait for a debugger before the first step (9229)");
  command.addOption(inspect.argParser(count("--inspect", 0, 65_535)));
  command.option("--property <name>", "of a test file: the test whose schedule it is");
  command.option("--native", "of a C program: also run it natively, under sanitizers");
  const exported = new Option(
    "--export <format[=file]>",
    `write the trace as ${EXPORT_FORMATS.join(", ")}; repeatable`,
  );
  command.addOption(exported.argParser(exportRequests));
  return addOutputOptions(addModelOptions(command));
}

export async function runReplay(
  traceArgument: string,
  fileArgument: string | undefined,
  flags: ReplayFlags,
  terminal: Terminal,
  argv: readonly string[],
): Promise<number> {
  const printsExport = refuseBadExports(flags, argv);
  const trace = readTrace(traceArgument, argv);
  const file = fileArgument ?? trace.modelFile;
  if (file === undefined) {
    const message = "which model is it a trace of?";
    throw usageError(argv, "missing-file", message, traceArgument, "everypath replay TRACE FILE");
  }
  const input = readInput(file);
  if ("code" in input) throw usageError(argv, "cannot-read", input.message, fileArgument);
  const options = optionsFor(traceArgument, trace, flags, argv);
  if (flags.inspect !== undefined && !runsCode(input, options.language, registry)) {
    const message = "only systems of nodes are code that a debugger can look at";
    throw usageError(argv, "no-code", message, "--inspect");
  }
  const { property } = flags;
  const request = {
    ...trace.request,
    ...(property === undefined ? {} : { property }),
    ...(flags.native ? { isNative: true } : {}),
  };
  const report = await replayApart(input, request, options, registry, {}, debuggingOf(flags, terminal));
  const problem = report.trace && (await writeExports(report, report.trace, flags.export ?? [], terminal));
  if (problem) throw usageError(argv, problem.code, problem.message, "--export");
  if (printsExport) printProblems(report, flags, terminal);
  else if (flags.json) terminal.stdout.write(`${JSON.stringify(executionJson(report), null, 2)}\n`);
  else printText(report, flags, terminal);
  return exitCodeOfExecution(report);
}

function debuggingOf({ inspect }: ReplayFlags, { stderr }: Terminal): Debugging | undefined {
  if (inspect === undefined) return undefined;
  const port = inspect === true ? USUAL_PORT : inspect;
  const say = (text: string): void => void stderr.write(`${text}\n`);
  return {
    port,
    onWaiting: (url) => {
      if (url === undefined)
        return say(`no debugger can connect: port ${port} is in use; --inspect=0 selects a free port`);
      say(`Waiting for a debugger at ${url}`);
      say(
        "Chrome: chrome://inspect. VS Code: attach to a Node process at that port. It stops before the first step.",
      );
    },
  };
}

/** Of Node's debuggers. */
const USUAL_PORT = 9229;

function printProblems(
  { diagnostics, sources }: ExecutionReport,
  flags: ReplayFlags,
  terminal: Terminal,
): void {
  const { stderr, env } = terminal;
  if (diagnostics.length > 0)
    stderr.write(renderDiagnostics(diagnostics, sources, palette(hasColor(flags.color, stderr, env))));
}

function printText(report: ExecutionReport, flags: ReplayFlags, terminal: Terminal): void {
  const { stdout, env } = terminal;
  const { diagnostics, sources, trace } = report;
  printProblems(report, flags, terminal);
  if (hasErrors(diagnostics) || !trace) return;
  const style: TraceStyle = {
    colors: palette(hasColor(flags.color, stdout, env)),
    width: Math.min(120, Math.max(60, stdout.columns || 100)),
    sources,
    mainFile: report.file,
  };
  const lines = flags.quiet ? [] : traceLines(report, trace, style);
  stdout.write([...lines, resultLine(report, trace, style)].map((line) => `${line}\n`).join(""));
}

function traceLines(report: ExecutionReport, trace: Narrative, style: TraceStyle): string[] {
  const { colors } = style;
  const place = trace.fault >= 0 ? trace.steps.at(-1)?.sources[0] : undefined;
  return [
    ...renderSteps(trace, style),
    "",
    ...(place ? [colors.bad(colors.bold(report.reason)), ...renderPlace(place, style), ""] : []),
    colors.bold("State at the end"),
    ...renderState(trace.final, style),
    "",
  ];
}

function resultLine(
  { outcome, reason, file }: ExecutionReport,
  trace: Narrative,
  { colors }: TraceStyle,
): string {
  const title = colors.bold(file);
  const after = `after ${counted(trace.length, "step")}`;
  if (outcome === "failed") return `${title}: ${colors.bad("reproduced")} ${after}: ${reason}`;
  if (outcome === "diverged") return `${title}: ${colors.warning("diverged")} ${after}: ${reason}`;
  return `${title}: ${colors.warning("not reproduced")} ${after}: ${reason}`;
}
