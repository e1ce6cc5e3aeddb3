/** The functions of `node:fs` that happen at once; the others are made of them. */
import { Files, fileError } from "../devices/files.js";
import { storageOf } from "../devices/storage.js";
import { world } from "../world/current.js";
import { refuse } from "../world/failure.js";
import { Buffer } from "./buffer.js";
import { resolve } from "./path.js";

export type PathLike = string | Uint8Array | { readonly href: string; readonly pathname: string };
export type Encoding = string | null | undefined;
export type Options =
  Encoding | { readonly encoding?: Encoding; readonly flag?: string; readonly mode?: number };
export type Contents = string | ArrayBufferView;

export const constants = Object.freeze({
  F_OK: 0,
  R_OK: 4,
  W_OK: 2,
  X_OK: 1,
  COPYFILE_EXCL: 1,
  O_RDONLY: 0,
  O_WRONLY: 1,
  O_RDWR: 2,
  O_CREAT: 64,
  O_EXCL: 128,
  O_TRUNC: 512,
  O_APPEND: 1024,
});

interface Opened {
  readonly path: string;
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
  readonly appends: boolean;
  position: number;
}

const files = new Files(storageOf(world));
/** Kept with the world, because a crash closes them all. */
const descriptors = new Map<number, Opened>();
world.parts.set("descriptors", descriptors);
const firstDescriptor = 3;

/** One that waits: it takes effect when it completes, in any order with others. */
export function operation(
  name: string,
  what: string,
  run: () => unknown,
  done: (error: Error | null, value?: unknown) => void,
): void {
  world.tell("call", "files", `${name} ${what}`);
  world.add({
    lane: "files",
    label: `${name} ${what}`,
    queue: "",
    due: undefined,
    run: () => {
      let value: unknown;
      try {
        value = run();
      } catch (error) {
        return done(error as Error);
      }
      done(null, value);
    },
  });
}

/** May this operation fail, as the test asked for? Every way is tried. */
function mayFail(call: string, path: string): void {
  const failures = world.parts.get("file-failures") as { left: number; readonly code: string } | undefined;
  if (!failures || failures.left <= 0 || world.choose(2) === 0) return;
  failures.left--;
  world.tell("note", "files", `${call} fails with ${failures.code}`);
  throw fileError(failures.code, call, path);
}

export function pathOf(path: PathLike): string {
  if (typeof path === "string") {
    if (path.includes("\0")) throw invalid("path", "a string without null bytes");
    return resolve(path);
  }
  if (path instanceof Uint8Array) return resolve(Buffer.from(path).toString());
  if (path !== null && typeof path === "object" && "pathname" in path)
    return resolve(decodeURIComponent(path.pathname));
  throw invalid("path", "of type string or an instance of Buffer or URL");
}

const invalid = (name: string, what: string): Error =>
  Object.assign(new TypeError(`The "${name}" argument must be ${what}.`), { code: "ERR_INVALID_ARG_TYPE" });

const encodingOf = (options: Options): Encoding =>
  typeof options === "object" && options !== null ? options.encoding : options;
const flagOf = (options: Options, usual: string): string =>
  typeof options === "object" && options !== null ? (options.flag ?? usual) : usual;

export function bytesOf(contents: Contents, encoding: Encoding): Uint8Array {
  if (typeof contents === "string") return Buffer.from(contents, encoding ?? "utf8");
  if (ArrayBuffer.isView(contents))
    return new Uint8Array(contents.buffer, contents.byteOffset, contents.byteLength).slice();
  throw invalid("data", "of type string or an instance of Buffer, TypedArray, or DataView");
}

export function openSync(path: PathLike, flags: string | number = "r"): number {
  const name = pathOf(path);
  const how = openFlags(flags);
  mayFail("open", name);
  const stat = files.stat(name);
  if (stat && how.isNew) throw fileError("EEXIST", "open", name);
  if (!stat && !how.makes) throw fileError("ENOENT", "open", name);
  if (stat?.isDirectory && how.mayWrite) throw fileError("EISDIR", "open", name);
  if (!stat || (how.empties && !stat.isDirectory)) files.write(name, new Uint8Array(0), "open");
  let descriptor = firstDescriptor;
  while (descriptors.has(descriptor)) descriptor++;
  const { mayRead, mayWrite, appends } = how;
  descriptors.set(descriptor, { path: name, mayRead, mayWrite, appends, position: 0 });
  return descriptor;
}

