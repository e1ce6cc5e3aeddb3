/**
 * Makes classes callable without `new`, as Node's are: `Transform.call(this, options)` in code that inherits by prototypes.
 *
 * The base class of all, `EventEmitter`, then returns the existing object instead of the new one, so that the fields of
 * the classes between, private ones included, are added to it.
 */

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any class
type Class = (abstract new (...args: any[]) => object) & { prototype: object };

let adopting: object | undefined;

/** Of a base class: the object that its constructor returns. */
export function adopted<T extends object>(made: T): T {
  const object = adopting ?? made;
  adopting = undefined;
  return object as T;
}

const adopt = (object: object | undefined): void => void (adopting = object);

export function callable<C extends Class>(base: C): C {
  const made = function (this: unknown, ...args: unknown[]): unknown {
    if (new.target) return Reflect.construct(base as never, args, new.target) as object;
    if (!(this instanceof (made as unknown as C)))
      return Reflect.construct(base as never, args, made) as object;
    adopt(this);
    try {
      return Reflect.construct(base as never, args) as object;
    } finally {
      adopt(undefined);
    }
  };
  Object.defineProperty(made, "name", { value: base.name, configurable: true });
  made.prototype = base.prototype;
  Object.defineProperty(base.prototype, "constructor", { value: made, writable: true, configurable: true });
  return Object.setPrototypeOf(made, base) as C;
}
