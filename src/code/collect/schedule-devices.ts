/** The hand of a test on the files and the network of its world. Runs inside the realm. */
import type { Touch } from "../builtins/fs-world.js";
import { everything, Files, isOfTree } from "../devices/files.js";
import { JournaledStorage, storageOf, type Change } from "../devices/storage.js";
import { faultsOf, bytesOfText, textOfBytes } from "../devices/wire.js";
import { Relied, type World } from "../world/world.js";

export interface WorldFiles {
  /** Puts a file there, with the directories above it; it is durable. */
  write(path: string, text: string): void;
  /** What the code sees; undefined if there is no such file. */
  read(path: string): string | undefined;
  /**
   * The power fails and comes back. Of what was not synced, changes of names are lost from some point on, and of the writes any
   * are (every way is tried); open files are closed, and operations under way never complete. The code itself goes on: start
   * what is to recover anew.
   */
  crash(): void;
  /** Lets up to so many operations of a schedule fail, with such a code: `EIO`, `ENOSPC`, … */
  mayFail(times: number, code?: string): void;
}

export interface WorldNetwork {
  /** Of datagrams, up to so many in a schedule are lost. */
  mayLose(times: number): void;
  /** Of datagrams, up to so many come once more. */
  mayDuplicate(times: number): void;
  /** The bytes of so many segments of connections come in two parts, cut anywhere. */
  maySplit(times: number): void;
  /** Connections are reset up to so many times. */
  mayReset(times: number): void;
  /** Nothing is delivered until `heal`. */
  cut(): void;
  heal(): void;
}

export function worldFiles(world: World): WorldFiles {
  const storage = storageOf(world) as JournaledStorage;
  const files = new Files(storage);
  /** By its name, then as the file that has it: an operation that has opened it writes under any name. */
  const settlePath = (path: string, writes: boolean): void => {
    settle(world, [{ path, writes }]); // sound: test/code/files.test.ts
    settle(world, [{ path: `file ${files.numberOf(path) ?? ""}`, writes }]); // sound: test/code/files.test.ts
  };
  return {
    write: (path, text) => {
      settlePath(path, true);
      const parent = path.slice(0, path.lastIndexOf("/"));
      if (parent !== "") files.makeDirectory(parent, true);
      files.write(path, bytesOfText(utf8(text)), "open");
      storage.sync(() => true);
    },
    read: (path) => {
      settlePath(path, false);
      return files.stat(path)
        ? decodeURIComponent(escapeBytes(textOfBytes(files.read(path, "open"))))
        : undefined;
    },
    crash: () => {
      settle(world, [{ path: everything, writes: false, isTree: true }]); // sound: test/code/files.test.ts
      crash(world, storage);
      (world.parts.get("descriptors") as Map<number, unknown> | undefined)?.clear(); // sound: test/code/files.test.ts
      (world.parts.get("file-operations") as unknown[] | undefined)?.splice(0); // sound: test/code/files.test.ts
      for (const item of world.pending.filter(({ lane }) => lane === "files")) world.remove(item); // sound: test/code/files.test.ts
    },
    mayFail: (times, code = "EIO") => world.parts.set("file-failures", { left: times, code }),
  };
}

/** Operations under way may have been done in part before somebody looks. */
function settle(world: World, touches: readonly Touch[]): void {
  (world.parts.get("before-files") as ((touches: readonly Touch[]) => void) | undefined)?.(touches);
}

/** Names are kept up to some change; bytes, of files that still have a name, write by write. */
function crash(world: World, storage: JournaledStorage): void {
  world.rely(Relied.wholeWrites); // sound: test/code/files.test.ts
  const { unsynced } = storage;
  const named = unsynced.filter(isNaming); // sound: test/code/files.test.ts
  const lost = world.choose(named.length + 1); // sound: test/code/files.test.ts
  const kept = new Set<readonly Change[]>(named.slice(0, named.length - lost));
  const numbers = numbersAfter(storage, kept);
  let writes = 0;
  for (const changes of unsynced)
    if (!isNaming(changes) && changes.some(({ key }) => numbers.has(key))) {
      // sound: test/code/files.test.ts
      writes++;
      if (world.choose(2) === 0) kept.add(changes); // sound: test/code/files.test.ts
    }
  const all = named.length + writes;
  world.tell("note", "files", `crash: ${all - kept.size} of ${all} unsynced changes are lost`);
  storage.crash((changes) => kept.has(changes)); // sound: test/code/files.test.ts
}

const isNaming = (changes: readonly Change[]): boolean => changes.some(({ key }) => isOfTree(key)); // sound: test/code/files.test.ts

/** The bytes that some file has then. */
function numbersAfter(storage: JournaledStorage, kept: ReadonlySet<readonly Change[]>): Set<string> {
  const after = new JournaledStorage(
    storage.disk,
    storage.unsynced.filter((changes) => kept.has(changes)),
  );
  return new Set(
    after
      .keys()
      .filter((key) => key.startsWith("name:"))
      .map((key) => `data:${after.get(key)}`),
  );
}

export function worldNetwork(world: World): WorldNetwork {
  const faults = faultsOf(world);
  return {
    mayLose: (times) => void (faults.losses = times),
    mayDuplicate: (times) => void (faults.duplicates = times),
    maySplit: (times) => void (faults.splits = times),
    mayReset: (times) => void (faults.resets = times),
    cut: () => {
      faults.isCut = true;
      world.tell("note", "network", "is cut");
    },
    heal: () => {
      faults.isCut = false;
      world.tell("note", "network", "is healed");
    },
  };
}

const utf8 = (text: string): string =>
  encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
const escapeBytes = (bytes: string): string =>
  bytes.replace(/[^]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
