/** Files as a whole: the functions of `node:fs` that read, replace, cut or copy what is in one. */
import { fileError } from "../devices/files.js";
import { Buffer } from "./buffer.js";
import {
  bytesOf,
  constants,
  encodingOf,
  flagOf,
  pathOf,
  type Contents,
  type Options,
  type PathLike,
} from "./fs-arguments.js";
import { closeSync, descriptorTouches, opened, openSync, writeSync } from "./fs-descriptors.js";
import { atOnce, files, mayFail, touching, type Touch } from "./fs-world.js";

export const readFileSync = (path: PathLike | number, options?: Options): string | Buffer =>
  atOnce(readTouches(path), () => readNow(path, options));

export const readTouches = (path: PathLike | number): Touch[] =>
  typeof path === "number" ? descriptorTouches(path, false) : touching(pathOf(path), false);

function readNow(path: PathLike | number, options?: Options): string | Buffer {
  const bytes = Buffer.from(typeof path === "number" ? openedBytes(path) : namedBytes(pathOf(path)));
  const encoding = encodingOf(options);
  return encoding ? bytes.toString(encoding as never) : bytes;
}

function openedBytes(descriptor: number): Uint8Array {
  const { file } = opened(descriptor, "read");
  if (file === undefined) throw fileError("EISDIR", "read");
  return files.bytes(file);
}

function namedBytes(name: string): Uint8Array {
  mayFail("open", name);
  const stat = files.stat(name);
  if (!stat) throw fileError("ENOENT", "open", name);
  if (stat.isDirectory) throw fileError("EISDIR", "read");
  return files.read(name, "open");
}

export function writeFileSync(path: PathLike | number, contents: Contents, options?: Options): void {
  for (const step of writeSteps(path, contents, options)) step();
}

/** As Node does it: the file is opened, which empties it, then written in parts. */
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
  const open = (): void => void (descriptor = openSync(path as PathLike, flagOf(options, usual)));
  const writes = parts.map((part, index) => () => {
    let isLast = index === parts.length - 1;
    try {
      writeSync(descriptor, part);
    } catch (error) {
      isLast = true;
      throw error;
    } finally {
      if (isLast && !isOpen) closeSync(descriptor);
    }
  });
  return isOpen ? writes : [open, ...writes];
}

export const writeTouches = (path: PathLike | number): Touch[] =>
  typeof path === "number" ? descriptorTouches(path, true) : touching(pathOf(path), true);

/** Node's own: `kWriteFileMaxChunkSize`. */
const longestWrite = 512 * 1024;

export function appendFileSync(path: PathLike | number, contents: Contents, options?: Options): void {
  for (const step of writeSteps(path, contents, options, "a")) step();
}

export function truncateSync(path: PathLike, length = 0): void {
  const name = pathOf(path);
  atOnce(touching(name, true), () => cut(files.number(name, "open"), length));
}

function cut(file: string, length: number): void {
  const bytes = new Uint8Array(length);
  bytes.set(files.bytes(file).subarray(0, length));
  files.change(file, bytes);
}

export function ftruncateSync(descriptor: number, length = 0): void {
  atOnce(descriptorTouches(descriptor, true), () => {
    const { file } = opened(descriptor, "ftruncate");
    if (file === undefined) throw fileError("EINVAL", "ftruncate");
    cut(file, length);
  });
}

export function copyFileSync(from: PathLike, to: PathLike, mode = 0): void {
  for (const step of copySteps(from, to, mode)) step();
}

/** The copy is there before its bytes are. */
export function copySteps(from: PathLike, to: PathLike, mode = 0): (() => void)[] {
  const target = pathOf(to);
  let number = "";
  const touches = copyTouches(from, to);
  return [
    () =>
      atOnce(touches, () => {
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
