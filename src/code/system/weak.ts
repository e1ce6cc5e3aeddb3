/**
 * Weak maps and sets whose contents can be enumerated for an object that one holds. Runs inside a realm, instead of the
 * language's own: what is in those nobody can see, and private fields are lowered to them.
 */
const contents = new WeakMap<object, Map<object, unknown>>();

function of(key: unknown): Map<object, unknown> {
  if ((typeof key !== "object" || key === null) && typeof key !== "function")
    throw new TypeError("Invalid value used as weak map key");
  let map = contents.get(key);
  if (!map) contents.set(key, (map = new Map()));
  return map;
}

class VisibleWeakMap {
  constructor(entries?: Iterable<readonly [object, unknown]> | null) {
    for (const [key, value] of entries ?? []) this.set(key, value);
  }

  get(key: object): unknown {
    return contents.get(key)?.get(this);
  }

  has(key: object): boolean {
    return contents.get(key)?.has(this) ?? false;
  }

  set(key: object, value: unknown): this {
    of(key).set(this, value);
    return this;
  }

  delete(key: object): boolean {
    return contents.get(key)?.delete(this) ?? false;
  }

  get [Symbol.toStringTag](): string {
    return "WeakMap";
  }
}

class VisibleWeakSet {
  constructor(members?: Iterable<object> | null) {
    for (const member of members ?? []) this.add(member);
  }

  has(key: object): boolean {
    return contents.get(key)?.has(this) ?? false;
  }

  add(key: object): this {
    of(key).set(this, true);
    return this;
  }

  delete(key: object): boolean {
    return contents.get(key)?.delete(this) ?? false;
  }

  get [Symbol.toStringTag](): string {
    return "WeakSet";
  }
}

export function installWeakCollections(): void {
  for (const [name, value] of [
    ["WeakMap", VisibleWeakMap],
    ["WeakSet", VisibleWeakSet],
  ] as const)
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}

export const weakEntriesOf = (key: object): readonly (readonly [object, unknown])[] => [
  ...(contents.get(key) ?? []),
];

export const clearWeakEntries = (key: object): void => void contents.delete(key);

export const addWeakEntry = (key: object, map: object, held: unknown): void => void of(key).set(map, held);
