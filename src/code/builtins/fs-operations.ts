/** Accessed files and steps of the asynchronous functions of `node:fs`, as in Node. */
import type { Contents, Options, PathLike } from "./fs-arguments.js";
import {
  copySteps,
  copyTouches,
  readSteps,
  readTouches,
  writeSteps,
  writeTouches,
  type Reach,
} from "./fs-contents.js";
import { descriptorTouches, openTouches } from "./fs-descriptors.js";
import {
  listTouches,
  makeSteps,
  removeSteps,
  temporaryTouches,
  treeTouches,
  type MakeOptions,
  type RemoveOptions,
} from "./fs-tree.js";
import { operation, type Touch } from "./fs-world.js";

type Args = readonly unknown[];
type Done = (error: Error | null, value?: unknown) => void;

const touches: Readonly<Record<string, (args: Args) => Touch[]>> = {
  open: ([path, flags]) => openTouches(path as PathLike, flags as string | undefined),
  readFile: ([path]) => readTouches(path as PathLike),
  appendFile: ([path]) => writeTouches(path as PathLike),
  writeFile: ([path]) => writeTouches(path as PathLike),
  truncate: ([path]) => writeTouches(path as PathLike),
  copyFile: ([from, to]) => copyTouches(from as PathLike, to as PathLike),
  readdir: ([path]) => listTouches(path as PathLike),
  mkdir: ([path]) => treeTouches(path as PathLike),
  mkdtemp: ([prefix]) => temporaryTouches(String(prefix)),
  rename: ([from, to]) => treeTouches(from as PathLike, to as PathLike),
  rm: ([path]) => treeTouches(path as PathLike),
  rmdir: ([path]) => treeTouches(path as PathLike),
  unlink: ([path]) => treeTouches(path as PathLike),
  // Does not change the file.
  close: ([descriptor]) => descriptorTouches(descriptor, false, true).slice(0, 1),
  read: ([descriptor]) => descriptorTouches(descriptor, false, true),
  fstat: ([descriptor]) => descriptorTouches(descriptor, false),
  write: ([descriptor]) => descriptorTouches(descriptor, true),
  ftruncate: ([descriptor]) => descriptorTouches(descriptor, true),
  fsync: ([descriptor]) => descriptorTouches(descriptor, true),
  fdatasync: ([descriptor]) => descriptorTouches(descriptor, true),
};

const steps: Readonly<Record<string, (args: Args, reach: Reach) => (() => unknown)[]>> = {
  readFile: ([path, options], reach) => readSteps(path as PathLike, options as Options, reach),
  writeFile: ([path, contents, options]) =>
    writeSteps(path as PathLike, contents as Contents, options as Options),
  appendFile: ([path, contents, options]) =>
    writeSteps(path as PathLike, contents as Contents, options as Options, "a"),
  mkdir: ([path, options]) => makeSteps(path as PathLike, options as MakeOptions),
  rm: ([path, options]) => removeSteps(path as PathLike, options as RemoveOptions),
  copyFile: ([from, to, mode]) => copySteps(from as PathLike, to as PathLike, mode as number | undefined),
};

/** `name`: function of `node:fs`; `run`: its synchronous version; `reach`: how far it reads. */
export function perform(
  name: string,
  what: unknown,
  args: Args,
  run: (...args: never[]) => unknown,
  done: Done,
  reach: Reach = "to its size",
): void {
  const touched = (touches[name] ?? looked)(args);
  const own = steps[name]?.(args, reach) ?? [() => run(...(args as never[]))];
  operation(name, String(what), touched, own, done);
}

const looked = ([path]: Args): Touch[] => readTouches(path as PathLike);
