/** Storage that survives crashes: values by key, and changes that are not yet durable. */
import type { World } from "../world/world.js";
import { nth } from "../../model/known.js";

/** A null value deletes the key. */
export interface Change {
  readonly key: string;
  readonly value: string | null;
  /** Start of the new bytes, if only some are new. */
  readonly at?: number;
}

export interface Storage {
  get(key: string): string | undefined;
  keys(): string[];
  /** Atomic. Survives a crash only after `sync`, or by chance. */
  put(changes: readonly Change[]): void;
  /** Whether the key exists, or existed before the pending changes. */
  knows(key: string): boolean;
  /** Makes changes of the selected keys durable. */
  sync(isMeant: (key: string) => boolean): void;
}

export class JournaledStorage implements Storage {
  disk: Record<string, string>;
  /** In order of creation; each is atomic. */
  unsynced: (readonly Change[])[];

  constructor(disk: Readonly<Record<string, string>> = {}, unsynced: readonly (readonly Change[])[] = []) {
    this.disk = { ...disk };
    this.unsynced = [...unsynced];
  }

  get(key: string): string | undefined {
    for (let i = this.unsynced.length - 1; i >= 0; i--) {
      const change = nth(this.unsynced, i).findLast((other) => other.key === key); // sound: test/code/files.test.ts
      if (change) return change.value ?? undefined; // sound: test/code/files.test.ts
    }
    return Object.hasOwn(this.disk, key) ? this.disk[key] : undefined;
  }

  knows(key: string): boolean {
    const isChanged = this.unsynced.some((changes) => changes.some((change) => change.key === key));
    return isChanged || Object.hasOwn(this.disk, key);
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
      if (changes.some(({ key }) => isMeant(key)))
        apply(this.disk, changes); // sound: test/code/files.test.ts
      else left.push(changes);
    this.unsynced = left;
  }

  /** Crashes; of the unsynced groups, only the selected survive. */
  crash(isKept: (changes: readonly Change[]) => boolean): void {
    for (const changes of this.unsynced)
      if (isKept(changes)) for (const change of changes) applyAlone(this.disk, change); // sound: test/code/files.test.ts
    this.unsynced = [];
  }
}

export function apply(disk: Record<string, string>, changes: readonly Change[]): void {
  for (const { key, value } of changes)
    if (value === null)
      delete disk[key]; // sound: test/code/files.test.ts
    else set(disk, key, value);
}

/** `__proto__` is an ordinary key. */
function set(disk: Record<string, string>, key: string, value: string): void {
  Object.defineProperty(disk, key, { value, configurable: true, enumerable: true, writable: true }); // sound: test/code/files.test.ts
}

/** Applies only the new bytes: earlier changes of the key may be lost. */
export function applyAlone(disk: Record<string, string>, change: Change): void {
  const { key, value, at } = change;
  if (at === undefined || value === null) return apply(disk, [change]); // sound: test/code/files.test.ts
  const old = Object.hasOwn(disk, key) ? disk[key]! : "";
  const end = old.slice(value.length);
  set(disk, key, old.slice(0, at).padEnd(at, "\0") + value.slice(at) + end); // sound: test/code/files.test.ts
}

/** The storage of this world, or of this node if the checker has set one. */
export function storageOf(world: World): Storage {
  let storage = world.parts.get(storagePart) as Storage | undefined;
  if (!storage) world.parts.set(storagePart, (storage = new JournaledStorage()));
  return storage;
}

export const storagePart = "storage";
