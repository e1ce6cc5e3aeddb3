/** Pure functions of Node on bytes, evaluated by the host: hashes, compression. */
import { world } from "../world/current.js";
import { Buffer } from "./buffer.js";
import { askHost } from "./pure-text.js";

export type Bytes = Uint8Array;

/** Throws Node's error. Bytes may occur anywhere in the arguments and in the result, where they are buffers. */
export const pure = <T>(name: string, ...args: readonly unknown[]): T =>
  askHost(JSON.stringify([name, ...args], replaceBytes), reviveBytes);

/** Completes later, like work of Node's thread pool: in any order. */
export function inPool<T>(label: string, run: () => T, done: (error: Error | null, value?: T) => void): void {
  world.record("call", "pool", label);
  world.add({
    lane: "pool",
    label: `completes ${label}`,
    queue: "",
    due: undefined,
    run: () => {
      let value: T;
      try {
        value = run();
      } catch (error) {
        return done(error as Error);
      }
      done(null, value);
    },
  });
}

function replaceBytes(this: unknown, key: string, value: unknown): unknown {
  const before = (this as Record<string, unknown>)[key];
  if (!(before instanceof Uint8Array)) return value;
  return {
    $: Buffer.from(before.buffer as ArrayBuffer, before.byteOffset, before.length).toString("base64"),
  };
}

function reviveBytes(_key: string, value: unknown): unknown {
  const { $ } = (value ?? {}) as { $?: unknown };
  return typeof $ === "string" ? Buffer.from($, "base64") : value;
}

/** Bytes of a text or of a view. */
export function bytesOf(value: unknown, encoding?: string): Buffer {
  if (typeof value === "string") return Buffer.from(value, encoding === "buffer" ? undefined : encoding);
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  if (ArrayBuffer.isView(value))
    return Buffer.from(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
  throw Object.assign(
    new TypeError(
      'The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView.',
    ),
    { code: "ERR_INVALID_ARG_TYPE" },
  );
}

/** Bytes, or their text. */
export const encoded = (bytes: Buffer, encoding?: string): Buffer | string =>
  encoding === undefined || encoding === "buffer" ? bytes : bytes.toString(encoding as "hex");
