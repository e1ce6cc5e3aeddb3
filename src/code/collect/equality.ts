/** Deep equality as the assertion libraries mean it. */

/** Something that decides itself what it equals: `expect.any(Number)`. */
export const asymmetric = Symbol("everypath.asymmetric");

export interface Asymmetric {
  readonly [asymmetric]: (other: unknown) => boolean;
}

const isAsymmetric = (value: unknown): value is Asymmetric =>
  typeof value === "object" && value !== null && asymmetric in value;

/** `strict`: classes, missing keys and holes count; otherwise a key that is undefined equals one that is missing. */
export function equals(a: unknown, b: unknown, strict: boolean, seen: [unknown, unknown][] = []): boolean {
  if (isAsymmetric(b)) return b[asymmetric](a);
  if (isAsymmetric(a)) return a[asymmetric](b);
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (seen.some(([x, y]) => x === a && y === b)) return true;
  const inner = (x: unknown, y: unknown): boolean => equals(x, y, strict, [...seen, [a, b]]);
  const tag = Object.prototype.toString.call(a);
  if (tag !== Object.prototype.toString.call(b)) return false;
  if (strict && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime());
  if (a instanceof RegExp && b instanceof RegExp) return String(a) === String(b);
  if (a instanceof Error && b instanceof Error)
    return a.name === b.name && a.message === b.message && inner(a.cause, b.cause);
  if (a instanceof Number || a instanceof String || a instanceof Boolean)
    return Object.is(a.valueOf(), b.valueOf());
  if (a instanceof Map && b instanceof Map) return equalMaps(a, b, inner);
  if (a instanceof Set && b instanceof Set)
    return a.size === b.size && [...a].every((x) => b.has(x) || [...b].some((y) => inner(x, y)));
  if (a instanceof ArrayBuffer && b instanceof ArrayBuffer)
    return equalLists(new Uint8Array(a), new Uint8Array(b), inner);
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b))
    return equalLists(a as unknown as ArrayLike<unknown>, b as unknown as ArrayLike<unknown>, inner);
  if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false;
  return equalKeys(a, b, strict, inner);
}

/** Every key of `part`, deeply, is in `whole`. */
export function includes(whole: unknown, part: unknown): boolean {
  if (isAsymmetric(part) || typeof part !== "object" || part === null || isLeaf(part))
    return equals(whole, part, false);
  if (typeof whole !== "object" || whole === null) return false;
  if (Array.isArray(part))
    return (
      Array.isArray(whole) &&
      whole.length === part.length &&
      part.every((item, i) => includes(whole[i], item))
    );
  return Reflect.ownKeys(part).every(
    (key) => key in whole && includes(Reflect.get(whole, key) as unknown, Reflect.get(part, key) as unknown),
  );
}

const isLeaf = (value: object): boolean =>
  value instanceof Date || value instanceof RegExp || value instanceof Map || value instanceof Set;

function equalMaps(a: Map<unknown, unknown>, b: Map<unknown, unknown>, inner: Compare): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([key, value]) =>
    b.has(key)
      ? inner(value, b.get(key))
      : [...b].some(([other, item]) => inner(key, other) && inner(value, item)),
  );
}

type Compare = (a: unknown, b: unknown) => boolean;

function equalLists(a: ArrayLike<unknown>, b: ArrayLike<unknown>, inner: Compare): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!inner(a[i], b[i])) return false;
  return true;
}

function equalKeys(a: object, b: object, strict: boolean, inner: Compare): boolean {
  const keysOf = (value: object): PropertyKey[] =>
    Reflect.ownKeys(value).filter(
      (key) =>
        Object.prototype.propertyIsEnumerable.call(value, key) &&
        (strict || Reflect.get(value, key) !== undefined),
    );
  const keys = keysOf(a);
  if (keys.length !== keysOf(b).length) return false;
  return keys.every(
    (key) => (strict ? Object.hasOwn(b, key) : true) && inner(Reflect.get(a, key), Reflect.get(b, key)),
  );
}
