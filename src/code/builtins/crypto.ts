/** Random values of `node:crypto` and the global `crypto`, drawn from the world. */
import { refuse } from "../world/failure.js";
import { world } from "../world/current.js";
import { randomNumber } from "../world/random.js";
import { Buffer } from "./buffer.js";
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
  process.nextTick(() => callback(null, bytes));
  return undefined;
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

export function randomInt(low: number, high?: number): number {
  const [from, to] = high === undefined ? [0, low] : [low, high];
  return from + Math.floor(randomNumber(world) * (to - from));
}

export const webcrypto = {
  getRandomValues,
  randomUUID,
  get subtle(): never {
    return refuse("crypto.subtle");
  },
};

export default { randomBytes, getRandomValues, randomUUID, randomInt, webcrypto };
