/**
 * A tree of files over a storage, by absolute paths: what the functions of `node:fs` have in common.
 *
 * A file is the key `file:PATH` with its bytes as the characters of a text, a directory the key `dir:PATH`. Links, owners and
 * modes there are none.
 */
import type { Storage } from "./storage.js";

export interface Stat {
  readonly isDirectory: boolean;
  readonly size: number;
}

export class Files {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  stat(path: string): Stat | undefined {
    const text = this.#storage.get(`file:${path}`);
    if (text !== undefined) return { isDirectory: false, size: text.length };
    return this.#isDirectory(path) ? { isDirectory: true, size: 0 } : undefined;
  }

  read(path: string, call: string): Uint8Array {
    return bytesOf(this.#fileText(path, call));
  }

  /** Makes the file if there is none. */
  write(path: string, bytes: Uint8Array, call: string): void {
    this.#checkParent(path, call);
    if (this.#isDirectory(path)) throw fileError("EISDIR", call, path);
    this.#storage.put([{ key: `file:${path}`, value: textOf(bytes) }]);
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

  /** The names in a directory, in order. */
  list(path: string): readonly string[] {
    const stat = this.stat(path);
    if (!stat) throw fileError("ENOENT", "scandir", path);
    if (!stat.isDirectory) throw fileError("ENOTDIR", "scandir", path);
    return this.#storage
      .keys()
      .map((key) => key.slice(key.indexOf(":") + 1))
      .filter((other) => other !== "/" && parentOf(other) === path)
      .map((other) => other.slice(other.lastIndexOf("/") + 1))
      .sort();
  }

  unlink(path: string, call = "unlink"): void {
    if (this.#isDirectory(path)) throw fileError("EISDIR", call, path);
    this.#fileText(path, call);
    this.#storage.put([{ key: `file:${path}`, value: null }]);
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

  /** As a whole: after a crash there is the one or the other. */
  rename(from: string, to: string): void {
    const stat = this.stat(from);
    if (!stat) throw fileError("ENOENT", "rename", from, to);
    this.#checkParent(to, "rename");
    const isWithin = (key: string): boolean => key === from || key.startsWith(`${from}/`);
    const moved = this.#storage.keys().filter((key) => isWithin(key.slice(key.indexOf(":") + 1)));
    this.#storage.put(
      moved.flatMap((key) => {
        const at = key.indexOf(":") + 1;
        const target = key.slice(0, at) + to + key.slice(at + from.length);
        return [
          { key: target, value: this.#storage.get(key)! },
          { key, value: null },
        ];
      }),
    );
  }

  /** Of a file: its bytes and its name. Of a directory: what is directly in it. */
  sync(path: string): void {
    this.#storage.sync((key) => {
      const other = key.slice(key.indexOf(":") + 1);
      return other === path || (this.#isDirectory(path) && parentOf(other) === path);
    });
  }

  #fileText(path: string, call: string): string {
    const text = this.#storage.get(`file:${path}`);
    if (text !== undefined) return text;
    throw fileError(this.#isDirectory(path) ? "EISDIR" : "ENOENT", call, path);
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
  EISDIR: [-21, "illegal operation on a directory"],
  ENOSPC: [-28, "no space left on device"],
  ENOTEMPTY: [-39, "directory not empty"],
};

/** As Node words it. */
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
