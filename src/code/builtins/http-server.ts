/** The server side of `node:http`: each connection carries one request, and is closed after the response. */
import { refuse } from "../world/failure.js";
import type { Buffer } from "./buffer.js";
import { IncomingMessage, OutgoingMessage, type HeaderValue } from "./http-messages.js";
import { takeOnly } from "./lacking.js";
import { HttpParser, type Head } from "./http-parser.js";
import { Server as NetServer, type Socket } from "./net.js";

type Done = (error?: Error | null) => void;
type Listener = (...args: unknown[]) => void;

export class Server extends NetServer {
  timeout = 0;
  keepAliveTimeout = 0;
  headersTimeout = 0;
  requestTimeout = 0;

  constructor(...args: unknown[]) {
    super({ allowHalfOpen: true });
    if (typeof args[0] === "object") takeOnly("http.createServer", args[0], "");
    const listener = args.find((arg) => typeof arg === "function") as Listener | undefined;
    if (listener) this.on("request", listener);
    this.on("connection", ((socket: Socket) => this.#serve(socket)) as Listener);
  }

  setTimeout(): never {
    return refuse("http.Server.setTimeout");
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
        // The body in the same bytes is parsed before the request is emitted.
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
    // A client that has ended expects no response.
    socket.on("end", () => void socket.end()); // sound: test/code/conditions.test.ts
    socket.on("close", () => {
      if (response?.writableFinished) return; // sound: test/code/conditions.test.ts
      response?.destroy();
      request?.abandon();
    });
  }

  #refuse(error: Error, socket: Socket): void {
    if (this.emit("clientError", error, socket)) return;
    socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
  }
}

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
    if (this.headersSent)
      throw Object.assign(new Error("Cannot write headers after they are sent to the client"), {
        code: "ERR_HTTP_HEADERS_SENT",
      });
    this.statusCode = status;
    if (typeof rest[0] === "string") this.statusMessage = rest[0];
    const headers = rest.find((each) => typeof each === "object" && each !== null) ?? {};
    for (const [name, value] of Object.entries(headers)) this.setHeader(name, value as HeaderValue);
    return this;
  }

  writeProcessing(): never {
    return refuse("http.ServerResponse.writeProcessing");
  }

  writeEarlyHints(): never {
    return refuse("http.ServerResponse.writeEarlyHints");
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

  /** Destroying an incomplete response closes the connection. */
  override _destroy(error: Error | null, done: Done): void {
    if (!this.writableFinished) this.socket.destroy();
    done(error);
  }

  override over(done: Done): void {
    this.socket.end();
    done();
  }
}

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
