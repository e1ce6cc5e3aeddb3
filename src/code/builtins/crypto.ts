/** `node:crypto` and the global `crypto`: random values, drawn from the world, and the pure part (`crypto-hash.ts`). */
import { refuse } from "../world/failure.js";
import { world } from "../world/current.js";
import { randomNumber } from "../world/random.js";
import { Buffer } from "./buffer.js";
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  getCiphers,
  getHashes,
} from "./crypto-hash.js";
import { hash, Hash, hkdfSync, Hmac, pbkdf2, pbkdf2Sync, scrypt, scryptSync } from "./crypto-hash.js";
import { timingSafeEqual } from "./crypto-hash.js";
import { inPool } from "./pure.js";
import { nth } from "../../model/known.js";

const randomByte = (): number => Math.floor(randomNumber(world) * 256);

/** Refuses random bytes, which serve as unique names and keys, if only one random value is explored. */
function mayDiffer(what: string): void {
  const { random } = world.options;
  if ("values" in random && random.values === 1)
    refuse(what, "random numbers have one value here, so it would be the same each time"); // sound: test/code/system/conditions.test.ts
}

export function randomBytes(
  size: number,
  callback?: (error: null, bytes: Buffer) => void,
): Buffer | undefined {
  mayDiffer("crypto.randomBytes()"); // sound: test/code/system/conditions.test.ts
  const bytes = Buffer.from(Array.from({ length: size }, randomByte));
  if (!callback) return bytes;
  inPool("randomBytes", () => bytes, callback as never); // sound: test/code/required.test.ts
  return undefined;
}

export function randomFillSync<T extends ArrayBufferView>(view: T, offset = 0, size?: number): T {
  mayDiffer("crypto.randomFillSync()"); // sound: test/code/system/conditions.test.ts
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const end = size === undefined ? bytes.length : offset + size;
  for (let i = offset; i < end; i++) bytes[i] = randomByte();
  return view;
}

export function randomFill(view: ArrayBufferView, ...rest: unknown[]): void {
  const done = rest.pop() as (error: Error | null, view?: ArrayBufferView) => void;
  const [offset, size] = rest as [number?, number?];
  inPool("randomFill", () => randomFillSync(view, offset, size), done);
}

export function getRandomValues<T extends ArrayBufferView>(view: T): T {
  mayDiffer("crypto.getRandomValues()"); // sound: test/code/system/conditions.test.ts
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  for (let i = 0; i < bytes.length; i++) bytes[i] = randomByte();
  return view;
}

export function randomUUID(): string {
  mayDiffer("crypto.randomUUID()"); // sound: test/code/system/conditions.test.ts
  const bytes = Array.from({ length: 16 }, randomByte);
  bytes[6] = (nth(bytes, 6) & 15) | 64;
  bytes[8] = (nth(bytes, 8) & 63) | 128;
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

type Drawn = (error: Error | null, value?: number) => void;

export function randomInt(...args: (number | Drawn)[]): number | undefined {
  const done = typeof args.at(-1) === "function" ? (args.pop() as Drawn) : undefined;
  const [low = 0, high] = args as number[];
  const [from, to] = high === undefined ? [0, low] : [low, high];
  const value = from + Math.floor(randomNumber(world) * (to - from));
  if (!done) return value;
  inPool("randomInt", () => value, done);
  return undefined;
}

export const webcrypto = {
  getRandomValues,
  randomUUID,
  get subtle(): never {
    return refuse("crypto.subtle");
  },
};

export {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  getCiphers,
  getHashes,
  hash,
  Hash,
  hkdfSync,
};
export { Hmac, pbkdf2, pbkdf2Sync, scrypt, scryptSync, timingSafeEqual };

export default {
  randomBytes,
  randomFill,
  randomFillSync,
  getRandomValues,
  randomUUID,
  randomInt,
  webcrypto,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  getCiphers,
  getHashes,
  hash,
  Hash,
  hkdfSync,
  Hmac,
  pbkdf2,
  pbkdf2Sync,
  scrypt,
  scryptSync,
  timingSafeEqual,
};
