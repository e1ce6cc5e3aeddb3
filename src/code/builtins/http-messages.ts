/** HTTP messages: incoming ones are readable, outgoing ones writable streams. */
import { refuse } from "../world/failure.js";
import { Buffer } from "./buffer.js";
import type { Head } from "./http-parser.js";
import type { Socket } from "./net.js";
import { Readable } from "./stream-readable.js";
import { Writable } from "./stream-writable.js";

type Done = (error?: Error | null) => void;
export type HeaderValue = string | number | readonly string[];
export type IncomingHeaders = Record<string, string | string[] | undefined>;

export class IncomingMessage extends Readable {
  readonly httpVersion = "1.1";
  readonly httpVersionMajor = 1;
  readonly httpVersionMinor = 1;
  readonly headers: IncomingHeaders = {};
  readonly rawHeaders: string[] = [];
  readonly socket: Socket;
  method: string | undefined;
  url: string | undefined;
  statusCode: number | undefined;
  statusMessage: string | undefined;
  complete = false;
  aborted = false;

  constructor(socket: Socket, head?: Head) {
    super({ autoDestroy: true });
    this.socket = socket;
    for (const [name, value] of head?.headers ?? []) this.#add(name, value);
  }

  get connection(): Socket {
    return this.socket;
  }

  override _read(): void {}

  /** Destroying an incomplete or unread message closes the connection. */
  override _destroy(error: Error | null, done: Done): void {
    if (!this.readableEnded || !this.complete) this.socket.destroy();
    done(error);
  }

  setTimeout(delayMs: number, done?: () => void): this {
    this.socket.setTimeout(delayMs, done);
    return this;
  }

  /** The connection was lost before the end of the message. */
  cutOff(): void {
    if (!this.complete) this.abandon();
  }

  abandon(): void {
    if (this.destroyed) return;
    this.aborted = true;
    this.emit("aborted");
    // Without an error listener, an aborted incoming message does not throw.
    const error = Object.assign(new Error("aborted"), { code: "ECONNRESET" });
    this.destroy(this.listenerCount("error") > 0 ? error : undefined);
  }

  #add(name: string, value: string): void {
    this.rawHeaders.push(name, value);
    const key = name.toLowerCase();
    const before = this.headers[key];
    if (key === "set-cookie") this.headers[key] = [...((before as string[] | undefined) ?? []), value];
    else if (before === undefined) this.headers[key] = value;
    else if (!once.has(key)) this.headers[key] = `${String(before)}${key === "cookie" ? ";" : ","} ${value}`;
  }
}

/** Headers of which only the first counts. */
const once = new Set(
  "age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since last-modified location max-forwards proxy-authorization referer retry-after server user-agent".split(
    " ",
  ),
);

export abstract class OutgoingMessage extends Writable {
  headersSent = false;
  sendDate = false;
  readonly #headers = new Map<string, { readonly name: string; readonly value: HeaderValue }>();
  #isChunked = false;
  #only: Buffer | undefined;

  /** The first line without its terminator; whether a body may follow; and the output. */
  protected abstract startLine(): string;
  protected abstract mayHaveBody(): boolean;
  protected abstract send(bytes: Buffer, done: Done): void;
  /** Called when everything is written. */
  protected abstract over(done: Done): void;

  setHeader(name: string, value: HeaderValue): this {
    if (this.headersSent)
      throw Object.assign(new Error("Cannot set headers after they are sent to the client"), {
        code: "ERR_HTTP_HEADERS_SENT",
      });
    this.#headers.set(name.toLowerCase(), { name, value });
    return this;
  }

  setHeaders(headers: Iterable<readonly [string, HeaderValue]>): this {
    for (const [name, value] of headers) this.setHeader(name, value);
    return this;
  }

  appendHeader(name: string, value: string | readonly string[]): this {
    const before = this.getHeader(name);
    return this.setHeader(name, before === undefined ? value : [before, value].flat().map(String));
  }

  getHeader(name: string): HeaderValue | undefined {
    return this.#headers.get(name.toLowerCase())?.value;
  }

  hasHeader(name: string): boolean {
    return this.#headers.has(name.toLowerCase());
  }

  removeHeader(name: string): void {
    this.#headers.delete(name.toLowerCase());
  }

  getHeaderNames(): string[] {
    return [...this.#headers.keys()];
  }

  getHeaders(): Record<string, HeaderValue> {
    return Object.fromEntries([...this.#headers].map(([name, { value }]) => [name, value]));
  }

  flushHeaders(): void {
    if (!this.headersSent) this.send(this.#head(undefined), () => undefined);
  }

  addTrailers(): never {
    return refuse("http trailers");
  }

  /** A body passed to `end` gets a length; one written in pieces is chunked. */
  override end(...args: unknown[]): this {
    const [first] = args;
    if (!this.headersSent && !this.writableEnded) {
      const isBody = typeof first === "string" || first instanceof Uint8Array;
      this.#only = isBody ? Buffer.from(first as string) : Buffer.alloc(0);
    }
    return super.end(...args);
  }

  override _write(chunk: never, _encoding: string, done: Done): void {
    const bytes = chunk as Buffer;
    const head = this.headersSent ? undefined : this.#head(this.#only?.length);
    if (!this.mayHaveBody()) return head ? this.send(head, done) : done();
    const body = this.#isChunked
      ? Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")])
      : bytes;
    this.send(head ? Buffer.concat([head, body]) : body, done);
  }

  override _final(done: Done): void {
    const over = (error?: Error | null): void => (error ? done(error) : this.over(done));
    if (!this.headersSent) this.send(this.#head(0), over);
    else if (this.#isChunked && this.mayHaveBody()) this.send(Buffer.from("0\r\n\r\n"), over);
    else over();
  }

  #head(length: number | undefined): Buffer {
    this.headersSent = true;
    const isFramed = this.hasHeader("content-length") || this.hasHeader("transfer-encoding");
    const lines = [...this.#headers.values()].flatMap(({ name, value }) =>
      (Array.isArray(value) ? (value as string[]) : [String(value)]).map((each) => `${name}: ${each}`),
    );
    if (this.sendDate && !this.hasHeader("date")) lines.push(`Date: ${new Date().toUTCString()}`);
    if (!this.hasHeader("connection")) lines.push("Connection: close");
    this.#isChunked = isFramed
      ? this.getHeader("transfer-encoding") === "chunked"
      : length === undefined && this.mayHaveBody();
    if (this.#isChunked && !isFramed) lines.push("Transfer-Encoding: chunked");
    else if (!isFramed && this.mayHaveBody() && (length! > 0 || this.saysNothing()))
      lines.push(`Content-Length: ${length}`);
    return Buffer.from(`${this.startLine()}\r\n${lines.join("\r\n")}\r\n\r\n`, "latin1");
  }

  /** Whether an empty body is announced by a length. */
  protected saysNothing(): boolean {
    return true;
  }
}
