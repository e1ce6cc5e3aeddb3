/** Functions of `node:fs` that create or take a file descriptor. */
import { fileError } from "../devices/files.js";
import { world } from "../world/current.js";
import {
  bytesOf,
  constants,
  invalid,
  pathOf,
  type Contents,
  type Encoding,
  type PathLike,
} from "./fs-arguments.js";
import { atOnce, files, mayFail, touching, type Touch } from "./fs-world.js";

interface Opened {
  readonly path: string;
  /** Number of the file; absent: a directory. */
  readonly file: string | undefined;
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
  readonly appends: boolean;
  position: number;
}

/** Part of the world, because a crash closes them all. */
const descriptors = new Map<number, Opened>();
world.parts.set("descriptors", descriptors);
files.isOpen = (number) => [...descriptors.values()].some(({ file }) => file === number);
const firstDescriptor = 3;

export const openSync = (path: PathLike, flags: string | number = "r"): number =>
  atOnce(openTouches(path, flags), () => openNow(path, flags));

export const openTouches = (path: PathLike, flags: string | number = "r"): Touch[] => {
  const { makes, empties } = openFlags(flags);
  return touching(pathOf(path), makes || empties);
};

/**
 * Accesses of an operation on a descriptor: the descriptor and its file. `changes`: closes it or moves its position.
 */
export function descriptorTouches(descriptor: unknown, writes: boolean, changes = false): Touch[] {
  const own = { path: `descriptor ${String(descriptor)}`, writes: changes }; // sound: test/code/files.test.ts
  const found = descriptors.get(descriptor as number);
  if (!found) return [own];
  return [own, { path: found.file === undefined ? found.path : `file ${found.file}`, writes }];
}

function openNow(path: PathLike, flags: string | number): number {
  const name = pathOf(path);
  const how = openFlags(flags);
  mayFail("open", name);
  const stat = files.stat(name);
  if (stat && how.isNew) throw fileError("EEXIST", "open", name);
  if (!stat && !how.makes) throw fileError("ENOENT", "open", name);
  if (stat?.isDirectory && how.mayWrite) throw fileError("EISDIR", "open", name);
  const file = stat?.isDirectory ? undefined : files.make(name, "open");
  if (stat && stat.size > 0 && how.empties && file !== undefined) files.change(file, new Uint8Array(0));
  let descriptor = firstDescriptor;
  while (descriptors.has(descriptor)) descriptor++;
  const { mayRead, mayWrite, appends } = how;
  descriptors.set(descriptor, { path: name, file, mayRead, mayWrite, appends, position: 0 });
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

export function opened(descriptor: number, call: string): Opened {
  const found = descriptors.get(descriptor);
  if (!found) throw fileError("EBADF", call);
  return found;
}

export const closeSync = (descriptor: number): void =>
  closed(descriptor, ({ path }) => mayFail("close", path)); // sound: test/code/files.test.ts

/** Closes the descriptor at the end of an operation that opened it, even if the operation failed. */
export const closeQuietly = (descriptor: number): void => closed(descriptor, () => undefined);

function closed(descriptor: number, after: (file: Opened) => void): void {
  atOnce(descriptorTouches(descriptor, false, true), () => {
    const file = opened(descriptor, "close");
    descriptors.delete(descriptor);
    after(file);
  });
}

export function readSync(
  descriptor: number,
  buffer: ArrayBufferView,
  offset = 0,
  length = buffer.byteLength - offset,
  position: number | null = null,
): number {
  return atOnce(descriptorTouches(descriptor, false, position === null), () =>
    readNow(descriptor, buffer, offset, length, position),
  );
}

function readNow(
  descriptor: number,
  buffer: ArrayBufferView,
  offset: number,
  length: number,
  position: number | null,
): number {
  const file = opened(descriptor, "read");
  if (!file.mayRead) throw fileError("EBADF", "read");
  mayFail("read", file.path);
  const from = position ?? file.position;
  const part = bytesIn(file, "read").subarray(from, from + length);
  new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength).set(part, offset);
  if (position === null) file.position += part.length;
  return part.length;
}

/** An open file remains the same under any name. */
function bytesIn({ file }: Opened, call: string): Uint8Array {
  if (file === undefined) throw fileError("EISDIR", call);
  return files.bytes(file);
}

export function writeSync(
  descriptor: number,
  contents: Contents,
  ...rest: (number | string | null)[]
): number {
  return atOnce(descriptorTouches(descriptor, true), () => writeNow(descriptor, contents, rest));
}

function writeNow(descriptor: number, contents: Contents, rest: readonly (number | string | null)[]): number {
  const file = opened(descriptor, "write");
  if (!file.mayWrite) throw fileError("EBADF", "write");
  mayFail("write", file.path);
  const [bytes, position] = writtenPart(contents, rest);
  const old = bytesIn(file, "write");
  const at = file.appends ? old.length : (position ?? file.position);
  const all = new Uint8Array(Math.max(old.length, at + bytes.length));
  all.set(old);
  all.set(bytes, at);
  files.change(file.file!, all, at);
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

export const fsyncSync = (descriptor: number): void => sync(descriptor, "fsync");
export const fdatasyncSync = (descriptor: number): void => sync(descriptor, "fdatasync");

function sync(descriptor: number, call: string): void {
  atOnce(descriptorTouches(descriptor, true), () => {
    const { path, file } = opened(descriptor, call);
    mayFail(call, path);
    files.sync(path, file);
  });
}
