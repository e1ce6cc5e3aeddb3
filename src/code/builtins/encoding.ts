/** UTF-8 and base64 conversions, and structured clones. */
import { DOMException } from "./abort.js";
import { nth } from "../../model/known.js";

/** Replaces lone surrogates by the replacement character. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd");

export class TextEncoder {
  readonly encoding = "utf-8";

  encode(text = ""): Uint8Array {
    const bytes: number[] = [];
    for (const character of wellFormed(String(text))) {
      const code = character.codePointAt(0)!;
      if (code < 0x80) bytes.push(code);
      else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
      else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
      else
        bytes.push(
          0xf0 | (code >> 18),
          0x80 | ((code >> 12) & 63),
          0x80 | ((code >> 6) & 63),
          0x80 | (code & 63),
        );
    }
    return Uint8Array.from(bytes);
  }

  encodeInto(text: string, target: Uint8Array): { read: number; written: number } {
    let read = 0;
    let written = 0;
    for (const character of text) {
      const bytes = this.encode(character);
      if (written + bytes.length > target.length) break;
      target.set(bytes, written);
      written += bytes.length;
      read += character.length;
    }
    return { read, written };
  }
}

export class TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  #rest: number[] = [];

  constructor(encoding = "utf-8", options: { fatal?: boolean } = {}) {
    if (!/^utf-?8$/i.test(encoding)) throw new RangeError(`The "${encoding}" encoding is not supported`);
    this.encoding = "utf-8";
    this.fatal = options.fatal ?? false;
  }

  decode(data?: ArrayBuffer | ArrayBufferView, options: { stream?: boolean } = {}): string {
    const bytes = [...this.#rest, ...bytesOf(data)];
    this.#rest = [];
    let text = "";
    for (let i = 0; i < bytes.length;) {
      const length = sequenceLength(nth(bytes, i));
      if (i + length > bytes.length && options.stream) {
        this.#rest = bytes.slice(i);
        break;
      }
      const code = codePoint(bytes, i, length);
      if (code === undefined) {
        if (this.fatal) throw new TypeError("The encoded data was not valid for encoding utf-8");
        text += "\ufffd";
        i++;
      } else {
        text += String.fromCodePoint(code);
        i += length;
      }
    }
    return text.replace(/^\ufeff/, "");
  }
}

const bytesOf = (data: ArrayBuffer | ArrayBufferView | undefined): Uint8Array => {
  if (data === undefined) return new Uint8Array(0);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
};

const sequenceLength = (first: number): number =>
  first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

function codePoint(bytes: readonly number[], at: number, length: number): number | undefined {
  const first = nth(bytes, at);
  if (length === 1) return first;
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return undefined;
  let code = first & (0xff >> (length + 1));
  for (let i = 1; i < length; i++) {
    const next = nth(bytes, at + i);
    if ((next & 0xc0) !== 0x80) return undefined;
    code = (code << 6) | (next & 63);
  }
  const isShortest = code >= nth([0, 0, 0x80, 0x800, 0x10000], length);
  return isShortest && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? code : undefined;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function btoa(text: string): string {
  let out = "";
  for (let i = 0; i < text.length; i += 3) {
    const [a = 0, b, c] = [0, 1, 2].map((k) => (i + k < text.length ? text.charCodeAt(i + k) : undefined));
    if (a > 255 || (b ?? 0) > 255 || (c ?? 0) > 255)
      throw new DOMException("Invalid character", "InvalidCharacterError");
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    out += alphabet[bits >> 18]! + alphabet[(bits >> 12) & 63]!;
    out +=
      (b === undefined ? "=" : alphabet[(bits >> 6) & 63]!) + (c === undefined ? "=" : alphabet[bits & 63]!);
  }
  return out;
}

export function atob(text: string): string {
  let bits = 0;
  let count = 0;
  let out = "";
  for (const character of text.replace(/[\s=]/g, "")) {
    const value = alphabet.indexOf(character);
    if (value < 0) throw new DOMException("The string is not correctly encoded", "InvalidCharacterError");
    bits = (bits << 6) | value;
    count += 6;
    if (count >= 8) out += String.fromCharCode((bits >> (count -= 8)) & 255);
  }
  return out;
}

/** Copies data; refuses functions and symbols, as in Node. */
export function structuredClone<T>(value: T): T {
  return copy(value, new Map()) as T;
}

function copy(value: unknown, seen: Map<object, unknown>): unknown {
  if (typeof value === "function" || typeof value === "symbol")
    throw new DOMException(`${String(value)} could not be cloned.`, "DataCloneError");
  if (typeof value !== "object" || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  const keep = <T extends object>(made: T): T => {
    seen.set(value, made);
    return made;
  };
  if (value instanceof Date) return keep(new Date(value.getTime()));
  if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
  if (value instanceof ArrayBuffer) return keep(value.slice(0));
  if (ArrayBuffer.isView(value)) return keep(copyView(value));
  if (value instanceof Map) {
    const made = keep(new Map<unknown, unknown>());
    for (const [key, item] of value) made.set(copy(key, seen), copy(item, seen));
    return made;
  }
  if (value instanceof Set) {
    const made = keep(new Set<unknown>());
    for (const item of value) made.add(copy(item, seen));
    return made;
  }
  if (value instanceof Error) {
    const made = keep(Object.create(Object.getPrototypeOf(value) as object) as Error);
    for (const key of ["name", "message", "stack", "cause"] as const)
      if (key in value)
        Object.defineProperty(made, key, {
          value: copy(value[key], seen),
          configurable: true,
          writable: true,
        });
    return made;
  }
  const made = keep(
    Array.isArray(value) ? (new Array(value.length) as unknown[]) : ({} as Record<string, unknown>),
  );
  for (const key of Object.keys(value)) Reflect.set(made, key, copy(Reflect.get(value, key), seen));
  return made;
}

function copyView(view: ArrayBufferView): ArrayBufferView {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice();
  const Type = view.constructor as new (buffer: ArrayBuffer) => ArrayBufferView;
  return new Type(bytes.buffer);
}
