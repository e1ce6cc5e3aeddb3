/** The exit code of a result. */
import { hasErrors } from "../model/index.js";
import { overallVerdict, type CheckReport, type ExecutionReport } from "../report/index.js";
import { Exit } from "./exit-codes.js";

export { Exit };

export function exitCodeOfCheck(report: CheckReport): number {
  if (hasErrors(report.diagnostics)) return Exit.badInput;
  const verdict = overallVerdict(report);
  return verdict === "unknown" && report.accepted ? Exit.holds : Exit[verdict];
}

/** A simulation without an error proves nothing, but succeeded; a replay reproduces its error or not. */
export function exitCodeOfExecution(report: ExecutionReport): number {
  if (hasErrors(report.diagnostics)) return Exit.badInput;
  if (report.outcome === "failed") return Exit.violated;
  if (report.outcome === "diverged") return Exit.unknown;
  return report.command === "simulate" ? Exit.holds : Exit.unknown;
}

/** An answer that is lost before everything, then bad input, violated, unknown, holds. */
export const combine = (codes: readonly number[]): number =>
  [Exit.internal, Exit.notWritten, Exit.badInput, Exit.violated, Exit.unknown].find((code) =>
    codes.includes(code),
  ) ?? Exit.holds;
