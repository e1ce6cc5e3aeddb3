/** `Buffer`: bytes with the encodings, reads and writes that protocols use. */
import { refuse } from "../world/failure.js";
import { lacking } from "./lacking.js";
import { atob, btoa, TextDecoder, TextEncoder } from "./encoding.js";

type Encoding = "utf8" | "utf-8" | "hex" | "base64" | "base64url" | "latin1" | "binary" | "ascii";

const Lacking = /* @__PURE__ */ lacking(Uint8Array, "Buffer", {
  methods:
    "readBigUInt64LE readBigUInt64BE readBigUint64LE readBigUint64BE readBigInt64LE readBigInt64BE readUIntLE readUIntBE readUintLE readUintBE readIntLE readIntBE readUint16LE readUint16BE readUint32LE readUint32BE readInt16LE readInt16BE readFloatLE readFloatBE readDoubleLE readDoubleBE readUint8 readInt8 writeBigUInt64LE writeBigUInt64BE writeBigUint64LE writeBigUint64BE writeBigInt64LE writeBigInt64BE writeUIntLE writeUIntBE writeUintLE writeUintBE writeIntLE writeIntBE writeUint16LE writeUint16BE writeUint32LE writeUint32BE writeInt16LE writeInt16BE writeFloatLE writeFloatBE writeDoubleLE writeDoubleBE writeUint8 writeInt8 swap16 swap32 swap64",
  statics: "copyBytesFrom",
});

export class Buffer extends Lacking {
  static readonly poolSize = 8192;

  static override from(value: unknown, second?: unknown, third?: unknown): Buffer {
    if (typeof value === "string") return wrap(encode(value, (second as Encoding | undefined) ?? "utf8"));
    if (value instanceof ArrayBuffer)
      return new Buffer(value, second as number | undefined, third as number | undefined);
    return wrap(Uint8Array.from(value as ArrayLike<number>));
  }

  static alloc(size: number, fill?: number | string): Buffer {
    const made = new Buffer(size);
    return fill === undefined ? made : made.fill(fill as never);
  }

  static allocUnsafe(size: number): Buffer {
    return new Buffer(size);
  }

  static allocUnsafeSlow(size: number): Buffer {
    return new Buffer(size);
  }

  static isBuffer(value: unknown): value is Buffer {
    return value instanceof Buffer;
  }

  static isEncoding(name: string): boolean {
    return /^(utf-?8|hex|base64|base64url|latin1|binary|ascii)$/i.test(name);
  }

  static byteLength(value: string | ArrayBufferView, encoding: Encoding = "utf8"): number {
    return typeof value === "string" ? encode(value, encoding).length : value.byteLength;
  }

  static concat(
    list: readonly Uint8Array[],
    length = list.reduce((sum, part) => sum + part.length, 0),
  ): Buffer {
    const all = Buffer.alloc(length);
    let at = 0;
    for (const part of list) {
      all.set(part.subarray(0, length - at), at);
      at = Math.min(length, at + part.length);
    }
    return all;
  }

  static compare(a: Uint8Array, b: Uint8Array): number {
    for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
    return Math.sign(a.length - b.length);
  }

  override toString(encoding: Encoding = "utf8", start = 0, end = this.length): string {
    return decode(this.subarray(start, end), encoding);
  }

  toJSON(): { type: "Buffer"; data: number[] } {
    return { type: "Buffer", data: [...this] };
  }

  equals(other: Uint8Array): boolean {
    return Buffer.compare(this, other) === 0;
  }

  compare(other: Uint8Array): number {
    return Buffer.compare(this, other);
  }

  write(text: string, offset = 0, encoding: Encoding = "utf8"): number {
    const bytes = encode(text, encoding).subarray(0, this.length - offset);
    this.set(bytes, offset);
    return bytes.length;
  }

  copy(target: Uint8Array, at = 0, start = 0, end = this.length): number {
    const part = this.subarray(start, Math.min(end, start + target.length - at));
    target.set(part, at);
    return part.length;
  }

