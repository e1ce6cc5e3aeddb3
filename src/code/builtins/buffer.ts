/** `Buffer`: bytes with the encodings, reads and writes that protocols use. */
import { refuse } from "../world/failure.js";
import { withNumbers } from "./buffer-numbers.js";
import { atob, btoa, TextDecoder, TextEncoder } from "./encoding.js";

type Encoding =
  "utf8" | "utf-8" | "hex" | "base64" | "base64url" | "latin1" | "binary" | "ascii" | "utf16le" | "ucs2";

const Numbered = /* @__PURE__ */ withNumbers(Uint8Array);

export class Buffer extends Numbered {
  static readonly poolSize = 8192;

  /** Besides lengths and parts of array buffers, old code passes what `Buffer.from` takes. */
  constructor(value?: unknown, second?: unknown, third?: unknown) {
    if (typeof value === "string") super(encode(value, (second as Encoding | undefined) ?? "utf8") as never);
    else super(...([value, second, third].slice(0, second === undefined ? 1 : 3) as [never]));
  }

  static copyBytesFrom(view: ArrayBufferView): Buffer {
    return wrap(new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset, view.byteLength).slice());
  }

  static override from(value: unknown, second?: unknown, third?: unknown): Buffer {
    if (typeof value === "string") return wrap(encode(value, (second as Encoding | undefined) ?? "utf8"));
    if (value instanceof ArrayBuffer)
      return new Buffer(value, second as number | undefined, third as number | undefined);
    return wrap(Uint8Array.from(value as ArrayLike<number>));
  }

  static alloc(size: number, fill?: unknown, encoding?: string): Buffer {
    const made = new Buffer(size);
    return fill === undefined ? made : made.fill(fill, encoding);
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
    return /^(utf-?8|hex|base64|base64url|latin1|binary|ascii|utf-?16le|ucs-?2)$/i.test(name);
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

  override fill(value: unknown, from?: unknown, to?: unknown, encoding?: unknown): this {
    if (typeof value !== "string" && !(value instanceof Uint8Array))
      return super.fill(Number(value), from as number | undefined, to as number | undefined);
    const [start, end, name] =
      typeof from === "string" ? [0, this.length, from] : [from ?? 0, to ?? this.length, encoding];
    const pattern =
      typeof value === "string" ? encode(value, (name as Encoding | undefined) ?? "utf8") : value;
    for (let i = start as number; i < (end as number); i++)
      this[i] = pattern[(i - (start as number)) % pattern.length] ?? 0;
    return this;
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

  override lastIndexOf(value: number | string | Uint8Array, from = this.length): number {
    if (typeof value === "number") return super.lastIndexOf(value, from);
    const wanted = typeof value === "string" ? encode(value, "utf8") : value;
    for (let i = Math.min(from, this.length - wanted.length); i >= 0; i--)
      if (wanted.every((byte, k) => this[i + k] === byte)) return i;
    return -1;
  }

  inspect(): string {
    return `<Buffer ${decode(this, "hex").replace(/..(?=.)/g, "$& ")}>`;
  }
}

const wrap = (bytes: Uint8Array): Buffer =>
  new Buffer(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length);

const canonical = (encoding: string): string =>
  /^(utf-?16le|ucs-?2)$/i.test(encoding) ? "utf16le" : String(encoding).toLowerCase();

function encode(text: string, encoding: Encoding): Uint8Array {
  switch (canonical(encoding)) {
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
      return Uint8Array.from(text.split(""), (c) => c.charCodeAt(0) & 255);
    case "utf16le":
      return Uint8Array.from(text.split("").flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]));
    default:
      return refuse(`Buffer with the encoding ${String(encoding)}`);
  }
}

function decode(bytes: Uint8Array, encoding: Encoding): string {
  const latin1 = (): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  switch (canonical(encoding)) {
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
    case "utf16le":
      return Array.from({ length: bytes.length >> 1 }, (_, i) =>
        String.fromCharCode(bytes[2 * i]! | (bytes[2 * i + 1]! << 8)),
      ).join("");
    default:
      return refuse(`Buffer with the encoding ${String(encoding)}`);
  }
}

// 2^32 and 2^29 - 24, as literals: the bundler does not drop unused powers, which could call code.
export const constants = { MAX_LENGTH: 0x1_0000_0000, MAX_STRING_LENGTH: 0x1fff_ffe8 };
export const kMaxLength = 0x1_0000_0000;
export const kStringMaxLength = 0x1fff_ffe8;
export const INSPECT_MAX_BYTES = 50;
export { atob, btoa };
export default {
  Buffer,
  constants,
  atob,
  btoa,
  kMaxLength,
  kStringMaxLength,
  INSPECT_MAX_BYTES,
};