function openFlags(flags: string | number): {
  mayRead: boolean;
  mayWrite: boolean;
  appends: boolean;
  makes: boolean;
  empties: boolean;
  isNew: boolean;
} {
  if (typeof flags === "number") {
    const mode = flags & 3;
    const has = (bit: number): boolean => (flags & bit) !== 0;
    return {
      mayRead: mode !== 1,
      mayWrite: mode !== 0,
      appends: has(constants.O_APPEND),
      makes: has(constants.O_CREAT),
      empties: has(constants.O_TRUNC),
      isNew: has(constants.O_EXCL),
    };
  }
  const [kind] = flags;
  const isBoth = flags.includes("+");
  if (!"rwa".includes(kind ?? " ")) throw invalid("flags", `valid, not '${flags}'`);
  return {
    mayRead: kind === "r" || isBoth,
    mayWrite: kind !== "r" || isBoth,
    appends: kind === "a",
    makes: kind !== "r",
    empties: kind === "w",
    isNew: flags.includes("x"),
  };
}

function opened(descriptor: number, call: string): Opened {
  const found = descriptors.get(descriptor);
  if (!found) throw fileError("EBADF", call);
  return found;
}

export function closeSync(descriptor: number): void {
  opened(descriptor, "close");
  descriptors.delete(descriptor);
}

export function readSync(
  descriptor: number,
  buffer: ArrayBufferView,
  offset = 0,
  length = buffer.byteLength - offset,
  position: number | null = null,
): number {
  const file = opened(descriptor, "read");
  if (!file.mayRead) throw fileError("EBADF", "read");
  mayFail("read", file.path);
  const from = position ?? file.position;
  const part = files.read(file.path, "read").subarray(from, from + length);
  new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength).set(part, offset);
  if (position === null) file.position += part.length;
  return part.length;
}

export function writeSync(
  descriptor: number,
  contents: Contents,
  ...rest: (number | string | null)[]
): number {
  const file = opened(descriptor, "write");
  if (!file.mayWrite) throw fileError("EBADF", "write");
  mayFail("write", file.path);
  const [bytes, position] = writtenPart(contents, rest);
  const old = files.read(file.path, "write");
  const at = file.appends ? old.length : (position ?? file.position);
  const all = new Uint8Array(Math.max(old.length, at + bytes.length));
  all.set(old);
  all.set(bytes, at);
  files.write(file.path, all, "write");
  if (position === null) file.position = at + bytes.length;
  return bytes.length;
}

/** `(buffer, offset, length, position)` or `(text, position, encoding)`. */
function writtenPart(
  contents: Contents,
  rest: readonly (number | string | null)[],
): [Uint8Array, number | null] {
  if (typeof contents === "string") {
    const [position, encoding] = rest;
    return [bytesOf(contents, encoding as Encoding), typeof position === "number" ? position : null];
  }
  const [offset, length, position] = rest as (number | null)[];
  const bytes = bytesOf(contents, null);
  const from = offset ?? 0;
  return [bytes.subarray(from, from + (length ?? bytes.length - from)), position ?? null];
}

export function fsyncSync(descriptor: number): void {
  const { path } = opened(descriptor, "fsync");
  mayFail("fsync", path);
  files.sync(path);
}

export const fdatasyncSync = (descriptor: number): void => {
  const { path } = opened(descriptor, "fdatasync");
  mayFail("fdatasync", path);
  files.sync(path);
};

export function readFileSync(path: PathLike | number, options?: Options): string | Buffer {
  const name = typeof path === "number" ? opened(path, "read").path : pathOf(path);
  mayFail("open", name);
  const stat = files.stat(name);
  if (!stat) throw fileError("ENOENT", "open", name);
  if (stat.isDirectory) throw fileError("EISDIR", "read");
  const bytes = Buffer.from(files.read(name, "open"));
  const encoding = encodingOf(options);
  return encoding ? bytes.toString(encoding as never) : bytes;
}

export function writeFileSync(path: PathLike | number, contents: Contents, options?: Options): void {
  const bytes = bytesOf(contents, encodingOf(options));
  const descriptor = typeof path === "number" ? path : openSync(path, flagOf(options, "w"));
  try {
    writeSync(descriptor, bytes);
  } finally {
    if (typeof path !== "number") closeSync(descriptor);
  }
}

export const appendFileSync = (path: PathLike | number, contents: Contents, options?: Options): void =>
  writeFileSync(path, contents, { encoding: encodingOf(options) ?? "utf8", flag: flagOf(options, "a") });

export function truncateSync(path: PathLike, length = 0): void {
  const name = pathOf(path);
  const bytes = new Uint8Array(length);
  bytes.set(files.read(name, "open").subarray(0, length));
  files.write(name, bytes, "truncate");
}

export const ftruncateSync = (descriptor: number, length = 0): void =>
  truncateSync(opened(descriptor, "ftruncate").path, length);

