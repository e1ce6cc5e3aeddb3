/**
 * Definitions of properties, as many as a realm needs before anything runs in it. One is made for every schedule, so what this costs
 * counts: descriptors are used again, because each new shape of an object costs a new realm more than the object; and a
 * property that is there is defined, not assigned, which takes V8 longer for one of a class such as `Date`.
 */

/** As what the language itself has: not enumerable. */
export function put(owner: object, name: PropertyKey, value: unknown, writable = true): void {
  data.value = value;
  data.writable = writable;
  Object.defineProperty(owner, name, data);
  data.value = undefined;
}

/** Made when it is first used, unless something else is put there before. */
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
