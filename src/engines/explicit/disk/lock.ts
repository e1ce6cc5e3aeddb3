/**
 * The lock of a folder: one search at a time.
 *
 * Each contender writes a file that no other process writes, then looks for files of others, and enters only if it finds none
 * of a process that may still run. If two contend at once, at least one sees the other, so never do both enter.
 */
import { createHash, randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

const LOCK = /^lock-(\d+)-(\w*)-(\w+)-\w+$/;

export const isLock = (name: string): boolean => LOCK.test(name);

export class Lock {
  readonly #path: string;
  readonly #directory: string;
  readonly name: string;

  constructor(directory: string) {
    this.#directory = directory;
    const own = [process.pid, birthOf(process.pid) ?? "", place(), randomBytes(4).toString("hex")];
    this.name = `lock-${own.join("-")}`;
    this.#path = join(directory, this.name);
  }

  /** The file of a process that holds or contends for the folder; undefined if the lock was taken. */
  take(): string | undefined {
    for (let attempt = 0; ; attempt++) {
      closeSync(openSync(this.#path, "wx"));
      const other = this.#others().find(mayRun); // sound: test/engines/disk/conditions.test.ts
      if (other === undefined) break;
      this.release();
      if (attempt === LOCK_WAITS) return other;
      // A process that was killed a moment ago may not be gone yet; two that came at once come again at different times.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_WAIT_MS * (0.5 + Math.random()));
    }
    for (const name of this.#others())
      if (!mayRun(name)) rmSync(join(this.#directory, name), { force: true });
    return undefined;
  }

  release(): void {
    rmSync(this.#path, { force: true });
  }

  #others(): string[] {
    return readdirSync(this.#directory).filter((name) => isLock(name) && name !== this.name);
  }
}

/** The process that a lock names, in words. */
export function holderOf(name: string): string {
  const [, pid, , where] = LOCK.exec(name)!;
  return where === place() ? `process ${pid}` : `process ${pid} of another machine or container`;
}

/** May the process that wrote this still run? Unknown for other machines. */
function mayRun(name: string): boolean {
  const [, pid, birth, where] = LOCK.exec(name)!;
  if (where !== place()) return true; // sound: test/engines/disk/conditions.test.ts
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  const now = birthOf(Number(pid));
  return now === undefined || birth === "" || now === birth;
}

/** Start time of a process in Linux clock ticks since boot; "dead" for a zombie; undefined on other systems. */
function birthOf(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return "dead";
    return `${short(readFileSync("/proc/sys/kernel/random/boot_id", "utf8"))}${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** The scope of process ids. */
function place(): string {
  let namespace = "";
  try {
    namespace = readlinkSync("/proc/self/ns/pid");
  } catch {
    // Only Linux has such.
  }
  return short(`${hostname()} ${namespace}`);
}

const short = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);

const LOCK_WAITS = 40;
const LOCK_WAIT_MS = 50;
