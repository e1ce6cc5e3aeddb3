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
 * A module with its missing names. Classes and functions are returned unchanged. Refusals are created on access: eager
 * ones would become state of the importing node.
 */
export function completed(ours: object, name: string, missing: readonly string[]): object {
  if (typeof ours === "function") return ours;
  const whole: object = { ...ours };
  for (const key of missing)
    Object.defineProperty(whole, key, {
      get: () => refused(`${name}.${key}`),
      enumerable: true,
      configurable: true,
    });
  return whole;
}
