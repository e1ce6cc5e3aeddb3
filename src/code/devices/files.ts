/**
 * A file tree over a storage, by absolute paths: the common part of the functions of `node:fs`.
 *
 * A file is a name, the key `name:PATH` with a number, and its bytes, the key `data:NUMBER` as characters of a string.
 * So an open file survives renaming, and a name may survive a crash without its bytes. A directory is the key
 * `dir:PATH`. Links, owners and modes are not modelled.
 */
import type { Change, Storage } from "./storage.js";

/** Prefix of every path, and of files without a path. */
export const everything = "";

export interface Stat {
  readonly isDirectory: boolean;
  readonly size: number;
}

export class Files {
  readonly #storage: Storage;
  /** Whether the file is open: then its bytes survive the removal of its name. */
  isOpen: (number: string) => boolean = () => false;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  stat(path: string): Stat | undefined {
    const number = this.#storage.get(`name:${path}`);
    if (number !== undefined) return { isDirectory: false, size: this.bytes(number).length };
    return this.#isDirectory(path) ? { isDirectory: true, size: 0 } : undefined;
  }

  numberOf(path: string): string | undefined {
    return this.#storage.get(`name:${path}`);
  }

  /** Number of an existing file. */
  number(path: string, call: string): string {
    const number = this.numberOf(path);
    if (number !== undefined) return number;
    throw fileError(this.#isDirectory(path) ? "EISDIR" : "ENOENT", call, path);
  }

  bytes(number: string): Uint8Array {
    return bytesOf(this.#storage.get(`data:${number}`) ?? "");
  }

  /** Changes the content; with `at`, only from there on. */
  change(number: string, bytes: Uint8Array, at?: number): void {
    const change = { key: `data:${number}`, value: textOf(bytes) };
    this.#storage.put([at === undefined ? change : { ...change, at }]);
  }

  read(path: string, call: string): Uint8Array {
    return this.bytes(this.number(path, call));
  }

  /** Creates the file if necessary. */
  write(path: string, bytes: Uint8Array, call: string): void {
    this.change(this.make(path, call), bytes);
  }

  /** Number of the file, created if necessary. */
  make(path: string, call: string): string {
    const known = this.#storage.get(`name:${path}`);
    if (known !== undefined) return known;
    this.#checkParent(path, call);
    if (this.#isDirectory(path)) throw fileError("EISDIR", call, path);
    let number = 1;
    while (this.#storage.knows(`data:${number}`) || this.isOpen(`${number}`)) number++; // sound: test/code/files.test.ts
    this.#storage.put([
      { key: `name:${path}`, value: `${number}` },
      { key: `data:${number}`, value: "" },
    ]);
    return `${number}`;
  }

  makeDirectory(path: string, isRecursive: boolean): string | undefined {
    if (this.stat(path)) {
      if (isRecursive && this.#isDirectory(path)) return undefined;
      throw fileError("EEXIST", "mkdir", path);
    }
    const parent = parentOf(path);
    const first = isRecursive && !this.stat(parent) ? this.makeDirectory(parent, true) : undefined;
    this.#checkParent(path, "mkdir");
    this.#storage.put([{ key: `dir:${path}`, value: "" }]);
    return first ?? (isRecursive ? path : undefined);
  }

  /** Sorted names in a directory. */
  list(path: string): readonly string[] {
    const stat = this.stat(path);
    if (!stat) throw fileError("ENOENT", "scandir", path);
    if (!stat.isDirectory) throw fileError("ENOTDIR", "scandir", path);
    return this.#storage
      .keys()
      .filter(isOfTree)
      .map((key) => key.slice(key.indexOf(":") + 1))
      .filter((other) => other !== "/" && parentOf(other) === path)
      .map((other) => other.slice(other.lastIndexOf("/") + 1))
      .sort();
  }

  unlink(path: string, call = "unlink"): void {
    if (this.#isDirectory(path)) throw fileError("EISDIR", call, path);
    const number = this.number(path, call);
    this.#storage.put([{ key: `name:${path}`, value: null }, ...this.#dropped(number)]);
  }

  removeDirectory(path: string): void {
    if (this.list(path).length > 0) throw fileError("ENOTEMPTY", "rmdir", path);
    this.#storage.put([{ key: `dir:${path}`, value: null }]);
  }

  remove(path: string): void {
    if (!this.stat(path)!.isDirectory) return this.unlink(path, "rm");
    for (const name of this.list(path)) this.remove(join(path, name));
    this.removeDirectory(path);
  }

  /** Removes the bytes of a file without a name. */
  #dropped(number: string | undefined): Change[] {
    return number === undefined || this.isOpen(number) ? [] : [{ key: `data:${number}`, value: null }]; // sound: test/code/files.test.ts
  }

  /** Atomic: after a crash, either name exists. */
  rename(from: string, to: string): void {
    const stat = this.stat(from);
    if (!stat) throw fileError("ENOENT", "rename", from, to);
    this.#checkParent(to, "rename");
    const isWithin = (key: string): boolean => key === from || key.startsWith(`${from}/`);
    if (from === to) return;
    const moved = this.#storage
      .keys()
      .filter((key) => isOfTree(key) && isWithin(key.slice(key.indexOf(":") + 1)));
    const replaced = this.#dropped(this.#storage.get(`name:${to}`));
    this.#storage.put([
      ...replaced,
      ...moved.flatMap((key) => {
        const at = key.indexOf(":") + 1;
        const target = key.slice(0, at) + to + key.slice(at + from.length);
        return [
          { key: target, value: this.#storage.get(key)! },
          { key, value: null },
        ];
      }),
    ]);
  }

  /** Makes durable a file's bytes and all earlier changes of names; of a directory, the latter. */
  sync(path: string, number?: string): void {
    const own = number ?? this.#storage.get(`name:${path}`);
    this.#storage.sync((key) => isOfTree(key) || key === `data:${own}`); // sound: test/code/files.test.ts
  }

  #checkParent(path: string, call: string): void {
    const stat = this.stat(parentOf(path));
    if (!stat) throw fileError("ENOENT", call, path);
    if (!stat.isDirectory) throw fileError("ENOTDIR", call, path);
  }

  #isDirectory(path: string): boolean {
    return path === "/" || path === "/tmp" || this.#storage.get(`dir:${path}`) !== undefined;
  }
}