export function copyFileSync(from: PathLike, to: PathLike, mode = 0): void {
  const target = pathOf(to);
  if (mode & constants.COPYFILE_EXCL && files.stat(target))
    throw fileError("EEXIST", "copyfile", pathOf(from), target);
  files.write(target, files.read(pathOf(from), "copyfile"), "copyfile");
}

export const existsSync = (path: PathLike): boolean => files.stat(pathOf(path)) !== undefined;

export function accessSync(path: PathLike): void {
  if (!existsSync(path)) throw fileError("ENOENT", "access", pathOf(path));
}

export function mkdirSync(
  path: PathLike,
  options?: number | { readonly recursive?: boolean },
): string | undefined {
  const name = pathOf(path);
  mayFail("mkdir", name);
  return files.makeDirectory(name, typeof options === "object" && options?.recursive === true);
}

export function mkdtempSync(prefix: string): string {
  for (let number = 0; ; number++) {
    const name = pathOf(`${prefix}${String(number).padStart(6, "0")}`);
    if (files.stat(name)) continue;
    files.makeDirectory(name, false);
    return name;
  }
}

export class Dirent {
  readonly name: string;
  readonly parentPath: string;
  readonly #isDirectory: boolean;

  constructor(name: string, parentPath: string, isDirectory: boolean) {
    this.name = name;
    this.parentPath = parentPath;
    this.#isDirectory = isDirectory;
  }

  get path(): string {
    return this.parentPath;
  }

  isDirectory(): boolean {
    return this.#isDirectory;
  }

  isFile(): boolean {
    return !this.#isDirectory;
  }

  isSymbolicLink(): boolean {
    return false;
  }
}

export type ListOptions = Encoding | { readonly withFileTypes?: boolean; readonly recursive?: boolean };

export function readdirSync(path: PathLike, options?: ListOptions): readonly (string | Dirent)[] {
  const name = pathOf(path);
  mayFail("scandir", name);
  const { withFileTypes = false, recursive = false } = typeof options === "object" ? (options ?? {}) : {};
  if (recursive) return refuse("fs.readdir with recursive");
  const names = files.list(name);
  if (!withFileTypes) return names;
  return names.map((child) => new Dirent(child, name, files.stat(resolve(name, child))!.isDirectory));
}

export function unlinkSync(path: PathLike): void {
  const name = pathOf(path);
  mayFail("unlink", name);
  files.unlink(name);
}

export function renameSync(from: PathLike, to: PathLike): void {
  mayFail("rename", pathOf(from));
  files.rename(pathOf(from), pathOf(to));
}

export const rmdirSync = (path: PathLike): void => files.removeDirectory(pathOf(path));

export function rmSync(
  path: PathLike,
  { force = false, recursive = false }: { readonly force?: boolean; readonly recursive?: boolean } = {},
): void {
  const name = pathOf(path);
  const stat = files.stat(name);
  if (!stat && force) return;
  if (!stat) throw fileError("ENOENT", "rm", name);
  if (stat.isDirectory && !recursive)
    throw Object.assign(new Error(`Path is a directory: rm returned EISDIR (is a directory) ${name}`), {
      code: "ERR_FS_EISDIR",
    });
  files.remove(name);
}

/** Times are those of the start: they are no part of what a program should depend on. */
export class Stats {
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs = world.options.epochMs;
  readonly mtime = new Date(this.mtimeMs);
  readonly ctimeMs = this.mtimeMs;
  readonly birthtimeMs = this.mtimeMs;

  constructor(size: number, isDirectory: boolean) {
    this.size = size;
    this.mode = isDirectory ? 0o40755 : 0o100644;
  }

  isDirectory(): boolean {
    return (this.mode & 0o40000) !== 0;
  }

  isFile(): boolean {
    return !this.isDirectory();
  }

  isSymbolicLink(): boolean {
    return false;
  }
}

export function statSync(
  path: PathLike,
  { throwIfNoEntry = true }: { readonly throwIfNoEntry?: boolean } = {},
): Stats | undefined {
  const name = pathOf(path);
  mayFail("stat", name);
  const stat = files.stat(name);
  if (stat) return new Stats(stat.size, stat.isDirectory);
  if (throwIfNoEntry) throw fileError("ENOENT", "stat", name);
  return undefined;
}

export const lstatSync = statSync;

export function fstatSync(descriptor: number): Stats {
  const { size, isDirectory } = files.stat(opened(descriptor, "fstat").path)!;
  return new Stats(size, isDirectory);
}

export function realpathSync(path: PathLike): string {
  const name = pathOf(path);
  if (!files.stat(name)) throw fileError("ENOENT", "realpath", name);
  return name;
}
