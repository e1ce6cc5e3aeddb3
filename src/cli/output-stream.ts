/** Standard output that cannot be written: one line says so, and the exit code. */
import { Exit } from "./exit-codes.js";

/** Whatever text is lost, the answer is not complete: nothing that comes later would mend that. */
export function failOnOutput(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): void {
  stdout.removeAllListeners("error");
  stdout.on("error", (error: NodeJS.ErrnoException) => outputLost(error, stderr));
  process.stderr.removeAllListeners("error");
  process.stderr.on("error", noteLostDiagnostics);
}

/** Progress and diagnostics that cannot be written are no reason to stop; the exit code tells at the end. */
export function noteLostDiagnostics(): void {
  areDiagnosticsLost = true;
}

let areDiagnosticsLost = false;

export function outputLost(error: NodeJS.ErrnoException, stderr: NodeJS.WriteStream): never {
  const why = problems[error.code ?? ""] ?? error.message;
  try {
    stderr.write(`everypath: cannot write to standard output: ${why}\n`);
  } catch {
    // Then the exit code alone says it.
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

/** Ends the process when everything is written, whatever still runs in it: an answer that is there needs nothing else. */
export function endWhenWritten(code: number): void {
  process.exitCode = code;
  const end = (): never => process.exit(areDiagnosticsLost ? Exit.notWritten : code);
  process.stdout.write("", (error) => {
    if (!error) return process.stderr.write("", end);
    // The event tells why; the callback may only know that the stream is closed.
    setImmediate(() => outputLost(error, process.stderr));
  });
}
