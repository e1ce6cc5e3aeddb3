/** Copies of the data in snapshots and events. Runs inside realms. */
import { UnsupportedError } from "../world/failure.js";

/**
 * A deep copy. Without it, a snapshot would share objects with the machine's configuration, which belongs to no state. `path` names the value in
 * messages.
 */
export function copyData<T>(value: T, path: string, above: readonly unknown[] = []): T {
  if (typeof value === "function" || typeof value === "symbol")
    throw new UnsupportedError(`${path} is a ${typeof value}; states consist of data`); // sound: test/code/machines/runtime.test.ts
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value))
    throw new UnsupportedError(`${path} contains itself; states consist of trees of data`);
  return copyObject(value, path, [...above, value]) as T;
}

function copyObject(value: object, path: string, above: readonly unknown[]): unknown {
  const copy = (held: unknown, key: string): unknown => copyData(held, `${path}${key}`, above);
  if (Array.isArray(value)) return value.map((held, i) => copy(held, `[${i}]`));
  if (value instanceof Date) return new Date(value.getTime());
  if (value instanceof Error) return copyError(value);
  if (value instanceof Map)
    return new Map(
      [...value].map(([key, held]) => [copy(key, " (a key)"), copy(held, `.get(${String(key)})`)]),
    );
  if (value instanceof Set) return new Set([...value].map((held) => copy(held, " (an element)")));
  const prototype: unknown = Object.getPrototypeOf(value);
  // sound: test/code/machines/runtime.test.ts
  if (prototype !== Object.prototype && prototype !== null)
    throw new UnsupportedError(`${path} is a ${nameOf(prototype)}; states consist of plain data`);
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, copy(held, `.${key}`)]));
}

/** Errors are compared by name and message: their stacks differ in each run. */
function copyError({ name, message }: Error): Error {
  const copied = new Error(message);
  copied.name = name;
  Object.defineProperty(copied, "stack", { value: "", writable: true, configurable: true });
  return copied;
}

const nameOf = (prototype: unknown): string =>
  (prototype as { constructor?: { name?: string } } | null)?.constructor?.name ?? "foreign object";

/**
 * An event of which only the type is declared. Reading anything else is refused: its value is unknown, and every answer would
 * be a guess.
 */
export function undeclared(event: { readonly type: string }, advice: string): { readonly type: string } {
  const refuse = (what: string): never => {
    throw new UnsupportedError(`the code reads ${what} of '${event.type}', which is not declared: ${advice}`);
  };
  const isKnown = (key: string | symbol): boolean => typeof key === "symbol" || key in event;
  return new Proxy(event, {
    get: (target, key) => (isKnown(key) ? (Reflect.get(target, key) as unknown) : refuse(`'${String(key)}'`)), // sound: test/code/machines/runtime.test.ts
    has: (_target, key) => isKnown(key) || refuse(`'${String(key)}'`), // sound: test/code/machines/runtime.test.ts
    ownKeys: () => refuse("all fields"), // sound: test/code/machines/runtime.test.ts
  });
}
