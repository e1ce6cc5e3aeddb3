/** Failures of standard output: one line on standard error, and the exit code. */
import { Exit } from "./exit-codes.js";

/** After any lost text the output is incomplete, and later output cannot repair it. */
export function failOnOutput(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): void {
  stdout.removeAllListeners("error");
  stdout.on("error", (error: NodeJS.ErrnoException) => outputLost(error, stderr));
  process.stderr.removeAllListeners("error");
  process.stderr.on("error", noteLostDiagnostics);
}

/** Failures to write progress and diagnostics do not stop the work; the exit code reports them. */
export function noteLostDiagnostics(): void {
  areDiagnosticsLost = true;
}

let areDiagnosticsLost = false;

export function outputLost(error: NodeJS.ErrnoException, stderr: NodeJS.WriteStream): never {
  const why = problems[error.code ?? ""] ?? error.message;
  try {
    stderr.write(`everypath: cannot write to standard output: ${why}\n`);
  } catch {
    // Then only the exit code reports it.
  }
  process.exit(Exit.notWritten);
}

const problems: Partial<Record<string, string>> = {
  ENOSPC: "no space is left",
  EDQUOT: "no space is left",
  EFBIG: "the file would become too large",
  EPIPE: "its reader is gone",
  EIO: "the device fails",
};

/** Did writing to a stream fail, rather than something else? */
export const isOutputFailure = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  (error as NodeJS.ErrnoException).syscall === "write" &&
  (error as NodeJS.ErrnoException).code !== undefined;

/** Ends the process after all output is written, despite running work. */
export function endWhenWritten(code: number): void {
  process.exitCode = code;
  const end = (): never => process.exit(areDiagnosticsLost ? Exit.notWritten : code);
  process.stdout.write("", (error) => {
    if (!error) return process.stderr.write("", end);
    // The event has the reason; the callback may only report a closed stream.
    setImmediate(() => outputLost(error, process.stderr));
  });
}
