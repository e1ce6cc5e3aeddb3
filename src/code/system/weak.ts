/**
 * Weak maps, sets and references with enumerable contents. Replaces JavaScript's classes inside a realm: their contents
 * cannot be captured, and private fields are lowered to them.
 *
 * Invariant: every entry can be reached from an object of the node's state: from its key, or from the collection if the
 * key belongs to no state (an intrinsic, or an object that only code references).
 */
const contents = new WeakMap<object, Map<object, unknown>>();

/** Whether an object belongs to no state, such as `Array.prototype`. Supplied by the host; symbols have no entries. */
let isForeign: (key: object) => boolean = () => false;

export const setForeign = (test: (key: object) => boolean): void => {
  isForeign = test;
};

/** Key and collection in storage order: the first holds the entry, under the second. */
// sound: test/code/system/hidden-conditions.test.ts
const placeOf = (key: object, collection: object): readonly [holder: object, under: object] =>
  typeof key === "symbol" || isForeign(key) ? [collection, key] : [key, collection];

function keep(key: unknown, collection: object, value: unknown): void {
  const [holder, under] = placeOf(checkedKey(key), collection);
  entriesOf(holder).set(under, value);
}

function find(key: object, collection: object): { readonly value: unknown } | undefined {
  const [holder, under] = placeOf(key, collection);
  const entries = contents.get(holder);
  return entries?.has(under) ? { value: entries.get(under) } : undefined;
}

function drop(key: object, collection: object): boolean {
  const [holder, under] = placeOf(key, collection);
  return contents.get(holder)?.delete(under) ?? false;
}

function checkedKey(key: unknown): object {
  const isObject = (typeof key === "object" && key !== null) || typeof key === "function";
  if (!isObject && (typeof key !== "symbol" || Symbol.keyFor(key) !== undefined))
    throw new TypeError("Invalid value used as weak map key");
  return key as object;
}

function entriesOf(holder: object): Map<object, unknown> {
  let map = contents.get(holder);
  if (!map) contents.set(holder, (map = new Map()));
  return map;
}

class VisibleWeakMap {
  constructor(entries?: Iterable<readonly [object, unknown]> | null) {
    for (const [key, value] of entries ?? []) this.set(key, value);
  }

  get(key: object): unknown {
    return find(key, this)?.value;
  }

  has(key: object): boolean {
    return find(key, this) !== undefined;
  }

  set(key: object, value: unknown): this {
    keep(key, this, value);
    return this;
  }

  delete(key: object): boolean {
    return drop(key, this);
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
    return find(key, this) !== undefined;
  }

  add(key: object): this {
    keep(key, this, true);
    return this;
  }

  delete(key: object): boolean {
    return drop(key, this);
  }

  get [Symbol.toStringTag](): string {
    return "WeakSet";
  }
}

/** A world never collects garbage: the target is kept alive and is part of the state. */
class VisibleWeakRef {
  constructor(target: object) {
    entriesOf(this).set(TARGET, checkedKey(target)); // sound: test/code/system/hidden-conditions.test.ts
  }

  deref(): unknown {
    onDeref();
    return contents.get(this)?.get(TARGET);
  }

  get [Symbol.toStringTag](): string {
    return "WeakRef";
  }
}

const TARGET = Object.freeze({});

let onDeref: () => void = () => undefined;

/** `noteDeref`: called when a weak reference is dereferenced. Outside the checker, its target may have been collected. */
export function installWeakCollections(noteDeref: () => void): void {
  onDeref = noteDeref;
  for (const [name, value] of [
    ["WeakMap", VisibleWeakMap],
    ["WeakSet", VisibleWeakSet],
    ["WeakRef", VisibleWeakRef],
  ] as const)
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}

export const weakEntriesOf = (key: object): readonly (readonly [object, unknown])[] => {
  const entries = contents.get(key);
  return entries === undefined || entries.size === 0 ? NONE : [...entries];
};

const NONE: readonly (readonly [object, unknown])[] = Object.freeze([]);

export const clearWeakEntries = (key: object): void => void contents.delete(key);

export const addWeakEntry = (key: object, map: object, held: unknown): void =>
  void entriesOf(key).set(map, held);
