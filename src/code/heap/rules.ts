/** Options of capture that depend on the realm and the user. */
export interface HeapRules {
  /** Objects of the language, by name; not traversed. */
  readonly intrinsics: ReadonlyMap<object, string>;
  /** Why the object cannot be captured as data; undefined if it can. */
  opaque(value: object): string | undefined;
  /** Source position of a function: functions with the same position have the same code. */
  codeOf(value: object): string;
  /** Weak maps and private fields, if the realm makes them enumerable. */
  readonly weak?: WeakEntries | undefined;
  /** Ignores the order of keys of plain objects: an approximation, since programs can observe it. */
  readonly sortsKeys?: boolean;
  /** Maps the value at a path (labels from the roots) to itself, a simpler one, or `IGNORED`. Absent: identity. */
  readonly abstraction?: ((path: readonly string[], value: unknown) => unknown) | undefined;
}

/** Marks a field that does not distinguish states; it is still captured and restored. */
export const IGNORED = Symbol("ignored");

export interface WeakEntries {
  entriesOf(key: object): readonly (readonly [object, unknown])[];
  /** Removes all entries of the key. */
  clear(key: object): void;
  add(key: object, map: object, held: unknown): void;
}
