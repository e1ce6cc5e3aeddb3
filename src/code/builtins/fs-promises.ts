/** `node:fs/promises`. */
import * as core from "./fs-core.js";
import { Buffer } from "./buffer.js";

export { constants } from "./fs-core.js";

type Contents = Parameters<typeof core.writeFileSync>[1];
type FileOptions = Parameters<typeof core.writeFileSync>[2];

function perform<T>(name: string, what: unknown, run: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    core.operation(name, String(what), run, (error, value) => (error ? reject(error) : resolve(value as T)));
  });
}

const promised =
  <Args extends unknown[], T>(name: string, run: (...args: Args) => T) =>
  (...args: Args): Promise<T> =>
    perform(name, args[0] instanceof FileHandle ? `descriptor ${args[0].fd}` : args[0], () =>
      run(...(args.map((arg) => (arg instanceof FileHandle ? arg.fd : arg)) as Args)),
    );

/** An open file. */
export class FileHandle {
  readonly fd: number;

  constructor(descriptor: number) {
    this.fd = descriptor;
  }

  async read(
    buffer: ArrayBufferView = Buffer.alloc(16384),
    offset = 0,
    length = buffer.byteLength - offset,
    position: number | null = null,
  ): Promise<{ bytesRead: number; buffer: ArrayBufferView }> {
    const bytesRead = await this.#perform("read", () =>
      core.readSync(this.fd, buffer, offset, length, position),
    );
    return { bytesRead, buffer };
  }

  async write(
    contents: Contents,
    ...rest: (number | string | null)[]
  ): Promise<{ bytesWritten: number; buffer: Contents }> {
    const bytesWritten = await this.#perform("write", () => core.writeSync(this.fd, contents, ...rest));
    return { bytesWritten, buffer: contents };
  }

  readFile(options?: FileOptions): Promise<string | Buffer> {
    return this.#perform("readFile", () => core.readFileSync(this.fd, options));
  }

  writeFile(contents: Contents, options?: FileOptions): Promise<void> {
    return this.#perform("writeFile", () => core.writeFileSync(this.fd, contents, options));
  }

  appendFile(contents: Contents, options?: FileOptions): Promise<void> {
    return this.writeFile(contents, options);
  }

  sync(): Promise<void> {
    return this.#perform("fsync", () => core.fsyncSync(this.fd));
  }

  datasync(): Promise<void> {
    return this.#perform("fdatasync", () => core.fdatasyncSync(this.fd));
  }

  truncate(length = 0): Promise<void> {
    return this.#perform("ftruncate", () => core.ftruncateSync(this.fd, length));
  }

  stat(): Promise<core.Stats> {
    return this.#perform("fstat", () => core.fstatSync(this.fd));
  }

  close(): Promise<void> {
    return this.#perform("close", () => core.closeSync(this.fd));
  }

  [Symbol.for("Symbol.asyncDispose")](): Promise<void> {
    return this.close();
  }

  #perform<T>(name: string, run: () => T): Promise<T> {
    return perform(name, `descriptor ${this.fd}`, run);
  }
}

export const open = async (path: core.PathLike, flags?: string | number): Promise<FileHandle> =>
  new FileHandle(await perform("open", path, () => core.openSync(path, flags)));
export const access = promised("access", core.accessSync);
export const appendFile = promised("appendFile", core.appendFileSync);
export const copyFile = promised("copyFile", core.copyFileSync);
export const lstat = promised("lstat", core.lstatSync);
export const mkdir = promised("mkdir", core.mkdirSync);
export const mkdtemp = promised("mkdtemp", core.mkdtempSync);
export const readFile = promised("readFile", core.readFileSync);
export const readdir = promised("readdir", core.readdirSync);
export const realpath = promised("realpath", core.realpathSync);
export const rename = promised("rename", core.renameSync);
export const rm = promised("rm", core.rmSync);
export const rmdir = promised("rmdir", core.rmdirSync);
export const stat = promised("stat", core.statSync);
export const truncate = promised("truncate", core.truncateSync);
export const unlink = promised("unlink", core.unlinkSync);
export const writeFile = promised("writeFile", core.writeFileSync);

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
  constants: core.constants,
};
