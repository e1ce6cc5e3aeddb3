/** Functions of `node:fs` that create, list, rename and remove directories and their entries. */
import { fileError } from "../devices/files.js";
import { refuse } from "../world/failure.js";
import { pathOf, type Encoding, type PathLike } from "./fs-arguments.js";
import { anyOf, atOnce, files, mayFail, touching, type Touch } from "./fs-world.js";
import { lacking, takeOnly } from "./lacking.js";
import { resolve } from "./path.js";
import { nth } from "../../model/known.js";

export type MakeOptions = number | { readonly recursive?: boolean } | undefined;

export function mkdirSync(path: PathLike, options?: MakeOptions): string | undefined {
  const steps = makeSteps(path, options);
  let first: string | undefined;
  while (steps.length > 0) first = steps.shift()!();
  return first;
}

/** As in Node: one directory after another. */
export function makeSteps(path: PathLike, options?: MakeOptions): (() => string | undefined)[] {
  takeOnly("fs.mkdir", options, "recursive mode");
  const target = pathOf(path);
  const isRecursive = typeof options === "object" && options?.recursive === true;
  let first: string | undefined;
  const make = (): string | undefined =>
    atOnce(treeTouches(target), () => {
      mayFail("mkdir", target);
      let name = target;
      while (isRecursive && !files.stat(resolve(name, ".."))) name = resolve(name, "..");
      const made = files.makeDirectory(name, isRecursive);
      first ??= made;
      if (name !== target) steps.unshift(make); // sound: test/code/files.test.ts
      return first;
    });
  const steps = [make];
  return steps;
}

/** Accesses of operations that change a directory, or a file with its name. */
export const treeTouches = (...paths: PathLike[]): Touch[] =>
  paths.flatMap((path) => touching(pathOf(path), true, true));
export const listTouches = (path: PathLike): Touch[] => touching(pathOf(path), false, true);

export function mkdtempSync(prefix: string): string {
  return atOnce(temporaryTouches(prefix), () => {
    mayFail("mkdtemp", `${prefix}XXXXXX`); // sound: test/code/files.test.ts
    for (let number = 0; ; number++) {
      const name = pathOf(`${prefix}${String(number).padStart(6, "0")}`);
      if (files.stat(name)) continue;
      files.makeDirectory(name, false);
      return name;
    }
  });
}

export const temporaryTouches = (prefix: string): Touch[] => treeTouches(`${prefix}/..`);

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
  const { withFileTypes = false, recursive = false } = typeof options === "object" ? (options ?? {}) : {};
  if (recursive) return refuse("fs.readdir with recursive");
  takeOnly("fs.readdir", options, "withFileTypes encoding");
  return atOnce(listTouches(path), () => {
    mayFail("scandir", name);
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

export function rmdirSync(path: PathLike): void {
  atOnce(treeTouches(path), () => {
    mayFail("rmdir", pathOf(path)); // sound: test/code/files.test.ts
    files.removeDirectory(pathOf(path));
  });
}

export type RemoveOptions = { readonly force?: boolean; readonly recursive?: boolean } | undefined;

export function rmSync(path: PathLike, options?: RemoveOptions): void {
  const steps = removeSteps(path, options);
  while (steps.length > 0) steps.shift()!();
}

/** As in Node: removes the entries of a directory in any order, then the directory, unless new entries appeared. */
export function removeSteps(path: PathLike, options: RemoveOptions): (() => void)[] {
  const { force = false, recursive = false } = options ?? {};
  const top = pathOf(path);
  const touches = treeTouches(path);
  const begin = (): void =>
    atOnce(touches, () => {
      mayFail("rm", top); // sound: test/code/files.test.ts
      const stat = files.stat(top);
      if (!stat && force) return;
      if (!stat) throw fileError("ENOENT", "rm", top);
      if (stat.isDirectory && !recursive)
        throw Object.assign(new Error(`Path is a directory: rm returned EISDIR (is a directory) ${top}`), {
          code: "ERR_FS_EISDIR",
        });
      steps.unshift(remove(top));
    });
  const remove = (name: string) => (): void =>
    atOnce(touches, () => {
      const stat = files.stat(name);
      if (!stat) return;
      if (!stat.isDirectory) return files.unlink(name, "rm");
      const left = [...files.list(name)];
      const removeAny = (): void => remove(resolve(name, nth(left.splice(anyOf(left.length), 1), 0)))();
      const removeLast = (): void => atOnce(touches, () => files.removeDirectory(name));
      steps.unshift(...left.map(() => removeAny), removeLast);
    });
  const steps = [begin];
  return steps;
}
