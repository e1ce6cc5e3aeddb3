/**
 * Files we write: whole or not at all. A reader never sees half a file, and an old file stays, with its mode, until the new one is
 * ready. Devices, pipes and files with several names are written through: replacing them would cut off their readers.
 */
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { readProblem } from "../session/index.js";

/** Reason why `path` cannot be written, as far as it is visible in advance. */
export function writeProblem(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) return "it is a directory";
    if (found) accessSync(path, constants.W_OK);
    if (!found || isReplaced(path, found)) accessSync(dirname(targetOf(path)), constants.W_OK);
    return undefined;
  } catch (error) {
    return readProblem(error);
  }
}

/** Do two paths, of which the second may not exist yet, lead to the same file? */
export const isSameFile = (a: string, b: string): boolean => identityOf(a) === identityOf(b);

/** Links of both kinds lead to the same identity. */
function identityOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile()) return path; // Several texts may go to one device.
  if (found) return `${found.dev}:${found.ino}`;
  try {
    const target = targetOf(path);
    return join(realpathSync(dirname(target)), basename(target));
  } catch {
    return path; // Not writable, which is reported elsewhere.
  }
}

/** Why it could not be written; undefined when it was. */
export async function writeWhole(path: string, text: string): Promise<string | undefined> {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    const open = found && openAs(found);
    if (open !== undefined) writeFileSync(open, text);
    else if (found && !isReplaced(path, found)) await writeFile(path, text);
    else replace(targetOf(path), text, found);
    return undefined;
  } catch (error) {
    return readProblem(error);
  }
}

/** Is there a regular file with one name, in a folder where another can be put in its place? */
function isReplaced(path: string, found: Stats): boolean {
  if (!found.isFile() || found.nlink > 1 || openAs(found) !== undefined) return false;
  return !/^\/(proc|dev)\//.test(realpathSync(dirname(resolve(path))) + "/");
}

/** Standard output or error, if the path denotes it: `--html /dev/stdout`. */
function openAs({ dev, ino }: Stats): number | undefined {
  return [1, 2].find((descriptor) => {
    try {
      const open = fstatSync(descriptor);
      return open.dev === dev && open.ino === ino;
    } catch {
      return false;
    }
  });
}

/** Resolves links, including dangling ones. */
function targetOf(path: string): string {
  let at = path;
  for (let links = 0; links < 40; links++) {
    let next: string;
    try {
      next = readlinkSync(at);
    } catch {
      return at;
    }
    at = resolve(dirname(at), next);
  }
  return at;
}

function replace(target: string, text: string, found: Stats | undefined): void {
  const temporary = `${target}.${process.pid}.tmp`;
  const file = openSync(temporary, "wx", found ? 0o600 : 0o666);
  try {
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (found) keepRights(temporary, found);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function keepRights(path: string, { uid, gid, mode }: Stats): void {
  const own = statSync(path);
  if (own.uid !== uid || own.gid !== gid)
    try {
      chownSync(path, uid, gid);
    } catch {
      // Only the owner of all files may give them away; the mode below still counts.
    }
  chmodSync(path, mode & 0o7777);
}
