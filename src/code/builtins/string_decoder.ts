/** `node:string_decoder`, for UTF-8. */
import { TextDecoder } from "./encoding.js";

export class StringDecoder {
  readonly encoding = "utf8";
  readonly #decoder = new TextDecoder();

  constructor(encoding = "utf8") {
    if (!/^utf-?8$/i.test(encoding)) throw new RangeError(`Unknown encoding: ${encoding}`);
  }

  write(bytes: Uint8Array): string {
    return this.#decoder.decode(bytes, { stream: true });
  }

  end(bytes?: Uint8Array): string {
    return this.#decoder.decode(bytes);
  }
}

export default { StringDecoder };
