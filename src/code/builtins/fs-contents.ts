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
import { closeSync, opened, openSync, writeSync } from "./fs-descriptors.js";
import { files, mayFail } from "./fs-world.js";

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
