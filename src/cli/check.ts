/** `everypath check FILE…`: verify, report, exit code. */
import { Sources, hasErrors, worst, type Progress } from "../model/index.js";
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
import { checkApart } from "../session/apart/index.js";
import { nothingChecked, readInput, registry, type Checked } from "../session/index.js";
import { checkOptions, type CheckFlags } from "./check-options.js";
import { refuseBadOutputs, writeOutputs } from "./check-outputs.js";
import { refuseBadResources } from "./check-resources.js";
import { combine, Exit, exitCodeOfCheck } from "./exit.js";
import type { CheckBegun, WorkerMessage } from "./supervision.js";
import { Interrupt, hasColor, progressStyle, type Terminal } from "./terminal.js";
import { nth } from "../model/known.js";

export async function runCheck(
  files: readonly string[],
  flags: CheckFlags,
  terminal: Terminal,
  argv: readonly string[],
): Promise<number> {
  refuseBadOutputs(files, flags, argv);
  refuseBadResources(files, flags, argv);
  const interrupt = new Interrupt(terminal);
  const send = (message: WorkerMessage): void => terminal.supervisor?.send(message);
  send({ kind: "begun", check: begun(files, flags) });
  const results: CheckReport[] = [];
  const codes: number[] = [];
  for (const file of files) {
    send({ kind: "file", file });
    const checked = await checkFile(file, flags, terminal, interrupt);
    send({ kind: "answered" });
    const { report } = checked;
    const written = await writeOutputs(checked, flags);
    const complete = { ...report, diagnostics: [...report.diagnostics, ...written.diagnostics] };
    if (!flags.json) {
      if (results.length > 0 && !flags.quiet) terminal.stdout.write("\n");
      printText(complete, flags, terminal);
    }
    results.push(complete);
    const code = written.hasFailed ? Exit.notWritten : exitCodeOfCheck(complete);
    codes.push(code);
    if (files.length > 1) send({ kind: "checked", code, json: flags.json ? checkJson(complete) : undefined });
  }
  interrupt.release();
  if (flags.json) terminal.stdout.write(`${JSON.stringify(asJson(results), null, 2)}\n`);
  return combine(codes);
}

const begun = (files: readonly string[], flags: CheckFlags): CheckBegun => ({
  files,
  json: flags.json === true,
  quiet: flags.quiet === true,
  color: flags.color,
  timeMs: flags.time,
  memoryBytes: flags.memory,
});

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
  const onProgress = (now: Progress): void => {
    progress.update(now);
    terminal.supervisor?.send({ kind: "progress", progress: now });
  };
  const control = { onProgress, isStopped: () => interrupt.isStopped };
  const result = await checkApart(
    input,
    { ...checkOptions(flags), control },
    registry,
    {},
    terminal.supervisor !== undefined,
  );
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
  if (reports.length === 1) return checkJson(nth(reports, 0));
  const files: FilesJson = {
    everypath: version,
    verdict: worst(reports.map(overallVerdict)),
    files: reports.map(checkJson),
  };
  return files;
}
