/** `node:string_decoder`: text of byte chunks that may end within a character. */
import { Buffer } from "./buffer.js";
import { TextDecoder } from "./encoding.js";

export class StringDecoder {
  readonly encoding: string;
  #rest: Buffer = Buffer.alloc(0);
  readonly #decoder = new TextDecoder();

  constructor(encoding = "utf8") {
    if (!Buffer.isEncoding(encoding))
      throw Object.assign(new TypeError(`Unknown encoding: ${encoding}`), { code: "ERR_UNKNOWN_ENCODING" });
    const name = encoding.toLowerCase().replace("-", "");
    this.encoding = name === "binary" ? "latin1" : name === "ucs2" ? "utf16le" : name;
  }

  write(bytes: Uint8Array | string): string {
    if (typeof bytes === "string") return bytes;
    if (this.encoding === "utf8") return this.#decoder.decode(bytes, { stream: true });
    const all = Buffer.concat([this.#rest, bytes]);
    const whole = all.length - (all.length % (unitBytes[this.encoding] ?? 1));
    const isHigh = this.encoding === "utf16le" && whole > 0 && (all[whole - 1]! & 0xfc) === 0xd8;
    const end = isHigh ? whole - 2 : whole;
    this.#rest = Buffer.from(all.subarray(end));
    return all.subarray(0, end).toString(this.encoding as "hex");
  }

  end(bytes?: Uint8Array): string {
    if (this.encoding === "utf8") return this.#decoder.decode(bytes);
    const text = bytes ? this.write(bytes) : "";
    const rest = this.#rest.toString(this.encoding as "hex");
    this.#rest = Buffer.alloc(0);
    return text + rest;
  }
}

/** Bytes that must be decoded together. */
const unitBytes: Readonly<Record<string, number>> = { base64: 3, base64url: 3, utf16le: 2 };

export default { StringDecoder };
