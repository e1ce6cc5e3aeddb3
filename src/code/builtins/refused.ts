/** Stands for something of Node's that is not under control: importing it is allowed, using it says its name. */
import { refuse } from "../world/failure.js";

export function refused(name: string): unknown {
  const no = (): never => refuse(name);
  return new Proxy(function () {}, {
    apply: no,
    construct: no,
    get: (_target, key) => {
      // Asked by interoperability code and by `await`, not by the user.
      if (typeof key === "symbol" || key === "__esModule" || key === "then" || key === "prototype")
        return key === "prototype" ? {} : undefined;
      return refused(`${name}.${key}`);
    },
    set: no,
  });
}

/**
 * A module as a whole, with the names that it lacks. A class or function stays itself. What is refused is made when it is asked
 * for: a stand-in that nobody asked for would be a part of the state of whoever imports the module.
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
