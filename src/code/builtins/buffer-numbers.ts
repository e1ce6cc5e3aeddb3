/** Reads and writes of numbers in a `Buffer`, with Node's names and errors. */

type Numbers = Uint8Array & Record<string, unknown>;
type Class = new (...args: never[]) => Uint8Array;

/** A class with all methods such as `readUInt16LE`, `writeDoubleBE` and `readUIntBE`. */
export function withNumbers<Base extends Class>(base: Base): Base {
  const Numbered = class extends (base as unknown as new (
    ...args: unknown[]
  ) => Uint8Array) {} as unknown as Base;
  for (const [name, view, size, low, high] of fixed)
    for (const end of size === 1 ? [""] : ["LE", "BE"])
      for (const alias of name.includes("UInt") ? [name, name.replace("UInt", "Uint")] : [name]) {
        define(Numbered, `read${alias}${end}`, function (at = 0) {
          inside(this, at as number, size);
          return accessor<Get>(this, `get${view}`)(at as number, end === "LE");
        });
        define(Numbered, `write${alias}${end}`, function (value, at = 0) {
          inRange(value as number, low, high);
          inside(this, at as number, size);
          accessor<Put>(this, `set${view}`)(at as number, value as number, end === "LE");
          return (at as number) + size;
        });
      }
  for (const isSigned of [false, true])
    for (const end of ["LE", "BE"])
      for (const name of isSigned ? ["Int"] : ["UInt", "Uint"]) {
        define(Numbered, `read${name}${end}`, function (at, size) {
          return readInteger(this, at as number, size as number, isSigned, end === "LE");
        });
        define(Numbered, `write${name}${end}`, function (value, at, size) {
          return writeInteger(this, value as number, at as number, size as number, isSigned, end === "LE");
        });
      }
  for (const bits of [16, 32, 64])
    define(Numbered, `swap${bits}`, function () {
      return swap(this, bits / 8);
    });
  return Numbered;
}

type Get = (at: number, isLittle: boolean) => unknown;
type Put = (at: number, value: unknown, isLittle: boolean) => void;
type Fixed = readonly [
  name: string,
  view: string,
  size: number,
  low?: number | bigint,
  high?: number | bigint,
];

const fixed: readonly Fixed[] = [
  ["UInt8", "Uint8", 1, 0, 255],
  ["Int8", "Int8", 1, -128, 127],
  ["UInt16", "Uint16", 2, 0, 0xffff],
  ["Int16", "Int16", 2, -0x8000, 0x7fff],
  ["UInt32", "Uint32", 4, 0, 0xffffffff],
  ["Int32", "Int32", 4, -0x80000000, 0x7fffffff],
  ["Float", "Float32", 4],
  ["Double", "Float64", 8],
  ["BigUInt64", "BigUint64", 8, 0n, 0xffff_ffff_ffff_ffffn],
  ["BigInt64", "BigInt64", 8, -0x8000_0000_0000_0000n, 0x7fff_ffff_ffff_ffffn],
];

function define(owner: Class, name: string, run: (this: Numbers, ...args: unknown[]) => unknown): void {
  Object.defineProperty(owner.prototype, name, { value: run, writable: true, configurable: true });
}

/** A method of a view of the bytes. */
function accessor<F>(bytes: Uint8Array, name: string): F {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (view[name as "getInt8"] as (...all: never[]) => unknown).bind(view) as F;
}

const outOfRange = (what: string): RangeError =>
  Object.assign(new RangeError(`The value of "${what}" is out of range.`), { code: "ERR_OUT_OF_RANGE" });

function inside(bytes: Uint8Array, at: number, size: number): void {
  if (typeof at !== "number")
    throw Object.assign(new TypeError('The "offset" argument must be of type number.'), {
      code: "ERR_INVALID_ARG_TYPE",
    });
  if (Number.isInteger(at) && at >= 0 && at + size <= bytes.length) return;
  if (bytes.length < size)
    throw Object.assign(new RangeError("Attempt to access memory outside buffer bounds"), {
      code: "ERR_BUFFER_OUT_OF_BOUNDS",
    });
  throw outOfRange("offset");
}

function inRange(
  value: number | bigint,
  low: number | bigint | undefined,
  high: number | bigint | undefined,
): void {
  if (low !== undefined && high !== undefined && (value < low || value > high)) throw outOfRange("value");
}

function readInteger(
  bytes: Uint8Array,
  at: number,
  size: number,
  isSigned: boolean,
  isLittle: boolean,
): number {
  inSize(size);
  inside(bytes, at, size);
  let value = 0;
  for (let i = 0; i < size; i++) value = value * 256 + bytes[at + (isLittle ? size - 1 - i : i)]!;
  return isSigned && value >= 256 ** size / 2 ? value - 256 ** size : value;
}

function writeInteger(
  bytes: Uint8Array,
  value: number,
  at: number,
  size: number,
  isSigned: boolean,
  isLittle: boolean,
): number {
  inSize(size);
  const span = 256 ** size;
  inRange(value, isSigned ? -span / 2 : 0, isSigned ? span / 2 - 1 : span - 1);
  inside(bytes, at, size);
  let rest = value < 0 ? value + span : value;
  for (let i = 0; i < size; i++) {
    bytes[at + (isLittle ? i : size - 1 - i)] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return at + size;
}

function inSize(size: number): void {
  if (!Number.isInteger(size) || size < 1 || size > 6) throw outOfRange("byteLength");
}

function swap<T extends Uint8Array>(bytes: T, size: number): T {
  if (bytes.length % size !== 0)
    throw Object.assign(new RangeError(`Buffer size must be a multiple of ${size * 8}-bits`), {
      code: "ERR_INVALID_BUFFER_SIZE",
    });
  for (let at = 0; at < bytes.length; at += size)
    Uint8Array.prototype.subarray.call(bytes, at, at + size).reverse();
  return bytes;
}
