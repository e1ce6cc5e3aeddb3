/** Functions of `node:fs` that query the existence and kind of files. */
import { fileError } from "../devices/files.js";
import { pathOf, type PathLike } from "./fs-arguments.js";
import { descriptorTouches, opened } from "./fs-descriptors.js";
import { lacking } from "./lacking.js";
import { atOnce, files, mayFail, touching } from "./fs-world.js";

const Lacking = /* @__PURE__ */ lacking(class {}, "fs.Stats", {
  methods: "isBlockDevice isCharacterDevice isFIFO isSocket",
  properties:
    "dev nlink uid gid rdev blksize ino blocks atimeMs atime mtimeMs mtime ctimeMs ctime birthtimeMs birthtime",
});

/** Times and inode numbers of files are not modelled. */
export class Stats extends Lacking {
  readonly size: number;
  readonly mode: number;

  constructor(size: number, isDirectory: boolean) {
    super();
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

export const statSync = (
  path: PathLike,
  { throwIfNoEntry = true }: { readonly throwIfNoEntry?: boolean } = {},
): Stats | undefined =>
  looking(path, (name) => {
    mayFail("stat", name);
    const stat = files.stat(name);
    if (stat) return new Stats(stat.size, stat.isDirectory);
    if (throwIfNoEntry) throw fileError("ENOENT", "stat", name);
    return undefined;
  });

export const lstatSync = statSync;

function looking<T>(path: PathLike, look: (name: string) => T): T {
  const name = pathOf(path);
  return atOnce(touching(name, false), () => look(name));
}

export const fstatSync = (descriptor: number): Stats =>
  atOnce(descriptorTouches(descriptor, false), () => {
    const { path, file } = opened(descriptor, "fstat");
    mayFail("fstat", path); // sound: test/code/files.test.ts
    return file === undefined ? new Stats(0, true) : new Stats(files.bytes(file).length, false);
  });

export const realpathSync = (path: PathLike): string =>
  looking(path, (name) => {
    mayFail("realpath", name); // sound: test/code/files.test.ts
    if (!files.stat(name)) throw fileError("ENOENT", "realpath", name);
    return name;
  });

export const accessSync = (path: PathLike): void =>
  looking(path, (name) => {
    mayFail("access", name); // sound: test/code/files.test.ts
    if (!files.stat(name)) throw fileError("ENOENT", "access", name);
  });

/** Any failure means that the file does not exist. */
export function existsSync(path: PathLike): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}
