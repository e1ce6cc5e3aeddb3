/**
 * `node:http` over the connections of the world (`net.ts`): one connection for each request, closed after the answer, so
 * whatever happens to connections happens to requests.
 *
 * Not there: connections that are kept, upgrades, trailers, `100-continue`: what is asked for by name is refused by name.
 */
import { refuse } from "../world/failure.js";
import type { Buffer } from "./buffer.js";
import { IncomingMessage, OutgoingMessage, type HeaderValue } from "./http-messages.js";
import { HttpParser, type Head } from "./http-parser.js";
import { connect, Server as NetServer, type Socket } from "./net.js";
import { URL } from "./url.js";

type Done = (error?: Error | null) => void;
type Listener = (...args: unknown[]) => void;

export const STATUS_CODES: Record<number, string> = {
  100: "Continue",
  101: "Switching Protocols",
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No Content",
  206: "Partial Content",
  301: "Moved Permanently",
  302: "Found",
  303: "See Other",
  304: "Not Modified",
  307: "Temporary Redirect",
  308: "Permanent Redirect",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  412: "Precondition Failed",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  418: "I'm a Teapot",
  422: "Unprocessable Entity",
  425: "Too Early",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

export const METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

export class ServerResponse extends OutgoingMessage {
  statusCode = 200;
  statusMessage: string | undefined;
  override sendDate = true;
  readonly req: IncomingMessage;
  readonly socket: Socket;

  constructor(req: IncomingMessage) {
    super();
    this.req = req;
    this.socket = req.socket;
  }

  writeHead(status: number, ...rest: unknown[]): this {
    this.statusCode = status;
    if (typeof rest[0] === "string") this.statusMessage = rest[0];
    const headers = rest.find((each) => typeof each === "object" && each !== null) ?? {};
    for (const [name, value] of Object.entries(headers)) this.setHeader(name, value as HeaderValue);
    return this;
  }

  writeContinue(): never {
    return refuse("http.ServerResponse.writeContinue");
  }

  setTimeout(delayMs: number, done?: () => void): this {
    this.socket.setTimeout(delayMs, done);
    return this;
  }

  override startLine(): string {
    return `HTTP/1.1 ${this.statusCode} ${this.statusMessage ?? STATUS_CODES[this.statusCode] ?? "unknown"}`;
  }

  override mayHaveBody(): boolean {
    return this.req.method !== "HEAD" && ![204, 304].includes(this.statusCode);
  }

  override send(bytes: Buffer, done: Done): void {
    if (this.socket.destroyed) done();
    else this.socket.write(bytes, done);
  }

  override over(done: Done): void {
    this.socket.end();
    done();
  }
}

export class Server extends NetServer {
  timeout = 0;
  keepAliveTimeout = 0;
  headersTimeout = 0;
  requestTimeout = 0;

  constructor(...args: unknown[]) {
    super({ allowHalfOpen: true });
    const listener = args.find((arg) => typeof arg === "function") as Listener | undefined;
    if (listener) this.on("request", listener);
    this.on("connection", ((socket: Socket) => this.#serve(socket)) as Listener);
  }

  setTimeout(): this {
    return this;
  }

  closeAllConnections(): never {
    return refuse("http.Server.closeAllConnections");
  }

  closeIdleConnections(): void {}

  #serve(socket: Socket): void {
    let request: IncomingMessage | undefined;
    let response: ServerResponse | undefined;
    const reader = {
      head: (head: Head) => {
        request = new IncomingMessage(socket, head);
        const [method, url] = head.start.split(" ");
        Object.assign(request, { method, url });
        response = new ServerResponse(request);
        const made = [request, response] as const;
        // What is said of the body in the same bytes comes after the request is known.
        process.nextTick(() => this.emit("request", ...made));
        return true;
      },
      data: (bytes: Buffer) => void request!.push(bytes),
      end: () => {
        request!.complete = true;
        request!.push(null);
      },
    };
    const parser = new HttpParser(reader, false);
    socket.on("data", ((bytes: Buffer) => {
      try {
        parser.take(bytes);
      } catch (error) {
        this.#refuse(error as Error, socket);
      }
    }) as Listener);
    socket.on("error", ((error: Error) => {
      if (!parser.hasBegun) this.emit("clientError", error, socket);
    }) as Listener);
    socket.on("close", () => {
      request?.cutOff();
      if (response && !response.writableFinished) response.destroy();
    });
  }

  #refuse(error: Error, socket: Socket): void {
    if (this.emit("clientError", error, socket)) return;
    socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
  }
}

export const createServer = (...args: unknown[]): Server => new Server(...args);

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
    this.method = (options.method ?? "GET").toUpperCase();
    this.path = options.path ?? "/";
    this.host = options.hostname ?? options.host ?? "localhost";
    const port = Number(options.port ?? 80);
    if (listener) this.once("response", listener);
    for (const [name, value] of Object.entries(options.headers ?? {})) this.setHeader(name, value);
    if (!this.hasHeader("host")) this.setHeader("Host", port === 80 ? this.host : `${this.host}:${port}`);
    if (options.auth !== undefined && !this.hasHeader("authorization"))
      this.setHeader("Authorization", `Basic ${btoa(options.auth)}`);
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

  /** What is written is not all: an answer comes. */
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
    // Nobody reads an answer that nobody listens to.
    if (!this.emit("response", response)) response.resume();
    return this.method !== "HEAD" && ![204, 304].includes(response.statusCode);
  }

  /** Before the answer the request fails, after its beginning the answer is cut off. */
  #lose(error: Error): void {
    if (this.destroyed) return;
    if (this.#response) {
      this.#response.cutOff();
      this.destroy();
    } else this.destroy(error);
  }
}

const hangUp = (): Error => Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });

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

export const get = (...args: unknown[]): ClientRequest => request(...args).end();

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

/** Connections are not kept, so there is nothing to say about how. */
export class Agent {
  readonly maxSockets = Infinity;
  readonly options: object;

  constructor(options: { readonly keepAlive?: boolean } = {}) {
    if (options.keepAlive) refuse("http.Agent with keepAlive");
    this.options = options;
  }

  destroy(): void {}
}

export const globalAgent = new Agent();
export const maxHeaderSize = 16_384;

export { IncomingMessage, OutgoingMessage };

export default {
  Agent,
  ClientRequest,
  IncomingMessage,
  METHODS,
  OutgoingMessage,
  STATUS_CODES,
  Server,
  ServerResponse,
  createServer,
  get,
  globalAgent,
  maxHeaderSize,
  request,
};
