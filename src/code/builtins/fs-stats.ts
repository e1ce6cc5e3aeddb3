/** What is said about files: the functions of `node:fs` that ask whether there is one, and of what kind. */
import { fileError } from "../devices/files.js";
import { world } from "../world/current.js";
import { pathOf, type PathLike } from "./fs-arguments.js";
import { opened } from "./fs-descriptors.js";
import { files, mayFail } from "./fs-world.js";

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

export const existsSync = (path: PathLike): boolean => files.stat(pathOf(path)) !== undefined;

export function accessSync(path: PathLike): void {
  if (!existsSync(path)) throw fileError("ENOENT", "access", pathOf(path));
}
