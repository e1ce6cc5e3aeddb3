/** Unsupported members and options of Node's API: refused by name when used, never silently ignored. */
import { refuse } from "../world/failure.js";

type Class = abstract new (...args: never[]) => object;

/** Adds members to a class: `methods` refuse when called, `properties` when read. Subclasses may override them. */
export function lacking<Base extends Class>(
  base: Base,
  name: string,
  { methods = "", properties = "", statics = "" }: Lacking,
): Base {
  const Lacks = class extends (base as unknown as new (...args: unknown[]) => object) {};
  for (const key of words(methods)) method(Lacks.prototype, key, `${name}.${key}`);
  for (const key of words(statics)) method(Lacks, key, `${name}.${key}`);
  for (const key of words(properties))
    Object.defineProperty(Lacks.prototype, key, {
      get: () => refuse(`${name}.${key}`),
      set(this: object, value: unknown) {
        Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true });
      },
      configurable: true,
    });
  return Lacks as unknown as Base;
}

interface Lacking {
  readonly methods?: string;
  readonly properties?: string;
  readonly statics?: string;
}

const words = (text: string): string[] => text.split(" ").filter((word) => word !== "");

function method(target: object, key: string, name: string): void {
  Object.defineProperty(target, key, { value: () => refuse(name), writable: true, configurable: true });
}

/** Refuses options that would be ignored, unless they are disabled (`false`, `null`). */
export function takeOnly(call: string, options: unknown, taken: string): void {
  if (typeof options !== "object" || options === null) return;
  const known = words(taken);
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && value !== null && value !== false && !known.includes(name))
      refuse(`${call} with the option ${name}`); // sound: test/code/conditions.test.ts
}
