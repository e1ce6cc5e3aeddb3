/** Files we write: whole or not at all. A reader never sees half a file, and an old file stays until the new one is ready. */
import { accessSync, constants, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { readProblem } from "../session/index.js";

/** Why `path` cannot be written, as far as can be told before there is something to write. */
export function writeProblem(path: string): string | undefined {
  try {
    accessSync(dirname(path), constants.W_OK);
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? "it is a directory" : undefined;
  } catch (error) {
    return readProblem(error);
  }
}

/** Why it could not be written; undefined when it was. */
export function writeWhole(path: string, text: string): string | undefined {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, path);
    return undefined;
  } catch (error) {
    rmSync(temporary, { force: true });
    return readProblem(error);
  }
}
