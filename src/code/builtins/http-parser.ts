/** Incremental parser of one HTTP/1.1 message: a first line, headers, and a body in one of three forms. */
import { Buffer } from "./buffer.js";

export interface Head {
  readonly start: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface Reader {
  /** Returns whether a body follows: not after HEAD, or with status 204. */
  head(head: Head): boolean;
  data(bytes: Buffer): void;
  end(): void;
}

type Part = "head" | "bytes" | "chunk size" | "chunk" | "after chunk" | "trailers" | "until close" | "over";

export class HttpParser {
  readonly #reader: Reader;
  readonly #isResponse: boolean;
  #part: Part = "head";
  /** Unparsed input, a character per byte. */
  #text = "";
  #left = 0;

  constructor(reader: Reader, isResponse: boolean) {
    this.#reader = reader;
    this.#isResponse = isResponse;
  }

  get hasBegun(): boolean {
    return this.#part !== "head" || this.#text !== "";
  }

  get isOver(): boolean {
    return this.#part === "over";
  }

  take(bytes: Buffer): void {
    this.#text += bytes.toString("latin1");
    while (this.#step());
  }

  /** The other side has closed. Returns false in the middle of a message. */
  close(): boolean {
    if (this.#part === "until close") this.#finish();
    return this.#part === "over";
  }

  /** Returns false if more input is needed. */
  #step(): boolean {
    switch (this.#part) {
      case "head":
        return this.#readHead();
      case "bytes":
      case "chunk":
        return this.#readBytes();
      case "until close":
        this.#left = this.#text.length;
        return this.#readBytes();
      case "chunk size":
        return this.#readLine((line) => {
          this.#left = parseInt(line, 16);
          if (Number.isNaN(this.#left))
            throw parseError("HPE_INVALID_CHUNK_SIZE", "Invalid character in chunk size");
          this.#part = this.#left === 0 ? "trailers" : "chunk";
        });
      case "after chunk":
        return this.#readLine(() => (this.#part = "chunk size"));
      case "trailers":
        return this.#readLine((line) => {
          if (line === "") this.#finish();
        });
      case "over":
        return false;
    }
  }

  #readHead(): boolean {
    const end = this.#text.indexOf("\r\n\r\n");
    if (end < 0) return false;
    const [start, ...lines] = this.#text.slice(0, end).split("\r\n");
    this.#text = this.#text.slice(end + 4);
    if (!(this.#isResponse ? /^HTTP\/1\.[01] \d{3}/ : /^[A-Z-]+ \S+ HTTP\/1\.[01]$/).test(start!))
      throw parseError("HPE_INVALID_CONSTANT", "Expected HTTP/");
    const headers = lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      if (colon < 1) throw parseError("HPE_INVALID_HEADER_TOKEN", "Invalid header token");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
    this.#frame(this.#reader.head({ start: start!, headers }), headers);
    return true;
  }

  #frame(hasBody: boolean, headers: Head["headers"]): void {
    const value = (name: string): string | undefined =>
      headers.find(([each]) => each.toLowerCase() === name)?.[1];
    const length = value("content-length");
    if (!hasBody) return this.#finish();
    if (value("transfer-encoding")?.toLowerCase() === "chunked") this.#part = "chunk size";
    else if (length !== undefined) {
      this.#left = Number(length);
      this.#part = "bytes";
      if (this.#left === 0) this.#finish();
    } else if (this.#isResponse) this.#part = "until close";
    else this.#finish();
  }

  #readBytes(): boolean {
    if (this.#text === "") return false;
    const taken = this.#text.slice(0, this.#left);
    this.#text = this.#text.slice(taken.length);
    this.#left -= taken.length;
    this.#reader.data(Buffer.from(taken, "latin1"));
    if (this.#left > 0) return true;
    if (this.#part === "bytes") this.#finish();
    else if (this.#part === "chunk") this.#part = "after chunk";
    return true;
  }

  #readLine(run: (line: string) => void): boolean {
    const end = this.#text.indexOf("\r\n");
    if (end < 0) return false;
    const line = this.#text.slice(0, end);
    this.#text = this.#text.slice(end + 2);
    run(line);
    return true;
  }

  #finish(): void {
    this.#part = "over";
    this.#reader.end();
  }
}

const parseError = (code: string, reason: string): Error =>
  Object.assign(new Error(`Parse Error: ${reason}`), { code, reason });
