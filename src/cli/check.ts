/** `everypath check FILE…`: verify, report, exit code. */
import { Sources, hasErrors, worst } from "../model/index.js";
import {
  ProgressReporter,
  checkJson,
  overallVerdict,
  palette,
  renderCheck,
  renderDiagnostics,
  version,
  type CheckReport,
  type FilesJson,
} from "../report/index.js";
import { checkApart } from "../sandbox/index.js";
import { nothingChecked, readInput, registry, type Checked } from "../session/index.js";
import { checkOptions, type CheckFlags } from "./check-options.js";
import { refuseBadOutputs, writeOutputs } from "./check-outputs.js";
import { refuseBadResources } from "./check-resources.js";
import { combine, exitCodeOfCheck } from "./exit.js";
import { Interrupt, hasColor, progressStyle, type Terminal } from "./terminal.js";

export async function runCheck(
  files: readonly string[],
  flags: CheckFlags,
  terminal: Terminal,
  argv: readonly string[],
): Promise<number> {
  refuseBadOutputs(files, flags, argv);
  refuseBadResources(files, flags, argv);
  const interrupt = new Interrupt(terminal);
  const results: CheckReport[] = [];
  const codes: number[] = [];
  for (const file of files) {
    const checked = await checkFile(file, flags, terminal, interrupt);
    const { report } = checked;
    const problems = await writeOutputs(checked, flags);
    const complete = { ...report, diagnostics: [...report.diagnostics, ...problems] };
    if (!flags.json) {
      if (results.length > 0 && !flags.quiet) terminal.stdout.write("\n");
      printText(complete, flags, terminal);
    }
    results.push(complete);
    codes.push(exitCodeOfCheck(complete));
  }
  interrupt.release();
  if (flags.json) terminal.stdout.write(`${JSON.stringify(asJson(results), null, 2)}\n`);
  return combine(codes);
}

async function checkFile(
  file: string,
  flags: CheckFlags,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<Checked> {
  const input = readInput(file);
  if ("code" in input)
    return { report: nothingChecked(file, "", [input], new Sources()), code: undefined, model: undefined };
  const progress = new ProgressReporter(terminal.stderr, progressStyle(flags.progress, terminal));
  const control = { onProgress: progress.update.bind(progress), isStopped: () => interrupt.isStopped };
  const result = await checkApart(input, { ...checkOptions(flags), control }, registry);
  progress.finish();
  return result;
}

function printText(report: CheckReport, flags: CheckFlags, { stdout, stderr, env }: Terminal): void {
  if (report.diagnostics.length > 0)
    stderr.write(
      renderDiagnostics(report.diagnostics, report.sources, palette(hasColor(flags.color, stderr, env))),
    );
  const isChecked = report.properties.length + report.runs.length > 0;
  if (!isChecked && hasErrors(report.diagnostics)) return;
  const color = hasColor(flags.color, stdout, env);
  const width = stdout.columns;
  const { trace: traceFile, traceFormat, quiet } = flags;
  const isQuiet = quiet === true || !isChecked;
  stdout.write(renderCheck(report, { color, width, traceFile, traceFormat, isQuiet }));
}

/** One object; for several files their combined verdict and one object each. */
function asJson(reports: readonly CheckReport[]): unknown {
  if (reports.length === 1) return checkJson(reports[0]!);
  const files: FilesJson = {
    everypath: version,
    verdict: worst(reports.map(overallVerdict)),
    files: reports.map(checkJson),
  };
  return files;
}
