/** Files we write: whole or not at all. A reader never sees half a file, and an old file stays until the new one is ready. */
import { accessSync, constants, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
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

/** Do two paths, of which the second may not exist yet, lead to the same file? */
export const isSameFile = (a: string, b: string): boolean => identityOf(a) === identityOf(b);

/** Links of both kinds lead to the same identity. */
function identityOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found) return `${found.dev}:${found.ino}`;
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path; // Nothing can be written there, which is said elsewhere.
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
