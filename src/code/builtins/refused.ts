/** Stands for an unsupported object of Node: it can be imported, and any use throws with its name. */
import { refuse } from "../world/failure.js";

export function refused(name: string): unknown {
  const no = (): never => refuse(name);
  return new Proxy(function () {}, {
    apply: no,
    construct: no,
    get: (_target, key) => {
      // Read by interoperability code and by `await`, not by the user.
      if (typeof key === "symbol" || key === "__esModule" || key === "then" || key === "prototype")
        return key === "prototype" ? {} : undefined;
      return refused(`${name}.${key}`);
    },
    set: no,
  });
}

/**
 * A module with accessors for its missing names; a module that is a class or function is extended, others are copied.
 * Refusals are created on access, and accessors close over nothing: otherwise they would be state of the importing node.
 */
export function completed(ours: object, missing: object): object {
  const whole: object = typeof ours === "function" ? ours : { ...ours };
  for (const [key, accessor] of Object.entries(Object.getOwnPropertyDescriptors(missing)))
    if (!(key in whole)) Object.defineProperty(whole, key, accessor);
  return whole;
}

/** Packages may assign to a missing name. */
export const replaced = (module: object, key: string, value: unknown): object =>
  Object.defineProperty(module, key, { value, writable: true, enumerable: true, configurable: true });
