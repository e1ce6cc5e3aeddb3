/** What survives a crash: values by key, and changes that have been made and are not durable yet. */
import type { World } from "../world/world.js";

/** A value of null takes the key away. */
export interface Change {
  readonly key: string;
  readonly value: string | null;
  /** Where the bytes begin that are new, if not all are. */
  readonly at?: number;
}

export interface Storage {
  get(key: string): string | undefined;
  keys(): string[];
  /** Happens as a whole. Is kept over a crash only if `sync` comes first, or by luck. */
  put(changes: readonly Change[]): void;
  /** Is there anything of that name, or was there before what is not durable? */
  knows(key: string): boolean;
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
      const change = this.unsynced[i]!.findLast((other) => other.key === key); // sound: test/code/files.test.ts
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

  /** Of what was not synced, those groups are kept. */
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

/** `__proto__` is a key like any other. */
function set(disk: Record<string, string>, key: string, value: string): void {
  Object.defineProperty(disk, key, { value, configurable: true, enumerable: true, writable: true }); // sound: test/code/files.test.ts
}

/** As far as it is new: earlier changes of the same key may be lost. */
export function applyAlone(disk: Record<string, string>, change: Change): void {
  const { key, value, at } = change;
  if (at === undefined || value === null) return apply(disk, [change]); // sound: test/code/files.test.ts
  const old = Object.hasOwn(disk, key) ? disk[key]! : "";
  const end = old.slice(value.length);
  set(disk, key, old.slice(0, at).padEnd(at, "\0") + value.slice(at) + end); // sound: test/code/files.test.ts
}

/** The storage of this world; a node of a system is given its own by the checker. */
export function storageOf(world: World): Storage {
  let storage = world.parts.get(storagePart) as Storage | undefined;
  if (!storage) world.parts.set(storagePart, (storage = new JournaledStorage()));
  return storage;
}

export const storagePart = "storage";
