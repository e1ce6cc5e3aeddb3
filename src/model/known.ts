/** Reads of values that an invariant guarantees: a violated invariant throws here, instead of passing `undefined` on. */

export class MissingValue extends Error {
  override readonly name = "MissingValue";
}

/** The element of a valid index. Not for hot loops: lists of all kinds share this one load. */
export function nth<T extends NonNullable<unknown> | null>(list: ArrayLike<T | undefined>, index: number): T {
  const value = list[index];
  if (value === undefined) throw new MissingValue(`no element ${index} in a list of ${list.length}`);
  return value;
}

/** The last element of a list that has some. */
export const lastOf = <T extends NonNullable<unknown> | null>(list: ArrayLike<T | undefined>): T =>
  nth(list, list.length - 1);

/** The value of a key that the map has. */
export function entryOf<K, V extends NonNullable<unknown> | null>(
  map: { get(key: K): V | undefined },
  key: NoInfer<K>,
): V {
  const value = map.get(key);
  if (value === undefined) throw new MissingValue(`no entry for ${String(key)}`);
  return value;
}

/** A value that is there by now. `what` names it, for the error. */
export function known<T extends NonNullable<unknown> | null>(value: T | undefined, what: string): T {
  if (value === undefined) throw new MissingValue(`${what} is missing`);
  return value;
}
