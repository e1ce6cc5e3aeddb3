/** Functions of `node:fs` that read, replace, truncate or copy whole files. */
import { fileError } from "../devices/files.js";
import { Buffer } from "./buffer.js";
import {
  bytesOf,
  constants,
  encodingOf,
  flagOf,
  pathOf,
  type Contents,
  type Encoding,
  type Options,
  type PathLike,
} from "./fs-arguments.js";
import { closeQuietly, descriptorTouches, opened, openSync, readSync, writeSync } from "./fs-descriptors.js";
import { atOnce, files, leaveTouching, mayFail, touching, type Touch } from "./fs-world.js";

export function readFileSync(path: PathLike | number, options?: Options): string | Buffer {
  const steps = readSteps(path, options, isUtf8(options) ? "to the end" : "to its size");
  let value: unknown;
  while (steps.length > 0) value = steps.shift()!();
  return value as string | Buffer;
}

export const readTouches = (path: PathLike | number): Touch[] =>
  typeof path === "number" ? descriptorTouches(path, false, true) : touching(pathOf(path), false);

/**
 * End of reading. `to its size`: the size at opening; if empty, the file's end. `in one go`: likewise, but accepts a
 * file that has been shortened. `to the end`: without querying the size.
 */
export type Reach = "to its size" | "in one go" | "to the end";

/** As in Node: opens the file, queries its size and reads it in parts. Each read but the last adds the next one. */
export function readSteps(path: PathLike | number, options: Options, reach: Reach): (() => unknown)[] {
  const isOpen = typeof path === "number";
  const encoding = encodingOf(options);
  let descriptor = isOpen ? path : -1;
  let size = 0;
  const bytes: number[] = [];
  const open = (): void => {
    descriptor = openSync(path as PathLike, flagOf(options, "r"));
    // Reads this file even if its name changes.
    leaveTouching(descriptorTouches(descriptor, false).map((touch) => ({ ...touch, only: "bytes" }))); // sound: test/code/files.test.ts
  };
  const look = (): void => void (size = sizeOf(descriptor));
  const read = (): unknown => {
    let isOver = true;
    try {
      const length = Math.min(size === 0 ? Infinity : size - bytes.length, longestRead);
      const part = new Uint8Array(length);
      const count = readSync(descriptor, part);
      for (let i = 0; i < count; i++) bytes.push(part[i]!);
      const isShort = reach === "in one go" && size > 0 && size <= longestRead && count < length;
      isOver = count === 0 || bytes.length === size || isShort;
    } finally {
      if (isOver && !isOpen) closeQuietly(descriptor);
    }
    if (!isOver) steps.unshift(read);
    return isOver ? textOf(Buffer.from(bytes), encoding) : undefined;
  };
  const steps = [...(isOpen ? [] : [open]), ...(reach === "to the end" ? [] : [look]), read];
  return steps;
}

const textOf = (bytes: Buffer, encoding: Encoding): string | Buffer =>
  encoding ? bytes.toString(encoding as never) : bytes;

const isUtf8 = (options: Options): boolean => /^utf-?8$/i.test(String(encodingOf(options)));

/** 0 for other than files, whose reading fails. */
const sizeOf = (descriptor: number): number =>
  atOnce(descriptorTouches(descriptor, false), () => {
    const { file } = opened(descriptor, "fstat");
    return file === undefined ? 0 : files.bytes(file).length;
  });

/** Node's `kReadFileBufferLength`. */
const longestRead = 512 * 1024;

export function writeFileSync(path: PathLike | number, contents: Contents, options?: Options): void {
  for (const step of writeSteps(path, contents, options)) step();
}

/** As in Node: opens the file, which truncates it, then writes it in parts. */
export function writeSteps(
  path: PathLike | number,
  contents: Contents,
  options?: Options,
  usual = "w",
): (() => void)[] {
  const bytes = bytesOf(contents, encodingOf(options));
  const isOpen = typeof path === "number";
  let descriptor = isOpen ? path : -1;
  const parts: Uint8Array[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += longestWrite)
    parts.push(bytes.subarray(at, at + longestWrite));
  const open = (): void => {
    descriptor = openSync(path as PathLike, flagOf(options, usual));
    // Writes to this file even if its name changes.
    leaveTouching(descriptorTouches(descriptor, true)); // sound: test/code/files.test.ts
  };
  const writes = parts.map((part, index) => () => {
    let isLast = index === parts.length - 1;
    try {
      writeSync(descriptor, part);
    } catch (error) {
      isLast = true;
      throw error;
    } finally {
      if (isLast && !isOpen) closeQuietly(descriptor);
    }
  });
  return isOpen ? writes : [open, ...writes];
}

export const writeTouches = (path: PathLike | number): Touch[] =>
  typeof path === "number" ? descriptorTouches(path, true) : touching(pathOf(path), true);

/** Node's `kWriteFileMaxChunkSize`. */
const longestWrite = 512 * 1024;

export function appendFileSync(path: PathLike | number, contents: Contents, options?: Options): void {
  for (const step of writeSteps(path, contents, options, "a")) step();
}

export function truncateSync(path: PathLike, length = 0): void {
  const name = pathOf(path);
  atOnce(touching(name, true), () => {
    mayFail("open", name); // sound: test/code/files.test.ts
    cut(files.number(name, "open"), length);
  });
}

function cut(file: string, length: number): void {
  const bytes = new Uint8Array(length);
  bytes.set(files.bytes(file).subarray(0, length));
  files.change(file, bytes);
}

export function ftruncateSync(descriptor: number, length = 0): void {
  atOnce(descriptorTouches(descriptor, true), () => {
    const { path, file } = opened(descriptor, "ftruncate");
    mayFail("ftruncate", path); // sound: test/code/files.test.ts
    if (file === undefined) throw fileError("EINVAL", "ftruncate");
    cut(file, length);
  });
}

export function copyFileSync(from: PathLike, to: PathLike, mode = 0): void {
  for (const step of copySteps(from, to, mode)) step();
}

/** The copy exists before its bytes do. */
export function copySteps(from: PathLike, to: PathLike, mode = 0): (() => void)[] {
  const target = pathOf(to);
  let number = "";
  const touches = copyTouches(from, to);
  return [
    () =>
      atOnce(touches, () => {
        mayFail("copyfile", pathOf(from)); // sound: test/code/files.test.ts
        files.number(pathOf(from), "copyfile");
        if (mode & constants.COPYFILE_EXCL && files.stat(target))
          throw fileError("EEXIST", "copyfile", pathOf(from), target);
        number = files.make(target, "copyfile");
        files.change(number, new Uint8Array(0));
      }),
    () => atOnce(touches, () => files.change(number, files.read(pathOf(from), "copyfile"), 0)),
  ];
}

export const copyTouches = (from: PathLike, to: PathLike): Touch[] => [
  ...touching(pathOf(from), false),
  ...touching(pathOf(to), true),
];
