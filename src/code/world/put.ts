/**
 * Defines properties of a new realm. Every schedule creates a realm, so speed matters: descriptors are reused, because
 * each new object shape costs a new realm more than the object does; and existing properties are defined rather than
 * assigned, which V8 does faster for classes such as `Date`.
 */

/** Defines a non-enumerable property, like the language's own. */
export function put(owner: object, name: PropertyKey, value: unknown, writable = true): void {
  data.value = value;
  data.writable = writable;
  Object.defineProperty(owner, name, data);
  data.value = undefined;
}

/** Creates the value at first use, unless it is assigned before. */
export function putLazily(owner: object, name: string, make: () => unknown): void {
  accessor.set = (value) => put(owner, name, value);
  accessor.get = () => {
    const value = make();
    put(owner, name, value);
    return value;
  };
  Object.defineProperty(owner, name, accessor);
}

const data: PropertyDescriptor = { value: undefined, writable: true, configurable: true, enumerable: false };
const accessor: PropertyDescriptor = {
  get: undefined,
  set: undefined,
  configurable: true,
  enumerable: false,
} as unknown as PropertyDescriptor;
