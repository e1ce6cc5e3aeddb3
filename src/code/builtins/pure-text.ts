/** Pure functions of Node on texts, evaluated by the host: addresses. Without `Buffer`, which few programs need. */
import { world } from "../world/current.js";

/** Throws Node's error. */
export const pureText = <T>(name: string, ...args: readonly unknown[]): T =>
  askHost(JSON.stringify([name, ...args]));

export function askHost<T>(request: string, revive?: (key: string, value: unknown) => unknown): T {
  const { value, error } = JSON.parse(world.pure!(request), revive) as { value: T; error?: Thrown };
  if (error) throw thrown(error);
  return value;
}

interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly errno?: number;
}

function thrown({ name, message, code, errno }: Thrown): Error {
  const Type = { RangeError, TypeError }[name] ?? Error;
  return Object.assign(new Type(message), code !== undefined && { code }, errno !== undefined && { errno });
}
