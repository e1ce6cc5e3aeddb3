/** The objects of the language, as opposed to the program's, each with an expression that evaluates to it. */
import { types } from "node:util";
import { isNode } from "./image.js";
import { keyPart } from "./path.js";
import { nth, entryOf } from "../../model/known.js";

/** Objects that no property leads to: prototypes of iterators, generators, asynchronous functions. */
const HIDDEN = [
  "[][Symbol.iterator]()",
  "new Map()[Symbol.iterator]()",
  "new Set()[Symbol.iterator]()",
  '""[Symbol.iterator]()',
  "function* () {}",
  "async function () {}",
  "async function* () {}",
].map((value) => `Object.getPrototypeOf(${value})`);

/** An expression to evaluate in the realm; scripts are possible even if `eval` is not. */
export const hiddenIntrinsics = `[${HIDDEN.join(", ")}]`;

/**
 * Objects reachable from the global object, named by the first path; by prototypes only if no property leads to them.
 */
export function intrinsicsOf(global: object, hidden: readonly object[]): Map<object, string> {
  const names = new Map<object, string>([[global, "globalThis"]]);
  const pending: object[] = [global];
  const note = (value: unknown, name: () => string): void => {
    if (!isNode(value) || typeof value === "symbol" || names.has(value)) return;
    names.set(value, name());
    // Proxies that refuse names also refuse inspection.
    if (!types.isProxy(value)) pending.push(value);
  };
  const follow = (): void => {
    for (let object = pending.shift(); object; object = pending.shift()) noteProperties(object, names, note);
  };
  follow();
  hidden.forEach((value, index) => note(value, () => nth(HIDDEN, index)));
  follow();
  // Includes objects added during iteration.
  for (const [object, name] of names) {
    if (types.isProxy(object)) continue;
    note(Reflect.getPrototypeOf(object), () => `Object.getPrototypeOf(${name})`);
    follow();
  }
  return names;
}

function noteProperties(
  object: object,
  names: ReadonlyMap<object, string>,
  note: (value: unknown, name: () => string) => void,
): void {
  const name = entryOf(names, object);
  for (const key of Reflect.ownKeys(object)) {
    const property = Reflect.getOwnPropertyDescriptor(object, key);
    const accessor = (): string => `Object.getOwnPropertyDescriptor(${name}, ${keyText(key)})`;
    note(property?.value, () => name + (typeof key === "string" ? keyPart(key) : `[${keyText(key)}]`));
    note(property?.get, () => `${accessor()}.get`);
    note(property?.set, () => `${accessor()}.set`);
  }
}

function keyText(key: string | symbol): string {
  if (typeof key === "string") return JSON.stringify(key);
  const registered = Symbol.keyFor(key);
  if (registered !== undefined) return `Symbol.for(${JSON.stringify(registered)})`;
  return key.description?.startsWith("Symbol.") ? key.description : String(key);
}
