/**
 * `node:net` over the wire of the world: connections whose bytes are delayed, split, and may be cut off.
 *
 * Segments are numbered by each side and processed in order, independently of the wire; a lost segment stalls the
 * connection, like a network that stops delivering. A closed side responds with a reset.
 */
import { bytesOfText, faultsOf, isLocalName, textOfBytes, type Segment } from "../devices/wire.js";
import { connectionKey, freeStreamPort, ports, wire } from "../devices/ports.js";
import { world } from "../world/current.js";
import { refuse } from "../world/failure.js";
import { Relied } from "../world/world.js";
import { Buffer } from "./buffer.js";
import { EventEmitter } from "./event-emitter.js";
import { lacking, takeOnly } from "./lacking.js";
import type { StreamOptions } from "./stream-base.js";
import { Duplex } from "./stream-duplex.js";

type Done = (error?: Error | null) => void;

const socketOptions =
  "allowHalfOpen signal highWaterMark readable writable noDelay keepAlive keepAliveInitialDelay pauseOnConnect port host path timeout family hints";

interface ConnectOptions {
  readonly port?: number;
  readonly host?: string;
  readonly path?: string;
  readonly timeout?: number;
  readonly allowHalfOpen?: boolean;
  readonly signal?: AbortSignal;
}

/** A connection accepts at least this much even if the other side does not read. */
const leastRoom = 4096;

const netError = (code: string, syscall: string, host: string, port: number): Error =>
  Object.assign(new Error(`${syscall} ${code} ${host}:${port}`), {
    code,
    syscall,
    address: host,
    port,
    errno: -1,
  });

const resetError = (): Error =>
  Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", syscall: "read", errno: -104 });

const Lacking = /* @__PURE__ */ lacking(Duplex, "net.Socket", { properties: "bufferSize server" });

export class Socket extends Lacking {
  connecting = false;
  pending = true;
  bytesRead = 0;
  bytesWritten = 0;
  timeout = 0;
  remoteAddress: string | undefined;
  remotePort: number | undefined;
  localPort: number | undefined;
  readonly remoteFamily = "IPv4";
  readonly localAddress = wire.host;
  #host = "";
  #key = "";
  #next = 0;
  #expected = 0;
  #early: Segment[] = [];
  #waiting: (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReset = false;

  constructor(options: StreamOptions = {}) {
    takeOnly("net.Socket", options, socketOptions);
    super({ ...options, allowHalfOpen: options.allowHalfOpen ?? false });
  }

  get readyState(): string {
    if (this.connecting) return "opening";
    return this.pending || this.destroyed ? "closed" : "open";
  }

