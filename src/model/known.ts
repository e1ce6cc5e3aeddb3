/** Reads values that an invariant guarantees to exist. A violated invariant throws here instead of passing on `undefined`. */

export class MissingValue extends Error {
  override readonly name = "MissingValue";
}

/** The element at a valid index. Not for hot loops: lists of all types share this load, so V8 cannot specialise it. */
export function nth<T extends NonNullable<unknown> | null>(list: ArrayLike<T | undefined>, index: number): T {
  const value = list[index];
  if (value === undefined) throw new MissingValue(`no element ${index} in a list of ${list.length}`);
  return value;
}

/** The last element of a non-empty list. */
export const lastOf = <T extends NonNullable<unknown> | null>(list: ArrayLike<T | undefined>): T =>
  nth(list, list.length - 1);

/** The value of a key that is in the map. */
export function entryOf<K, V extends NonNullable<unknown> | null>(
  map: { get(key: K): V | undefined },
  key: NoInfer<K>,
): V {
  const value = map.get(key);
  if (value === undefined) throw new MissingValue(`no entry for ${String(key)}`);
  return value;
}

/** A value that must have been set before. `what` names it in the error. */
export function known<T extends NonNullable<unknown> | null>(value: T | undefined, what: string): T {
  if (value === undefined) throw new MissingValue(`${what} is missing`);
  return value;
}
