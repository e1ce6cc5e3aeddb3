/** Control of files and network for a test. Runs inside the realm. */
import type { Touch } from "../builtins/fs-world.js";
import { everything, Files, isOfTree } from "../devices/files.js";
import { JournaledStorage, storageOf, type Change } from "../devices/storage.js";
import { faultsOf, bytesOfText, textOfBytes } from "../devices/wire.js";
import { Relied, type World } from "../world/world.js";

export interface WorldFiles {
  /** Creates a durable file, with its parent directories. */
  write(path: string, text: string): void;
  /** Content that the code sees; undefined if the file does not exist. */
  read(path: string): string | undefined;
  /**
   * Crashes the machine and restarts it. Of unsynced changes, a suffix of the name changes and any subset of the writes
   * is lost (all combinations are explored); open files are closed, and pending operations never complete. The code
   * itself continues: restart the part that should recover.
   */
  crash(): void;
  /** Lets up to `times` operations per schedule fail with the error code: `EIO`, `ENOSPC`, … */
  mayFail(times: number, code?: string): void;
}

export interface WorldNetwork {
  /** Lets up to `times` datagrams per schedule be lost. */
  mayLose(times: number): void;
  /** Lets up to `times` datagrams per schedule be duplicated. */
  mayDuplicate(times: number): void;
  /** Lets up to `times` segments of connections arrive in two parts, cut anywhere. */
  maySplit(times: number): void;
  /** Lets up to `times` connections be reset. */
  mayReset(times: number): void;
  /** Blocks deliveries until `heal`. */
  cut(): void;
  heal(): void;
}

export function worldFiles(world: World): WorldFiles {
  const storage = storageOf(world) as JournaledStorage;
  const files = new Files(storage);
  /** By name, then as a file: an operation that has opened it writes under any name. */
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

/** Executes a chosen number of steps of pending operations before the access. */
function settle(world: World, touches: readonly Touch[]): void {
  (world.parts.get("before-files") as ((touches: readonly Touch[]) => void) | undefined)?.(touches);
}

/** Keeps a prefix of the name changes, and any writes to files that still have a name. */
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
  world.record("note", "files", `crash: ${all - kept.size} of ${all} unsynced changes are lost`);
  storage.crash((changes) => kept.has(changes)); // sound: test/code/files.test.ts
}

const isNaming = (changes: readonly Change[]): boolean => changes.some(({ key }) => isOfTree(key)); // sound: test/code/files.test.ts

/** File numbers that have a name afterwards. */
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
      world.record("note", "network", "is cut");
    },
    heal: () => {
      faults.isCut = false;
      world.record("note", "network", "is healed");
    },
  };
}

const utf8 = (text: string): string =>
  encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
const escapeBytes = (bytes: string): string =>
  bytes.replace(/[^]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
