/** The hand of a test on the files and the network of its world. Runs inside the realm. */
import { Files } from "../devices/files.js";
import { storageOf, type JournaledStorage } from "../devices/storage.js";
import { faultsOf, bytesOfText, textOfBytes } from "../devices/wire.js";
import type { World } from "../world/world.js";

export interface WorldFiles {
  /** Puts a file there, with the directories above it; it is durable. */
  write(path: string, text: string): void;
  /** What the code sees; undefined if there is no such file. */
  read(path: string): string | undefined;
  /**
   * The power fails and comes back: what was written and not synced is lost from some point on (every one is tried), open files
   * are closed, and operations under way never complete. The code itself goes on: start what is to recover anew.
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
  /** The bytes of so many segments of connections come in two parts. */
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
  return {
    write: (path, text) => {
      const parent = path.slice(0, path.lastIndexOf("/"));
      if (parent !== "") files.makeDirectory(parent, true);
      files.write(path, bytesOfText(utf8(text)), "open");
      storage.sync(() => true);
    },
    read: (path) =>
      files.stat(path) ? decodeURIComponent(escapeBytes(textOfBytes(files.read(path, "open")))) : undefined,
    crash: () => {
      const count = storage.unsynced.length;
      const lost = world.choose(count + 1);
      world.tell("note", "files", `crash: ${lost} of ${count} unsynced writes are lost`);
      storage.crash(count - lost);
      (world.parts.get("descriptors") as Map<number, unknown> | undefined)?.clear();
      world.pending = world.pending.filter(({ lane }) => lane !== "files");
    },
    mayFail: (times, code = "EIO") => world.parts.set("file-failures", { left: times, code }),
  };
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