/** Names and directories: they survive a crash in the order of their changes. */
export const isOfTree = (key: string): boolean => !key.startsWith("data:"); // sound: test/code/files.test.ts

const join = (directory: string, name: string): string =>
  directory === "/" ? `/${name}` : `${directory}/${name}`;
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";

const textOf = (bytes: Uint8Array): string => {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

const messages: Readonly<Record<string, readonly [number, string]>> = {
  ENOENT: [-2, "no such file or directory"],
  EIO: [-5, "i/o error"],
  EBADF: [-9, "bad file descriptor"],
  EACCES: [-13, "permission denied"],
  EEXIST: [-17, "file already exists"],
  ENOTDIR: [-20, "not a directory"],
  EINVAL: [-22, "invalid argument"],
  EISDIR: [-21, "illegal operation on a directory"],
  ENOSPC: [-28, "no space left on device"],
  ENOTEMPTY: [-39, "directory not empty"],
};

export function fileError(code: string, syscall: string, path?: string, dest?: string): Error {
  const [errno, text] = messages[code] ?? [-1, "unknown error"];
  const where = path === undefined ? "" : ` '${path}'${dest === undefined ? "" : ` -> '${dest}'`}`;
  return Object.assign(new Error(`${code}: ${text}, ${syscall}${where}`), {
    errno,
    code,
    syscall,
    ...(path === undefined ? {} : { path }),
    ...(dest === undefined ? {} : { dest }),
  });
}
