import { types } from "node:util";

/**
 * The tag of an object or its class. Calls no code of the program: its tags may be accessors, unlike the language's.
 */
export function tagOf(value: object | symbol): string | undefined {
  if (typeof value === "symbol") return undefined;
  for (let at: object | null = value; at && !types.isProxy(at); at = Reflect.getPrototypeOf(at)) {
    const tag = Reflect.getOwnPropertyDescriptor(at, Symbol.toStringTag);
    if (tag) return typeof tag.value === "string" ? tag.value : undefined;
  }
  return undefined;
}
