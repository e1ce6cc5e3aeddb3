/** What survives a crash: values by key, and changes that have been made and are not durable yet. */
import type { World } from "../world/world.js";

/** A value of null takes the key away. */
export interface Change {
  readonly key: string;
  readonly value: string | null;
}

export interface Storage {
  get(key: string): string | undefined;
  keys(): string[];
  /** Happens as a whole. Is kept over a crash only if `sync` comes first, or by luck. */
  put(changes: readonly Change[]): void;
  /** Makes durable what touches a key of that kind. */
  sync(isMeant: (key: string) => boolean): void;
}

export class JournaledStorage implements Storage {
  disk: Record<string, string>;
  /** In the order in which they were made; each happens as a whole. */
  unsynced: (readonly Change[])[];

  constructor(disk: Readonly<Record<string, string>> = {}, unsynced: readonly (readonly Change[])[] = []) {
    this.disk = { ...disk };
    this.unsynced = [...unsynced];
  }

  get(key: string): string | undefined {
    for (let i = this.unsynced.length - 1; i >= 0; i--) {
      const change = this.unsynced[i]!.findLast((other) => other.key === key);
      if (change) return change.value ?? undefined;
    }
    return Object.hasOwn(this.disk, key) ? this.disk[key] : undefined;
  }

  keys(): string[] {
    const all = { ...this.disk };
    for (const changes of this.unsynced) apply(all, changes);
    return Object.keys(all);
  }

  put(changes: readonly Change[]): void {
    this.unsynced.push(changes);
  }

  sync(isMeant: (key: string) => boolean): void {
    const left: (readonly Change[])[] = [];
    for (const changes of this.unsynced)
      if (changes.some(({ key }) => isMeant(key))) apply(this.disk, changes);
      else left.push(changes);
    this.unsynced = left;
  }

  /** What was not synced is lost from some point on. */
  crash(kept: number): void {
    for (const changes of this.unsynced.slice(0, kept)) apply(this.disk, changes);
    this.unsynced = [];
  }
}

export function apply(disk: Record<string, string>, changes: readonly Change[]): void {
  for (const { key, value } of changes)
    if (value === null) delete disk[key];
    else disk[key] = value;
}

/** The storage of this world; a node of a system is given its own by the checker. */
export function storageOf(world: World): Storage {
  let storage = world.parts.get(storagePart) as Storage | undefined;
  if (!storage) world.parts.set(storagePart, (storage = new JournaledStorage()));
  return storage;
}

export const storagePart = "storage";
