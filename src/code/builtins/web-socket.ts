/**
 * `WebSocket` as in browsers, and the server of the package `ws`, over connections of the world.
 *
 * Also replaces the package, because the real `ws` starts with an HTTP upgrade, which is not supported. A message is a
 * line of JSON on the connection; there is no handshake, compression or ping.
 */
import { Buffer } from "./buffer.js";
import { EventEmitter } from "./event-emitter.js";
import { Server, Socket } from "./net.js";

type Data = string | Uint8Array | ArrayBuffer;
type Listener = (event: MessageLike) => void;

interface MessageLike {
  readonly type: string;
  readonly target: WebSocket;
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
  readonly wasClean?: boolean;
  readonly error?: Error;
  readonly message?: string;
}

interface Line {
  readonly kind: "text" | "bytes" | "close";
  readonly text: string;
  readonly code?: number;
}

export class WebSocket extends EventEmitter {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSING = 2;
  readonly CLOSED = 3;
  readonly url: string;
  readonly protocol = "";
  readonly extensions = "";
  binaryType = "nodebuffer";
  bufferedAmount = 0;
  readyState: number = WebSocket.CONNECTING;
  onopen: Listener | null = null;
  onmessage: Listener | null = null;
  onclose: Listener | null = null;
  onerror: Listener | null = null;
  #socket: Socket;
  #rest = "";
  #ending = { code: 1006, reason: "" };
  readonly #added = new Map<unknown, (...args: unknown[]) => void>();

  constructor(address: string | { readonly href: string }, accepted?: unknown) {
    super();
    const url = new URL(String(address));
    if (url.protocol !== "ws:" && url.protocol !== "wss:")
      throw new SyntaxError(`The URL's protocol must be one of "ws:" or "wss:". Received ${url.protocol}`);
    this.url = url.href;
    if (accepted instanceof Socket) {
      this.#socket = accepted;
      this.readyState = WebSocket.OPEN;
    } else {
      const port = Number(url.port) || (url.protocol === "ws:" ? 80 : 443);
      this.#socket = new Socket().connect(port, url.hostname);
      this.#socket.on("connect", () => this.#opened());
    }
    this.#socket.setEncoding("utf8");
    this.#socket.on("data", ((text: string) => this.#read(text)) as never);
    this.#socket.on("error", (error: Error) =>
      this.#dispatch("error", [error], { error, message: error.message }),
    );
    this.#socket.on("close", () => this.#closed());
  }

  #opened(): void {
    this.readyState = WebSocket.OPEN;
    this.#dispatch("open", [], {});
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop()!;
    for (const line of lines) this.#take(JSON.parse(line) as Line);
  }

  #take({ kind, text, code }: Line): void {
    if (kind === "close") {
      this.#ending = { code: code ?? 1005, reason: text };
      if (this.readyState === WebSocket.OPEN) this.#write({ kind: "close", text, code: code ?? 1005 });
      this.readyState = WebSocket.CLOSING;
      this.#socket.end();
      return;
    }
    const isBinary = kind === "bytes";
    const bytes = Buffer.from(text, isBinary ? "base64" : "utf8");
    const data = isBinary ? this.#binary(bytes) : text;
    this.#dispatch("message", [bytes, isBinary], { data });
  }

  #binary(bytes: Buffer): Buffer | ArrayBuffer {
    if (this.binaryType !== "arraybuffer") return bytes;
    return new Uint8Array(bytes).buffer;
  }

  #closed(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    const { code, reason } = this.#ending;
    this.#dispatch("close", [code, Buffer.from(reason)], { code, reason, wasClean: code !== 1006 });
  }

  /** Notifies listeners of both kinds. An error with only browser-style listeners is not thrown. */
  #dispatch(type: string, args: unknown[], event: Partial<MessageLike>): void {
    const whole: MessageLike = { type, target: this, ...event };
    const handler = this[`on${type}` as "onopen"];
    if (typeof handler === "function") handler.call(this, whole);
    this.emit(`${type} event`, whole);
    const isUnheard =
      this.listenerCount("error") === 0 && (handler !== null || this.listenerCount("error event") > 0);
    if (type !== "error" || !isUnheard) this.emit(type, ...args);
  }

  addEventListener(
    type: string,
    listener: Listener | { handleEvent: Listener },
    options: { once?: boolean } = {},
  ): void {
    const call = (event: unknown): void => {
      if (options.once) this.removeEventListener(type, listener);
      if (typeof listener === "function") listener.call(this, event as MessageLike);
      else listener.handleEvent(event as MessageLike);
    };
    this.#added.set(listener, call as never);
    this.on(`${type} event`, call);
  }

  removeEventListener(type: string, listener: unknown): void {
    const call = this.#added.get(listener);
    if (call) this.off(`${type} event`, call);
  }

  send(data: Data, ...rest: unknown[]): void {
    const done = rest.find((arg) => typeof arg === "function") as ((error?: Error) => void) | undefined;
    if (this.readyState === WebSocket.CONNECTING)
      throw Object.assign(new Error("WebSocket is not open: readyState 0 (CONNECTING)"), {
        name: "InvalidStateError",
      });
    if (this.readyState !== WebSocket.OPEN) {
      if (done) done(new Error(`WebSocket is not open: readyState ${this.readyState}`));
      return;
    }
    if (typeof data === "string") this.#write({ kind: "text", text: data }, done);
    else this.#write({ kind: "bytes", text: Buffer.from(data).toString("base64") }, done);
  }

  #write(line: Line, done?: (error?: Error) => void): void {
    this.#socket.write(`${JSON.stringify(line)}\n`, () => done?.());
  }

  close(code = 1005, reason = ""): void {
    if (this.readyState >= WebSocket.CLOSING) return;
    const wasOpen = this.readyState === WebSocket.OPEN;
    this.readyState = WebSocket.CLOSING;
    if (wasOpen) this.#write({ kind: "close", text: reason, code });
    else this.#socket.destroy();
  }

  terminate(): void {
    this.readyState = WebSocket.CLOSING;
    this.#socket.destroy();
  }

  ping(): void {}
}

interface ServerOptions {
  readonly port?: number;
  readonly path?: string;
}

/** As in the package `ws`; only with a separate port. */
export class WebSocketServer extends EventEmitter {
  readonly clients = new Set<WebSocket>();
  readonly options: ServerOptions;
  readonly #server: Server;

  constructor(options: ServerOptions = {}, listening?: () => void) {
    super();
    this.options = options;
    if (options.port === undefined)
      throw new TypeError(
        "a WebSocketServer of the world needs a port: servers of node:http are not supported",
      );
    if (listening) this.on("listening", listening);
    this.#server = new Server((socket: Socket) => this.#accept(socket)).listen(options.port);
    this.#server.on("listening", () => void this.emit("listening"));
    this.#server.on("error", ((error: Error) => void this.emit("error", error)) as never);
    this.#server.on("close", () => void this.emit("close"));
  }

  #accept(socket: Socket): void {
    const client = new WebSocket(`ws://${socket.remoteAddress}:${socket.remotePort}`, socket);
    this.clients.add(client);
    client.on("close", () => void this.clients.delete(client));
    this.emit("connection", client, { url: "/", headers: {}, socket });
  }

  address(): ReturnType<Server["address"]> {
    return this.#server.address();
  }

  close(done?: () => void): void {
    this.#server.close(done);
  }
}

export { WebSocketServer as Server };
export default Object.assign(WebSocket, { WebSocket, WebSocketServer, Server: WebSocketServer });