  connect(...args: unknown[]): this {
    const { options, done } = connectArguments(args);
    if (options.path !== undefined) return refuse("net.connect with a path") as never;
    const host = options.host ?? "localhost";
    const port = options.port ?? 0;
    if (done) this.once("connect", done);
    this.connecting = true;
    if (!wire.knows(host)) {
      const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), {
        code: "ENOTFOUND",
        syscall: "getaddrinfo",
        hostname: host,
      });
      process.nextTick(() => this.destroy(error));
      return this;
    }
    if (options.timeout !== undefined) this.setTimeout(options.timeout);
    const own = freeStreamPort(port);
    this.#attach(isLocalName(host) ? wire.host : host, own, port);
    this.#send("connect");
    return this;
  }

  accept(host: string, { fromPort, toPort }: Segment): void {
    this.#attach(host, toPort, fromPort);
    this.#expected = 1;
    this.pending = false;
    this.#send("accept");
  }

  #attach(host: string, own: number, other: number): void {
    this.#host = host;
    this.localPort = own;
    this.remoteAddress = host;
    this.remotePort = other;
    this.#key = connectionKey(own, host, other);
    ports.connections.set(this.#key, (segment) => this.#receive(segment));
  }

  #send(what: Segment["what"], data = ""): void {
    const number = what === "reset" ? -1 : this.#next++;
    wire.send(this.#host, {
      kind: "segment",
      fromPort: this.localPort!,
      toPort: this.remotePort!,
      number,
      what,
      data,
    });
  }

  /** Processes segments in order of their numbers; skips duplicates. */
  #receive(segment: Segment): void {
    if (segment.what === "reset") return this.#onReset();
    if (segment.number > this.#expected) this.#early.push(segment); // sound: test/code/system/segments.test.ts
    if (segment.number !== this.#expected) return; // sound: test/code/system/segments.test.ts
    for (let next: Segment | undefined = segment; next;) {
      this.#expected += next.covers ?? 1;
      this.#take(next);
      const index = this.#early.findIndex(({ number }) => number === this.#expected);
      next = index < 0 ? undefined : this.#early.splice(index, 1)[0];
    }
  }

  #take({ what, data }: Segment): void {
    this.#touch();
    if (what === "accept") {
      this.connecting = false;
      this.pending = false;
      this.emit("connect");
      this.emit("ready");
      for (const go of this.#waiting.splice(0)) go();
    } else if (what === "data") this.#takeBytes(data);
    else if (what === "end") {
      this.push(null);
      // Reports the end even without a reader, if no data precedes it.
      if (this.readableFlowing === null && this.readableLength === 0) this.read(0);
    }
  }

  #takeBytes(data: string): void {
    const faults = faultsOf(world);
    const cuts = faults.splits > 0 ? cutsOf(data) : []; // sound: test/code/network.test.ts
    const cut = cuts[world.choose(cuts.length + 1) - 1]; // sound: test/code/network.test.ts
    if (cut === undefined) return this.#bytes(data); // sound: test/code/network.test.ts
    faults.splits--;
    world.record("note", "network", `in two parts, of ${cut} and ${data.length - cut} bytes`);
    this.#bytes(data.slice(0, cut));
    world.add({
      lane: "network",
      label: `the rest for ${this.localPort}`,
      queue: `segments ${this.remotePort} ${this.localPort}`,
      due: undefined,
      isBlocked: () => faults.isCut,
      run: () => this.#takeBytes(data.slice(cut)),
    });
    // The rest arrives without choice, before any other item of this connection.
    world.pending.unshift(world.pending.pop()!);
  }

  #bytes(data: string): void {
    if (this.destroyed) return;
    this.bytesRead += data.length;
    this.push(Buffer.from(bytesOfText(data)));
  }

  #onReset(): void {
    ports.connections.delete(this.#key);
    const isRefused = this.connecting;
    this.connecting = false;
    this.destroy(
      isRefused ? netError("ECONNREFUSED", "connect", this.remoteAddress!, this.remotePort!) : resetError(),
    );
  }

  override _read(): void {}

  override _write(chunk: never, _encoding: string, done: Done): void {
    const go = (): void => {
      const bytes = chunk as Uint8Array;
      this.bytesWritten += bytes.length;
      if (this.bytesWritten > leastRoom) world.rely(Relied.roomOnWire); // sound: test/code/network.test.ts
      this.#touch();
      this.#send("data", textOfBytes(bytes));
      done();
    };
    if (this.pending)
      this.#waiting.push(go); // sound: test/code/network.test.ts
    else go();
  }

  override _final(done: Done): void {
    const go = (): void => {
      this.#send("end");
      done();
    };
    if (this.pending)
      this.#waiting.push(go); // sound: test/code/network.test.ts
    else go();
  }

  override _destroy(error: Error | null, done: Done): void {
    clearTimeout(this.#timer);
    const isOver = this.readableEnded && this.writableFinished;
    if (ports.connections.delete(this.#key) && !isOver) this.#leave(); // sound: test/code/network.test.ts
    this.connecting = false;
    done(error);
  }

  /** Sends the end, like a closed socket; later segments of the other side are reset. */
  #leave(): void {
    if (this.#isReset)
      this.#send("reset"); // sound: test/code/network.test.ts
    else if (!this.writableFinished) this.#send("end"); // sound: test/code/network.test.ts
  }

  /** `close` reports whether there was an error. */
  override emit(name: string | symbol, ...args: unknown[]): boolean {
    return name === "close" ? super.emit(name, this.errored !== null) : super.emit(name, ...args);
  }

  resetAndDestroy(): this {
    this.#isReset = true;
    return this.destroy();
  }

  destroySoon(): void {
    this.end();
  }

  setTimeout(delayMs: number, done?: () => void): this {
    this.timeout = delayMs;
    if (done) this.once("timeout", done);
    this.#touch();
    return this;
  }

  #touch(): void {
    clearTimeout(this.#timer);
    this.#timer =
      this.timeout > 0 && !this.destroyed ? setTimeout(() => this.emit("timeout"), this.timeout) : undefined;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  address(): object {
    return { address: wire.host, family: "IPv4", port: this.localPort };
  }
}

/** Positions at which a segment may be cut: in a long one only near its ends, in its middle and around line ends. */
function cutsOf(data: string): readonly number[] {
  const all = Array.from({ length: Math.max(0, data.length - 1) }, (_, i) => i + 1);
  if (data.length <= longestCutAnywhere) return all; // sound: test/code/network.test.ts
  world.rely(Relied.cuts); // sound: test/code/network.test.ts
  const middle = Math.floor(data.length / 2);
  const isSpecial = (at: number): boolean => data[at - 1] === "\n" || data[at] === "\n" || data[at] === "\r"; // sound: test/code/network.test.ts
  const isEnd = (at: number): boolean => at <= 2 || at >= data.length - 2 || at === middle; // sound: test/code/network.test.ts
  return all.filter((at) => isEnd(at) || isSpecial(at)).slice(0, 2 * longestCutAnywhere);
}

const longestCutAnywhere = 16;

function connectArguments(args: readonly unknown[]): {
  options: ConnectOptions;
  done: (() => void) | undefined;
} {
  const done = args.find((arg) => typeof arg === "function") as (() => void) | undefined;
  const [first, second] = args;
  if (typeof first === "object" && first !== null) return { options: first as ConnectOptions, done };
  if (typeof first === "string" && !/^\d+$/.test(first)) return { options: { path: first }, done };
  return { options: { port: Number(first), ...(typeof second === "string" ? { host: second } : {}) }, done };
}

export class Server extends EventEmitter {
  listening = false;
  get maxConnections(): number | undefined {
    return undefined;
  }

  set maxConnections(count: number | undefined) {
    if (count !== undefined && count !== Infinity) refuse("net.Server.maxConnections");
  }

  #port: number | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #options: StreamOptions;

  constructor(...args: unknown[]) {
    super();
    const [first] = args;
    this.#options = typeof first === "object" && first !== null ? (first as StreamOptions) : {};
    takeOnly("net.createServer", first, "allowHalfOpen noDelay keepAlive keepAliveInitialDelay");
    const listener = args.find((arg) => typeof arg === "function") as ((socket: Socket) => void) | undefined;
    if (listener) this.on("connection", listener as never);
  }

  listen(...args: unknown[]): this {
    const done = args.find((arg) => typeof arg === "function") as (() => void) | undefined;
    const [first] = args;
    takeOnly("net.Server.listen", first, "port host backlog exclusive");
    if (typeof first === "string" && !/^\d+$/.test(first))
      return refuse("net.Server.listen with a path") as never;
    const asked =
      typeof first === "object" && first !== null ? (first as { port?: number }).port : Number(first ?? 0);
    if (done) this.once("listening", done);
    if (asked && ports.servers.has(asked)) {
      const error = Object.assign(netError("EADDRINUSE", "listen", "0.0.0.0", asked), {
        message: `listen EADDRINUSE: address already in use :::${asked}`,
      });
      process.nextTick(() => this.emit("error", error));
      return this;
    }
    const port = asked || freeStreamPort();
    this.#port = port;
    this.listening = true;
    ports.servers.set(port, (from, segment) => this.#connected(from, segment));
    process.nextTick(() => {
      if (this.listening) this.emit("listening");
    });
    return this;
  }

  #connected(from: string, segment: Segment): void {
    const socket = new Socket(this.#options);
    socket.accept(from, segment);
    this.#sockets.add(socket);
    socket.once("close", () => {
      this.#sockets.delete(socket);
      this.#maybeClosed();
    });
    this.emit("connection", socket);
  }

  /** Stops accepting connections; closes after the last has ended. */
  close(done?: Done): this {
    const wasListening = this.listening;
    if (done)
      this.once("close", () =>
        done(
          wasListening
            ? undefined
            : Object.assign(new Error("Server is not running."), { code: "ERR_SERVER_NOT_RUNNING" }),
        ),
      );
    if (this.#port !== undefined) ports.servers.delete(this.#port);
    this.listening = false;
    this.#isClosing = true;
    this.#maybeClosed();
    return this;
  }

  #isClosing = false;

  #maybeClosed(): void {
    if (!this.#isClosing || this.#sockets.size > 0) return;
    this.#isClosing = false;
    process.nextTick(() => this.emit("close"));
  }

  address(): { address: string; family: string; port: number } | null {
    return this.#port === undefined ? null : { address: wire.host, family: "IPv4", port: this.#port };
  }

  getConnections(done: (error: null, count: number) => void): void {
    process.nextTick(() => done(null, this.#sockets.size));
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

export const createServer = (...args: unknown[]): Server => new Server(...args);
export const connect = (...args: unknown[]): Socket => {
  const [first] = args;
  const options = typeof first === "object" && first !== null ? (first as StreamOptions) : {};
  return new Socket(options).connect(...args);
};
export const createConnection = connect;

const isIPv4Text = (text: string): boolean =>
  /^(\d{1,3})(\.\d{1,3}){3}$/.test(text) && text.split(".").every((part) => Number(part) < 256);
export const isIPv4 = (text: string): boolean => isIPv4Text(text);
export const isIPv6 = (text: string): boolean => /^[\da-f:]*:[\da-f:.]*$/i.test(text) && text.includes(":");
export const isIP = (text: string): number => (isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0);

export default {
  Server,
  Socket,
  Stream: Socket,
  connect,
  createConnection,
  createServer,
  isIP,
  isIPv4,
  isIPv6,
};
