/** What a capture needs to know about the realm and the user's wishes. */
export interface HeapRules {
  /** Objects of the language itself, by name: not looked into. */
  readonly intrinsics: ReadonlyMap<object, string>;
  /** Why the object cannot be captured as data; undefined if it can. */
  opaque(value: object): string | undefined;
  /** Where a function's code stands: functions of one place are the same code. */
  codeOf(value: object): string;
  /** Weak maps and private fields, where the realm keeps them in view. */
  readonly weak?: WeakEntries | undefined;
  /** The order of keys of plain objects does not count: an approximation, the program can see it. */
  readonly sortsKeys?: boolean;
  /**
   * What counts of the value at that place: the value itself, something simpler, or `IGNORED`. `path` are the labels from
   * the roots to the field. Absent: everything counts.
   */
  readonly abstraction?: ((path: readonly string[], value: unknown) => unknown) | undefined;
}

/** A field that does not tell states apart; it is captured and restored all the same. */
export const IGNORED = Symbol("ignored");

export interface WeakEntries {
  entriesOf(key: object): readonly (readonly [object, unknown])[];
  /** Nothing holds anything for the key any more. */
  clear(key: object): void;
  add(key: object, map: object, held: unknown): void;
}
