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
