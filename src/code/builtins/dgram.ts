/** `node:dgram` over the wire of the world: datagrams may be lost, duplicated or reordered. */
import { bytesOfText, textOfBytes, type Datagram } from "../devices/wire.js";
import { freeDatagramPort, ports, wire } from "../devices/ports.js";
import { Buffer } from "./buffer.js";
import { EventEmitter } from "./event-emitter.js";

type Done = (error: Error | null, bytes?: number) => void;
type Message = string | Uint8Array | readonly (string | Uint8Array)[];

interface SocketOptions {
  readonly type: "udp4" | "udp6";
  readonly reuseAddr?: boolean;
  readonly signal?: AbortSignal;
}

const socketError = (code: string, message: string): Error => Object.assign(new Error(message), { code });

export class Socket extends EventEmitter {
  readonly type: string;
  #port: number | undefined;
  #isClosed = false;
  #remote: { readonly host: string; readonly port: number } | undefined;

  constructor(type: string, listener?: (...args: never[]) => void) {
    super();
    this.type = type;
    if (listener) this.on("message", listener as never);
  }

  bind(...args: unknown[]): this {
    this.#checkOpen();
    const done = args.find((arg) => typeof arg === "function") as (() => void) | undefined;
    const [first] = args;
    const asked = typeof first === "object" && first !== null ? (first as { port?: number }).port : first;
    if (this.#port !== undefined) throw socketError("ERR_SOCKET_ALREADY_BOUND", "Socket is already bound");
    const port = typeof asked === "number" && asked > 0 ? asked : undefined;
    if (done) this.once("listening", done);
    if (port !== undefined && ports.datagrams.has(port)) {
      process.nextTick(() =>
        this.emit(
          "error",
          Object.assign(socketError("EADDRINUSE", `bind EADDRINUSE 0.0.0.0:${port}`), {
            port,
            syscall: "bind",
          }),
        ),
      );
      return this;
    }
    this.#take(port);
    process.nextTick(() => {
      if (!this.#isClosed) this.emit("listening");
    });
    return this;
  }

  #take(asked: number | undefined): void {
    const port = asked ?? freeDatagramPort();
    this.#port = port;
    ports.datagrams.set(port, (from, frame) => this.#receive(from, frame));
  }

  #receive(from: string, { fromPort, data }: Datagram): void {
    if (this.#remote && (this.#remote.host !== from || this.#remote.port !== fromPort)) return;
    const bytes = Buffer.from(bytesOfText(data));
    this.emit("message", bytes, { address: from, port: fromPort, family: "IPv4", size: bytes.length });
  }

  connect(port: number, ...rest: unknown[]): void {
    this.#checkOpen();
    const host = typeof rest[0] === "string" ? rest[0] : wire.host;
    const done = rest.find((arg) => typeof arg === "function") as (() => void) | undefined;
    if (this.#port === undefined) this.#take(undefined);
    this.#remote = { host, port };
    if (done) this.once("connect", done);
    process.nextTick(() => this.emit("connect"));
  }

  /** `(message, [offset, length,] [port,] [address,] [callback])`. */
  send(message: Message, ...rest: unknown[]): void {
    this.#checkOpen();
    const done = rest.find((arg) => typeof arg === "function") as Done | undefined;
    const numbers = rest.filter((arg) => typeof arg === "number") as number[];
    const isPart = numbers.length >= (this.#remote ? 2 : 3);
    const [offset, length] = isPart ? numbers : [];
    const port = this.#remote?.port ?? numbers[isPart ? 2 : 0];
    const host =
      this.#remote?.host ??
      (rest.find((arg) => typeof arg === "string") as string | undefined) ??
      "localhost";
    if (port === undefined || port <= 0 || port > 65535)
      throw Object.assign(new RangeError(`Port should be > 0 and < 65536. Received ${String(port)}.`), {
        code: "ERR_SOCKET_BAD_PORT",
      });
    if (this.#port === undefined) this.#take(undefined);
    const all = bytesOf(message);
    const bytes = offset === undefined ? all : all.subarray(offset, offset + length!);
    if (!wire.knows(host)) {
      const error = socketError("ENOTFOUND", `getaddrinfo ENOTFOUND ${host}`);
      process.nextTick(() => (done ? done(error) : this.emit("error", error)));
      return;
    }
    wire.send(host, { kind: "datagram", fromPort: this.#port!, toPort: port, data: textOfBytes(bytes) });
    if (done) process.nextTick(() => done(null, bytes.length));
  }

  close(done?: () => void): this {
    this.#checkOpen();
    if (done) this.once("close", done);
    this.#isClosed = true;
    if (this.#port !== undefined) ports.datagrams.delete(this.#port);
    process.nextTick(() => this.emit("close"));
    return this;
  }

  address(): { address: string; family: string; port: number } {
    if (this.#port === undefined) throw socketError("EBADF", "getsockname EBADF");
    return { address: wire.host === "localhost" ? "0.0.0.0" : wire.host, family: "IPv4", port: this.#port };
  }

  remoteAddress(): { address: string; family: string; port: number } {
    if (!this.#remote) throw socketError("ERR_SOCKET_DGRAM_NOT_CONNECTED", "Not connected");
    return { address: this.#remote.host, family: "IPv4", port: this.#remote.port };
  }

  disconnect(): void {
    this.#remote = undefined;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  setBroadcast(): void {}
  setTTL(ttl: number): number {
    return ttl;
  }
  setRecvBufferSize(): void {}
  setSendBufferSize(): void {}

  #checkOpen(): void {
    if (this.#isClosed) throw socketError("ERR_SOCKET_DGRAM_NOT_RUNNING", "Not running");
  }
}

function bytesOf(message: Message): Uint8Array {
  if (typeof message === "string") return Buffer.from(message);
  if (message instanceof Uint8Array) return message;
  return Buffer.concat(message.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}

export function createSocket(how: string | SocketOptions, listener?: (...args: never[]) => void): Socket {
  const socket = new Socket(typeof how === "string" ? how : how.type, listener);
  const signal = typeof how === "string" ? undefined : how.signal;
  signal?.addEventListener("abort", () => socket.close(), { once: true });
  return socket;
}

export default { Socket, createSocket };
