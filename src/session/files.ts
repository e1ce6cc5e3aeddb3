/** Models from the file system. */
import { readFileSync } from "node:fs";
import type { Diagnostic } from "../model/index.js";
import type { Input } from "./request.js";

/** Reads a file as an input; a diagnostic if it cannot be read. */
export function readInput(file: string): Input | Diagnostic {
  try {
    return { file, text: readFileSync(file, "utf8"), readFile };
  } catch (error) {
    return {
      code: "session/cannot-read",
      severity: "error",
      message: `cannot read '${file}': ${readProblem(error)}`,
      span: { file, start: 0, end: 0 },
    };
  }
}

/** Describes an error of the file system. */
export function readProblem(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code && problems[code]) || message;
}

const problems: Record<string, string | undefined> = {
  ENOENT: "no such file or directory",
  EACCES: "permission denied",
  EISDIR: "it is a directory",
  ENOTDIR: "part of its path is not a directory",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left",
  EDQUOT: "no space is left",
  EFBIG: "the file would become too large",
  EPIPE: "its reader is gone",
  ENXIO: "there is no device behind it",
};

function readFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // The including file's diagnostic reports the missing file.
  }
}
