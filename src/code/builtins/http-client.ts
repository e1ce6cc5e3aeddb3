/** The client side of `node:http`: each request opens a connection and receives one response. */
import { world } from "../world/current.js";
import { refuse } from "../world/failure.js";
import { Relied } from "../world/world.js";
import type { Buffer } from "./buffer.js";
import { IncomingMessage, OutgoingMessage, type HeaderValue } from "./http-messages.js";
import { HttpParser, type Head } from "./http-parser.js";
import { takeOnly } from "./lacking.js";
import { connect, type Socket } from "./net.js";
import { URL } from "./web-url.js";

type Done = (error?: Error | null) => void;
type Listener = (...args: unknown[]) => void;

export const request = (...args: unknown[]): ClientRequest => {
  const listener = args.find((arg) => typeof arg === "function") as Listener | undefined;
  const [first, second] = args;
  const isAddress = typeof first === "string" || first instanceof URL;
  const rest = isAddress ? second : first;
  const options = typeof rest === "object" && rest !== null ? (rest as RequestOptions) : {};
  const whole = isAddress ? { ...optionsOf(first), ...options } : options;
  if (whole.protocol !== undefined && whole.protocol !== "http:")
    throw Object.assign(new TypeError(`Protocol "${whole.protocol}" not supported. Expected "http:"`), {
      code: "ERR_INVALID_PROTOCOL",
    });
  return new ClientRequest(whole, listener);
};

function optionsOf(address: string | URL): RequestOptions {
  const { protocol, hostname, port, pathname, search, username, password } = new URL(String(address));
  return {
    protocol,
    hostname,
    path: `${pathname}${search}`,
    ...(port === "" ? {} : { port }),
    ...(username === "" ? {} : { auth: `${username}:${password}` }),
  };
}

const requestOptions =
  "protocol host hostname port path method headers timeout signal auth agent defaultPort family setHost href pathname search hash";

interface RequestOptions {
  readonly protocol?: string;
  readonly host?: string;
  readonly hostname?: string;
  readonly port?: number | string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, HeaderValue>>;
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly auth?: string;
  readonly agent?: unknown;
  readonly socketPath?: string;
  readonly createConnection?: unknown;
}

export class ClientRequest extends OutgoingMessage {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly socket: Socket;
  aborted = false;
  reusedSocket = false;
  #response: IncomingMessage | undefined;

  constructor(options: RequestOptions, listener: Listener | undefined) {
    super();
    for (const name of ["socketPath", "createConnection"] as const)
      if (options[name] !== undefined) refuse(`http.request with ${name}`);
    takeOnly("http.request", options, requestOptions);
    this.method = (options.method ?? "GET").toUpperCase();
    this.path = options.path ?? "/";
    this.host = options.hostname ?? options.host ?? "localhost";
    const port = Number(options.port ?? 80);
    if (listener) this.once("response", listener);
    for (const [name, value] of Object.entries(options.headers ?? {})) this.setHeader(name, value);
    if (!this.hasHeader("host")) this.setHeader("Host", port === 80 ? this.host : `${this.host}:${port}`);
    if (options.auth !== undefined && !this.hasHeader("authorization"))
      this.setHeader("Authorization", `Basic ${btoa(options.auth)}`);
    world.rely(Relied.ownConnections); // sound: test/testing/scope.test.ts
    this.socket = connect({ port, host: this.host, allowHalfOpen: true });
    if (options.timeout !== undefined) this.setTimeout(options.timeout);
    this.#listen();
    this.#obey(options.signal);
    process.nextTick(() => this.emit("socket", this.socket));
  }

  get connection(): Socket {
    return this.socket;
  }

  abort(): void {
    this.aborted = true;
    this.emit("abort");
    this.destroy();
  }

  setTimeout(delayMs: number, done?: () => void): this {
    if (done) this.once("timeout", done);
    this.socket.setTimeout(delayMs);
    return this;
  }

  setNoDelay(): void {}

  setSocketKeepAlive(): void {}

  override startLine(): string {
    return `${this.method} ${this.path} HTTP/1.1`;
  }

  override mayHaveBody(): boolean {
    return true;
  }

  override saysNothing(): boolean {
    return !["GET", "HEAD", "DELETE", "OPTIONS"].includes(this.method);
  }

  override send(bytes: Buffer, done: Done): void {
    if (this.socket.destroyed) done();
    else this.socket.write(bytes, done);
  }

  override over(done: Done): void {
    done();
  }

  /** Does not close the stream: the response is still to come. */
  override onWritableEnd(): void {}

  override _destroy(error: Error | null, done: Done): void {
    this.#response?.cutOff();
    this.socket.destroy();
    done(error ?? (this.#response ? null : hangUp()));
  }

  #obey(signal: AbortSignal | undefined): void {
    const stop = (): void =>
      void this.destroy(
        Object.assign(new Error("The operation was aborted"), { name: "AbortError", code: "ABORT_ERR" }),
      );
    if (signal?.aborted) process.nextTick(stop);
    else signal?.addEventListener("abort", stop, { once: true });
  }

  #listen(): void {
    const parser = new HttpParser(
      {
        head: (head) => this.#begin(head),
        data: (bytes) => void this.#response!.push(bytes),
        end: () => {
          this.#response!.complete = true;
          this.#response!.push(null);
          this.socket.end();
        },
      },
      true,
    );
    this.socket.on("timeout", () => this.emit("timeout"));
    this.socket.on("data", ((bytes: Buffer) => {
      try {
        parser.take(bytes);
      } catch (error) {
        this.destroy(error as Error);
      }
    }) as Listener);
    this.socket.on("end", () => {
      if (!parser.close()) this.#lose(hangUp());
    });
    this.socket.on("error", ((error: Error) => this.#lose(error)) as Listener);
    this.socket.on("close", () => {
      if (!parser.isOver) this.#lose(hangUp());
      else if (!this.destroyed) this.destroy();
    });
  }

  #begin(head: Head): boolean {
    const [, status, message] = /^HTTP\/1\.[01] (\d{3}) ?(.*)$/.exec(head.start)!;
    const response = new IncomingMessage(this.socket, head);
    response.statusCode = Number(status);
    response.statusMessage = message!;
    this.#response = response;
    // Drains a response without listeners.
    if (!this.emit("response", response)) response.resume();
    return this.method !== "HEAD" && ![204, 304].includes(response.statusCode);
  }

  /** Fails the request if the response has not begun, else aborts the response. */
  #lose(error: Error): void {
    if (this.destroyed) return;
    if (this.#response) {
      this.#response.cutOff();
      this.destroy();
    } else this.destroy(error);
  }
}

const hangUp = (): Error => Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
