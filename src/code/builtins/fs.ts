/**
 * `node:fs`: files in memory, which a crash takes back to what was synced.
 *
 * What does not wait happens at once. What does is an operation that is pending: it takes effect when it completes, and
 * operations complete in any order.
 */
import * as core from "./fs-core.js";
import * as promises from "./fs-promises.js";
import * as streams from "./fs-streams.js";

type Done = (error: Error | null, value?: unknown) => void;

export const {
  accessSync,
  appendFileSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} = core;
export { Dirent, Stats } from "./fs-core.js";
export { ReadStream, WriteStream, createReadStream, createWriteStream } from "./fs-streams.js";

/** The last argument is the callback. */
function later(name: string, run: (...args: never[]) => unknown) {
  return (...args: unknown[]): void => {
    const done = args.pop();
    if (typeof done !== "function")
      throw Object.assign(new TypeError('The "cb" argument must be of type function. Received undefined'), {
        code: "ERR_INVALID_ARG_TYPE",
      });
    core.operation(name, String(args[0]), () => run(...(args as never[])), done as Done);
  };
}

export const access = later("access", core.accessSync);
export const appendFile = later("appendFile", core.appendFileSync);
export const close = later("close", core.closeSync);
export const copyFile = later("copyFile", core.copyFileSync);
export const fdatasync = later("fdatasync", core.fdatasyncSync);
export const fstat = later("fstat", core.fstatSync);
export const fsync = later("fsync", core.fsyncSync);
export const ftruncate = later("ftruncate", core.ftruncateSync);
export const lstat = later("lstat", core.lstatSync);
export const mkdir = later("mkdir", core.mkdirSync);
export const mkdtemp = later("mkdtemp", core.mkdtempSync);
export const open = later("open", core.openSync);
export const read = later("read", core.readSync);
export const readFile = later("readFile", core.readFileSync);
export const readdir = later("readdir", core.readdirSync);
export const realpath = later("realpath", core.realpathSync);
export const rename = later("rename", core.renameSync);
export const rm = later("rm", core.rmSync);
export const rmdir = later("rmdir", core.rmdirSync);
export const stat = later("stat", core.statSync);
export const truncate = later("truncate", core.truncateSync);
export const unlink = later("unlink", core.unlinkSync);
export const write = later("write", core.writeSync);
export const writeFile = later("writeFile", core.writeFileSync);

/** Never fails, and so has a callback of its own kind. */
export function exists(path: core.PathLike, done: (isThere: boolean) => void): void {
  core.operation(
    "exists",
    String(path),
    () => core.existsSync(path),
    (_error, value) => done(value === true),
  );
}

export { promises };

export default {
  access,
  accessSync,
  appendFile,
  appendFileSync,
  close,
  closeSync,
  copyFile,
  copyFileSync,
  exists,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstat,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncate,
  ftruncateSync,
  lstat,
  lstatSync,
  mkdir,
  mkdirSync,
  mkdtemp,
  mkdtempSync,
  open,
  openSync,
  read,
  readFile,
  readFileSync,
  readSync,
  readdir,
  readdirSync,
  realpath,
  realpathSync,
  rename,
  renameSync,
  rm,
  rmSync,
  rmdir,
  rmdirSync,
  stat,
  statSync,
  truncate,
  truncateSync,
  unlink,
  unlinkSync,
  write,
  writeFile,
  writeFileSync,
  writeSync,
  promises,
  Dirent: core.Dirent,
  Stats: core.Stats,
  constants,
  ...streams,
};
