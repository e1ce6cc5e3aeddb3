/** `node:fs/promises`. */
import { Buffer } from "./buffer.js";
import { constants, type Contents, type Options, type PathLike } from "./fs-arguments.js";
import {
  appendFileSync,
  copyFileSync,
  ftruncateSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "./fs-contents.js";
import { closeSync, fdatasyncSync, fsyncSync, openSync, readSync, writeSync } from "./fs-descriptors.js";
import { accessSync, fstatSync, lstatSync, realpathSync, statSync, type Stats } from "./fs-stats.js";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from "./fs-tree.js";
import { perform } from "./fs-operations.js";
import { lacking, takeOnly } from "./lacking.js";

export { constants };

function promise<T>(
  name: string,
  what: unknown,
  args: readonly unknown[],
  run: (...args: never[]) => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, value?: unknown): void =>
      error ? reject(error) : resolve(value as T);
    perform(name, what, args, run, done, "in one go");
  });
}

const promised =
  <Args extends unknown[], T>(name: string, run: (...args: Args) => T) =>
  (...args: Args): Promise<T> => {
    const what = args[0] instanceof FileHandle ? `descriptor ${args[0].fd}` : args[0];
    const plain = args.map((arg) => (arg instanceof FileHandle ? arg.fd : arg));
    return promise(name, what, plain, run as unknown as (...args: never[]) => T);
  };

const Lacking = /* @__PURE__ */ lacking(class {}, "FileHandle", {
  methods:
    "chmod chown readv readLines utimes writev readableWebStream createReadStream createWriteStream getAsyncId on once off emit addListener removeListener",
});

export class FileHandle extends Lacking {
  readonly fd: number;

  constructor(descriptor: number) {
    super();
    this.fd = descriptor;
  }

  async read(
    buffer: ArrayBufferView = Buffer.alloc(16384),
    offset = 0,
    length = buffer.byteLength - offset,
    position: number | null = null,
  ): Promise<{ bytesRead: number; buffer: ArrayBufferView }> {
    if (!ArrayBuffer.isView(buffer) || typeof offset === "object")
      takeOnly("FileHandle.read", { options: true }, "");
    const bytesRead = await this.#perform("read", readSync, buffer, offset, length, position);
    return { bytesRead, buffer };
  }

  async write(
    contents: Contents,
    ...rest: (number | string | null)[]
  ): Promise<{ bytesWritten: number; buffer: Contents }> {
    takeOnly("FileHandle.write", rest[0], "");
    const bytesWritten = await this.#perform("write", writeSync, contents, ...rest);
    return { bytesWritten, buffer: contents };
  }

  readFile(options?: Options): Promise<string | Buffer> {
    return this.#perform("readFile", readFileSync, options);
  }

  writeFile(contents: Contents, options?: Options): Promise<void> {
    return this.#perform("writeFile", writeFileSync, contents, options);
  }

  appendFile(contents: Contents, options?: Options): Promise<void> {
    return this.writeFile(contents, options);
  }

  sync(): Promise<void> {
    return this.#perform("fsync", fsyncSync);
  }

  datasync(): Promise<void> {
    return this.#perform("fdatasync", fdatasyncSync);
  }

  truncate(length = 0): Promise<void> {
    return this.#perform("ftruncate", ftruncateSync, length);
  }

  stat(): Promise<Stats> {
    return this.#perform("fstat", fstatSync);
  }

  close(): Promise<void> {
    return this.#perform("close", closeSync);
  }

  [Symbol.for("Symbol.asyncDispose")](): Promise<void> {
    return this.close();
  }

  #perform<T>(name: string, run: (...args: never[]) => T, ...args: readonly unknown[]): Promise<T> {
    return promise(name, `descriptor ${this.fd}`, [this.fd, ...args], run);
  }
}

export const open = async (path: PathLike, flags?: string | number): Promise<FileHandle> =>
  new FileHandle(await promise("open", path, [path, flags], openSync));
export const access = promised("access", accessSync);
export const appendFile = promised("appendFile", appendFileSync);
export const copyFile = promised("copyFile", copyFileSync);
export const lstat = promised("lstat", lstatSync);
export const mkdir = promised("mkdir", mkdirSync);
export const mkdtemp = promised("mkdtemp", mkdtempSync);
export const readFile = promised("readFile", readFileSync);
export const readdir = promised("readdir", readdirSync);
export const realpath = promised("realpath", realpathSync);
export const rename = promised("rename", renameSync);
export const rm = promised("rm", rmSync);
export const rmdir = promised("rmdir", rmdirSync);
export const stat = promised("stat", statSync);
export const truncate = promised("truncate", truncateSync);
export const unlink = promised("unlink", unlinkSync);
export const writeFile = promised("writeFile", writeFileSync);

export default {
  FileHandle,
  access,
  appendFile,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  truncate,
  unlink,
  writeFile,
  constants,
};
