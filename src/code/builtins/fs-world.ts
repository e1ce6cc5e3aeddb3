/**
 * The files of the world, asynchronous operations on them, and injected failures.
 *
 * Node passes an operation to a thread, which executes it at some time and reports later. The time of execution matters
 * only to concurrent accesses to the same files. So an operation is one turn, its completion; its steps are executed
 * then at the latest, and each earlier access to the same files chooses which of them have been executed.
 */
import { everything, Files, fileError } from "../devices/files.js";
import { storageOf } from "../devices/storage.js";
import { world } from "../world/current.js";

export const files = new Files(storageOf(world));

/** An access to a file, or to a directory with all its contents. */
export interface Touch {
  readonly path: string;
  readonly writes: boolean;
  readonly isTree?: boolean;
  /** Restricted to the file's name or its contents; absent: both. */
  readonly only?: "name" | "bytes";
}

/** Accesses by name, and to the file that currently has it. */
export function touching(path: string, writes: boolean, isTree = false): Touch[] {
  const number = files.numberOf(path);
  const only = isTree ? { only: "name" as const } : {};
  const file = number === undefined ? [] : [{ path: `file ${number}`, writes, ...only }];
  return [{ path, writes, isTree }, ...file];
}

interface Underway {
  touches: readonly Touch[];
  /** The remaining steps, each atomic. */
  steps: (() => unknown)[];
  value: unknown;
  error: Error | undefined;
}

/** Part of the world, because a crash ends them all. */
const underway: Underway[] = [];
world.parts.set("file-operations", underway);
world.parts.set("before-files", (touches: readonly Touch[]) => settleBefore(touches));

/**
 * An asynchronous operation: its steps are executed in sequence before its completion, interleaved with others. A step
 * may insert others before the remaining ones.
 */
export function operation(
  name: string,
  what: string,
  touches: readonly Touch[],
  steps: (() => unknown)[],
  done: (error: Error | null, value?: unknown) => void,
): void {
  world.record("call", "files", `${name} ${what}`);
  const own: Underway = { touches, steps, value: undefined, error: undefined };
  underway.push(own);
  world.add({
    lane: "files",
    label: `${name} ${what}`,
    queue: "",
    due: undefined,
    run: () => {
      while (own.steps.length > 0) {
        settleBefore(own.touches, [own]); // sound: test/code/files.test.ts
        doNext(own);
      }
      underway.splice(underway.indexOf(own), 1);
      if (own.error)
        done(own.error); // sound: test/code/files.test.ts
      else done(null, own.value);
    },
  });
}

/** An atomic system call. */
export function atOnce<T>(touches: readonly Touch[], run: () => T): T {
  if (isInside) return run(); // sound: test/code/files.test.ts
  settleBefore(touches);
  isInside = true;
  try {
    return run();
  } finally {
    isInside = false;
  }
}

let isInside = false;

/**
 * Executes a chosen number of steps of pending operations with conflicting accesses. Before a step of one of them,
 * steps that conflict with it are offered recursively, except those offered here. `busy`: operations to skip.
 */
function settleBefore(touches: readonly Touch[], busy: readonly Underway[] = []): void {
  for (;;) {
    const reached = touches.flatMap(reachedBy);
    const others = underway.filter(
      (other) =>
        !busy.includes(other) && // sound: test/code/files.test.ts
        other.steps.length > 0 && // sound: test/code/files.test.ts
        other.touches.flatMap(reachedBy).some((a) => reached.some((b) => isSame(a, b))), // sound: test/code/files.test.ts
    );
    const chosen = others[world.choose(others.length + 1) - 1]; // sound: test/code/files.test.ts
    if (!chosen) return;
    world.record("note", "files", "another operation is done meanwhile");
    settleBefore(chosen.touches, [...busy, ...others]); // sound: test/code/files.test.ts
    isMeanwhile = true;
    doNext(chosen);
    isMeanwhile = false;
  }
}

/** A name also accesses the file that has it now, perhaps since the operation began. */
const reachedBy = (touch: Touch): Touch[] =>
  touch.path.startsWith("/") ? [touch, ...touching(touch.path, touch.writes, touch.isTree)] : [touch]; // sound: test/code/files.test.ts

/** Whether a step is executed because of a conflicting access. */
let isMeanwhile = false;

/** Chooses which of `count` items comes first, if another operation may observe it. */
export function anyOf(count: number): number {
  const isShared = underway.some((other) => other !== current && other.steps.length > 0);
  return isMeanwhile || isShared ? world.choose(count) : 0; // sound: test/code/files.test.ts
}

/** Sets the accesses of the current operation's remaining steps. */
export function leaveTouching(touches: readonly Touch[]): void {
  if (current) current.touches = touches; // sound: test/code/files.test.ts
}

let current: Underway | undefined;

function doNext(one: Underway): void {
  const step = one.steps.shift()!;
  const before = isInside;
  isInside = true;
  current = one;
  try {
    one.value = step();
  } catch (error) {
    one.error = error as Error;
    one.steps = [];
  } finally {
    current = undefined;
    isInside = before;
  }
}

/** Whether the order of the two may matter. */
function isSame(a: Touch, b: Touch): boolean {
  if (!a.writes && !b.writes) return false; // sound: test/code/files.test.ts
  // Two changes of names conflict by the names.
  if (a.only && b.only) return false; // sound: test/code/files.test.ts
  return (
    a.path === b.path || // sound: test/code/files.test.ts
    (a.isTree && isWithin(b.path, a.path)) || // sound: test/code/files.test.ts
    (b.isTree === true && isWithin(a.path, b.path)) // sound: test/code/files.test.ts
  );
}

const isWithin = (path: string, directory: string): boolean =>
  directory === everything || path.startsWith(directory === "/" ? "/" : `${directory}/`); // sound: test/code/files.test.ts

/** Chooses whether the operation fails, if the test requested failures. */
export function mayFail(call: string, path: string): void {
  const failures = world.parts.get("file-failures") as { left: number; readonly code: string } | undefined;
  if (!failures || failures.left <= 0 || world.choose(2) === 0) return; // sound: test/code/files.test.ts
  failures.left--;
  world.record("note", "files", `${call} fails with ${failures.code}`);
  throw fileError(failures.code, call, path);
}
