/**
 * The files of the world, operations on them that wait, and failures that a test asked for.
 *
 * Node gives an operation to a thread, which does it at some time, and says so later. When it was done matters only to those
 * who look at the same files meanwhile. So an operation is one turn, its answer; its steps are done then at the latest, and
 * whoever touches the same files before chooses which of them have been done already.
 */
import { everything, Files, fileError } from "../devices/files.js";
import { storageOf } from "../devices/storage.js";
import { world } from "../world/current.js";

export const files = new Files(storageOf(world));

/** A file, or a directory with all that is in it. */
export interface Touch {
  readonly path: string;
  readonly writes: boolean;
  readonly isTree?: boolean;
  /** Of a file: only how it is called, or only what is in it; absent: both. */
  readonly only?: "name" | "bytes";
}

/** By its name, and as the file that has it now. */
export function touching(path: string, writes: boolean, isTree = false): Touch[] {
  const number = files.numberOf(path);
  const only = isTree ? { only: "name" as const } : {};
  const file = number === undefined ? [] : [{ path: `file ${number}`, writes, ...only }];
  return [{ path, writes, isTree }, ...file];
}

interface Underway {
  /** What the steps that are left touch. */
  touches: readonly Touch[];
  /** What is still to be done; each step as a whole. */
  steps: (() => unknown)[];
  value: unknown;
  error: Error | undefined;
}

/** Kept with the world, because a crash ends them all. */
const underway: Underway[] = [];
world.parts.set("file-operations", underway);
world.parts.set("before-files", (touches: readonly Touch[]) => settleBefore(touches));

/**
 * One that waits: its steps are done at some time, one after the other, before it completes, in any order with others. A step may put
 * others in front of those that are left.
 */
export function operation(
  name: string,
  what: string,
  touches: readonly Touch[],
  steps: (() => unknown)[],
  done: (error: Error | null, value?: unknown) => void,
): void {
  world.tell("call", "files", `${name} ${what}`);
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

/** A call of the system: no other comes between its parts. */
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
 * Operations under way that touch the same may have been done in part: every way is tried. Before a step of one of them come those that touch
 * what it touches; what is offered here anyway is not offered once more there. `busy`: not to be looked at.
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
    world.tell("note", "files", "another operation is done meanwhile");
    settleBefore(chosen.touches, [...busy, ...others]); // sound: test/code/files.test.ts
    isMeanwhile = true;
    doNext(chosen);
    isMeanwhile = false;
  }
}

/** A name touches the file that has it now: it may have got it after the operation began. */
const reachedBy = (touch: Touch): Touch[] =>
  touch.path.startsWith("/") ? [touch, ...touching(touch.path, touch.writes, touch.isTree)] : [touch]; // sound: test/code/files.test.ts

/** Is a step being done because another operation is about to touch the same files? */
let isMeanwhile = false;

/** Chooses which of `count` things comes first, if another operation may see it. */
export function anyOf(count: number): number {
  const isShared = underway.some((other) => other !== current && other.steps.length > 0);
  return isMeanwhile || isShared ? world.choose(count) : 0; // sound: test/code/files.test.ts
}

/** Of the operation whose step this is: what is left touches that. */
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

/** May the order of the two matter? */
function isSame(a: Touch, b: Touch): boolean {
  if (!a.writes && !b.writes) return false; // sound: test/code/files.test.ts
  // Two that change names show it by the names.
  if (a.only && b.only) return false; // sound: test/code/files.test.ts
  return (
    a.path === b.path || // sound: test/code/files.test.ts
    (a.isTree && isWithin(b.path, a.path)) || // sound: test/code/files.test.ts
    (b.isTree === true && isWithin(a.path, b.path)) // sound: test/code/files.test.ts
  );
}

const isWithin = (path: string, directory: string): boolean =>
  directory === everything || path.startsWith(directory === "/" ? "/" : `${directory}/`); // sound: test/code/files.test.ts

/** May this operation fail, as the test asked for? Every way is tried. */
export function mayFail(call: string, path: string): void {
  const failures = world.parts.get("file-failures") as { left: number; readonly code: string } | undefined;
  if (!failures || failures.left <= 0 || world.choose(2) === 0) return; // sound: test/code/files.test.ts
  failures.left--;
  world.tell("note", "files", `${call} fails with ${failures.code}`);
  throw fileError(failures.code, call, path);
}
