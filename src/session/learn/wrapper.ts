/** A system with one node that holds an object of the class under learning: every call is an action of the environment. */

export interface ClassRequest {
  /** Name of the exported class; absent: the only one. */
  readonly className?: string;
  /** Calls such as `push(1)`; absent: all methods without parameters. */
  readonly calls?: readonly string[];
  /** Arguments of the constructor, as written. */
  readonly construct?: string;
}

/** A call of a method, such as `push(1)`. */
export const CALL = /^([A-Za-z_$][\w$]*)\s*\(([\s\S]*)\)$/;

/**
 * The text of a system file; `path`: the file of the class. A call that throws or rejects is refused, and ends the object. Functions stay inside the definition, which is
 * no state of the node: a module variable that held them would be.
 */
export function wrapperOf(path: string, { className, calls, construct = "" }: ClassRequest): string {
  const listed = (calls ?? []).map((call) => {
    const [, method = "", args = ""] = CALL.exec(call) ?? [];
    const name = JSON.stringify(method);
    return `[${JSON.stringify(call)}, ${name}, (object) => object[${name}](${args})]`;
  });
  return `
import { defineSystem } from "everypath/system";
import * as exported from ${JSON.stringify(path)};

const Subject = (() => {
  const wanted = ${JSON.stringify(className ?? null)};
  const isClass = (value) => typeof value === "function" && /^class\\b/.test(Function.prototype.toString.call(value));
  const classes = Object.keys(exported).filter((name) => isClass(exported[name]));
  const name = wanted ?? (classes.length === 1 ? classes[0] : undefined);
  if (classes.length === 0) throw new Error("the file exports no class");
  if (name === undefined) throw new Error("the file exports " + classes.join(", ") + ": --class chooses one");
  if (!classes.includes(name)) throw new Error("the file exports no class '" + name + "'");
  return exported[name];
})();

class Held {
  object = new Subject(${construct});
  refused = false;
}

export default defineSystem(() => {
  const methods = [];
  for (let proto = Subject.prototype; proto && proto !== Object.prototype; proto = Object.getPrototypeOf(proto))
    for (const method of Object.getOwnPropertyNames(proto)) {
      const { value } = Object.getOwnPropertyDescriptor(proto, method);
      if (method !== "constructor" && typeof value === "function" && !methods.includes(method)) methods.push(method);
    }
  const calls = [${listed.join(", ")}];
  for (const [, method] of calls)
    if (!methods.includes(method)) throw new Error("the class has no method '" + method + "'; methods: " + methods.join(", "));
  if (calls.length === 0) {
    const open = methods.filter((method) => Subject.prototype[method].length > 0);
    if (open.length > 0) throw new Error("methods with parameters need --call: " + open.join(", "));
    if (methods.length === 0) throw new Error("the class has no methods");
    for (const method of methods) calls.push([method + "()", method, (object) => object[method]()]);
  }
  const refuse = (held) => {
    held.refused = true;
    held.object = undefined;
  };
  const run = (call) => (held) => {
    try {
      const result = call(held.object);
      if (result !== null && typeof result === "object" && typeof result.then === "function")
        return result.then(() => undefined, () => refuse(held));
    } catch {
      refuse(held);
    }
    return undefined;
  };
  return {
    nodes: { object: () => new Held() },
    actions: Object.fromEntries(
      calls.map(([label, , call]) => [label, { when: (held) => !held.refused, run: run(call) }]),
    ),
  };
});
`;
}
