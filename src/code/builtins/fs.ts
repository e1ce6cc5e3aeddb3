/**
 * `node:fs`: files in memory, which a crash resets to the synced state.
 *
 * Synchronous functions take effect at once. Asynchronous ones are pending operations: their steps take effect at some
 * time before completion, and operations complete in any order.
 *
 * Read `fs-world.ts` first, then `fs-descriptors.ts`; `fs-contents.ts`, `fs-stats.ts` and `fs-tree.ts` contain the
 * synchronous functions.
 */
import { constants, type PathLike } from "./fs-arguments.js";
import {
  appendFileSync,
  copyFileSync,
  ftruncateSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "./fs-contents.js";
import { closeSync, fdatasyncSync, fsyncSync, openSync, readSync, writeSync } from "./fs-descriptors.js";
import * as promises from "./fs-promises.js";
import { accessSync, existsSync, fstatSync, lstatSync, realpathSync, Stats, statSync } from "./fs-stats.js";
import * as streams from "./fs-streams.js";
import {
  Dirent,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from "./fs-tree.js";
import { perform } from "./fs-operations.js";

type Done = (error: Error | null, value?: unknown) => void;

export {
  accessSync,
  appendFileSync,
  closeSync,
  constants,
  copyFileSync,
  Dirent,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  Stats,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
};
export { ReadStream, WriteStream, createReadStream, createWriteStream } from "./fs-streams.js";

function later(name: string, run: (...args: never[]) => unknown) {
  return (...args: unknown[]): void => {
    const done = args.pop();
    if (typeof done !== "function")
      throw Object.assign(new TypeError('The "cb" argument must be of type function. Received undefined'), {
        code: "ERR_INVALID_ARG_TYPE",
      });
    perform(name, args[0], args, run, done as Done);
  };
}

export const access = later("access", accessSync);
export const appendFile = later("appendFile", appendFileSync);
export const close = later("close", closeSync);
export const copyFile = later("copyFile", copyFileSync);
export const fdatasync = later("fdatasync", fdatasyncSync);
export const fstat = later("fstat", fstatSync);
export const fsync = later("fsync", fsyncSync);
export const ftruncate = later("ftruncate", ftruncateSync);
export const lstat = later("lstat", lstatSync);
export const mkdir = later("mkdir", mkdirSync);
export const mkdtemp = later("mkdtemp", mkdtempSync);
export const open = later("open", openSync);
export const read = later("read", readSync);
export const readFile = later("readFile", readFileSync);
export const readdir = later("readdir", readdirSync);
export const realpath = later("realpath", realpathSync);
export const rename = later("rename", renameSync);
export const rm = later("rm", rmSync);
export const rmdir = later("rmdir", rmdirSync);
export const stat = later("stat", statSync);
export const truncate = later("truncate", truncateSync);
export const unlink = later("unlink", unlinkSync);
export const write = later("write", writeSync);
export const writeFile = later("writeFile", writeFileSync);

/** Never fails, so its callback takes no error. */
export function exists(path: PathLike, done: (isThere: boolean) => void): void {
  perform("exists", path, [path], existsSync, (_error, value) => done(value === true));
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
  Dirent,
  Stats,
  constants,
  ...streams,
};