  /** Shares its bytes, unlike `slice` of typed arrays. */
  override slice(start?: number, end?: number): Buffer {
    return this.subarray(start, end);
  }

  override subarray(start?: number, end?: number): Buffer {
    const part = super.subarray(start, end);
    return new Buffer(part.buffer as ArrayBuffer, part.byteOffset, part.length);
  }

  override indexOf(value: number | string | Uint8Array, from = 0): number {
    if (typeof value === "number") return super.indexOf(value, from);
    const wanted = typeof value === "string" ? encode(value, "utf8") : value;
    for (let i = from; i + wanted.length <= this.length; i++)
      if (wanted.every((byte, k) => this[i + k] === byte)) return i;
    return -1;
  }

  override includes(value: number | string | Uint8Array, from = 0): boolean {
    return this.indexOf(value, from) >= 0;
  }

  readUInt8(at = 0): number {
    return this.#view().getUint8(at);
  }

  readUInt16BE(at = 0): number {
    return this.#view().getUint16(at);
  }

  readUInt16LE(at = 0): number {
    return this.#view().getUint16(at, true);
  }

  readUInt32BE(at = 0): number {
    return this.#view().getUint32(at);
  }

  readUInt32LE(at = 0): number {
    return this.#view().getUint32(at, true);
  }

  readInt32BE(at = 0): number {
    return this.#view().getInt32(at);
  }

  readInt32LE(at = 0): number {
    return this.#view().getInt32(at, true);
  }

  writeUInt8(value: number, at = 0): number {
    this.#view().setUint8(at, value);
    return at + 1;
  }

  writeUInt16BE(value: number, at = 0): number {
    this.#view().setUint16(at, value);
    return at + 2;
  }

  writeUInt16LE(value: number, at = 0): number {
    this.#view().setUint16(at, value, true);
    return at + 2;
  }

  writeUInt32BE(value: number, at = 0): number {
    this.#view().setUint32(at, value);
    return at + 4;
  }

  writeUInt32LE(value: number, at = 0): number {
    this.#view().setUint32(at, value, true);
    return at + 4;
  }

  writeInt32BE(value: number, at = 0): number {
    this.#view().setInt32(at, value);
    return at + 4;
  }

  writeInt32LE(value: number, at = 0): number {
    this.#view().setInt32(at, value, true);
    return at + 4;
  }

  #view(): DataView {
    return new DataView(this.buffer, this.byteOffset, this.byteLength);
  }
}

const wrap = (bytes: Uint8Array): Buffer =>
  new Buffer(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length);

function encode(text: string, encoding: Encoding): Uint8Array {
  switch (encoding) {
    case "utf8":
    case "utf-8":
      return new TextEncoder().encode(text);
    case "hex":
      return Uint8Array.from((text.match(/[0-9a-f]{2}/gi) ?? []).map((pair) => parseInt(pair, 16)));
    case "base64":
    case "base64url":
      return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    case "latin1":
    case "binary":
    case "ascii":
      return Uint8Array.from(text, (c) => c.charCodeAt(0) & 255);
    default:
      return refuse(`Buffer with the encoding ${String(encoding)}`);
  }
}

function decode(bytes: Uint8Array, encoding: Encoding): string {
  const latin1 = (): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  switch (encoding) {
    case "utf8":
    case "utf-8":
      return new TextDecoder().decode(bytes);
    case "hex":
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    case "base64":
      return btoa(latin1());
    case "base64url":
      return btoa(latin1()).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    case "ascii":
      return Array.from(bytes, (byte) => String.fromCharCode(byte & 127)).join("");
    case "latin1":
    case "binary":
      return latin1();
    default:
      return refuse(`Buffer with the encoding ${String(encoding)}`);
  }
}

// 2^32 and 2^29 - 24, as literals: the bundler does not drop unused powers, which could call code.
export const constants = { MAX_LENGTH: 0x1_0000_0000, MAX_STRING_LENGTH: 0x1fff_ffe8 };
export { atob, btoa };
export default { Buffer, constants, atob, btoa };
