/** The files of the world, operations on them that wait, and failures that a test asked for. */
import { Files, fileError } from "../devices/files.js";
import { storageOf } from "../devices/storage.js";
import { world } from "../world/current.js";

export const files = new Files(storageOf(world));

/** One that waits: it takes effect when it completes, in any order with others. */
export function operation(
  name: string,
  what: string,
  run: () => unknown,
  done: (error: Error | null, value?: unknown) => void,
): void {
  world.tell("call", "files", `${name} ${what}`);
  world.add({
    lane: "files",
    label: `${name} ${what}`,
    queue: "",
    due: undefined,
    run: () => {
      let value: unknown;
      try {
        value = run();
      } catch (error) {
        return done(error as Error);
      }
      done(null, value);
    },
  });
}

/** May this operation fail, as the test asked for? Every way is tried. */
export function mayFail(call: string, path: string): void {
  const failures = world.parts.get("file-failures") as { left: number; readonly code: string } | undefined;
  if (!failures || failures.left <= 0 || world.choose(2) === 0) return;
  failures.left--;
  world.tell("note", "files", `${call} fails with ${failures.code}`);
  throw fileError(failures.code, call, path);
}
