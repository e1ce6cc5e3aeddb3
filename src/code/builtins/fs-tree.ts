/** The tree of files: the functions of `node:fs` that make, list, rename and remove directories and what is in them. */
import { fileError } from "../devices/files.js";
import { refuse } from "../world/failure.js";
import { pathOf, type Encoding, type PathLike } from "./fs-arguments.js";
import { atOnce, files, mayFail, touching, type Touch } from "./fs-world.js";
import { lacking, takeOnly } from "./lacking.js";
import { resolve } from "./path.js";

export function mkdirSync(
  path: PathLike,
  options?: number | { readonly recursive?: boolean },
): string | undefined {
  takeOnly("fs.mkdir", options, "recursive mode");
  return atOnce(treeTouches(path), () => {
    const name = pathOf(path);
    mayFail("mkdir", name);
    return files.makeDirectory(name, typeof options === "object" && options?.recursive === true);
  });
}

/** Of what changes a directory, or a file with its name. */
export const treeTouches = (...paths: PathLike[]): Touch[] =>
  paths.flatMap((path) => touching(pathOf(path), true, true));
export const listTouches = (path: PathLike): Touch[] => touching(pathOf(path), false, true);

export function mkdtempSync(prefix: string): string {
  for (let number = 0; ; number++) {
    const name = pathOf(`${prefix}${String(number).padStart(6, "0")}`);
    if (files.stat(name)) continue;
    files.makeDirectory(name, false);
    return name;
  }
}

const Lacking = /* @__PURE__ */ lacking(class {}, "fs.Dirent", {
  methods: "isBlockDevice isCharacterDevice isFIFO isSocket",
});

export class Dirent extends Lacking {
  readonly name: string;
  readonly parentPath: string;
  readonly #isDirectory: boolean;

  constructor(name: string, parentPath: string, isDirectory: boolean) {
    super();
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
  takeOnly("fs.readdir", options, "withFileTypes encoding");
  return atOnce(listTouches(path), () => {
    const names = files.list(name);
    if (!withFileTypes) return names;
    return names.map((child) => new Dirent(child, name, files.stat(resolve(name, child))!.isDirectory));
  });
}

export function unlinkSync(path: PathLike): void {
  atOnce(treeTouches(path), () => {
    const name = pathOf(path);
    mayFail("unlink", name);
    files.unlink(name);
  });
}

export function renameSync(from: PathLike, to: PathLike): void {
  atOnce(treeTouches(from, to), () => {
    mayFail("rename", pathOf(from));
    files.rename(pathOf(from), pathOf(to));
  });
}

export const rmdirSync = (path: PathLike): void =>
  atOnce(treeTouches(path), () => files.removeDirectory(pathOf(path)));

export function rmSync(
  path: PathLike,
  { force = false, recursive = false }: { readonly force?: boolean; readonly recursive?: boolean } = {},
): void {
  atOnce(treeTouches(path), () => removeNow(pathOf(path), force, recursive));
}

function removeNow(name: string, force: boolean, recursive: boolean): void {
  const stat = files.stat(name);
  if (!stat && force) return;
  if (!stat) throw fileError("ENOENT", "rm", name);
  if (stat.isDirectory && !recursive)
    throw Object.assign(new Error(`Path is a directory: rm returned EISDIR (is a directory) ${name}`), {
      code: "ERR_FS_EISDIR",
    });
  files.remove(name);
}
