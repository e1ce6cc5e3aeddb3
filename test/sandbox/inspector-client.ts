/** A minimal debugger: the inspector protocol over a hand-written WebSocket, since Node 20 has none. */
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";

export interface InspectorEvent {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

export class InspectorClient {
  readonly events: InspectorEvent[] = [];
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #rest = Buffer.alloc(0);
  #last = 0;
  #isClosed = false;
  #wake: () => void = () => undefined;

  static async connect(url: string): Promise<InspectorClient> {
    const { hostname, port, pathname } = new URL(url);
    const socket = connect(Number(port), hostname);
    const key = randomBytes(16).toString("base64");
    socket.write(
      `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
    let head = "";
    while (!head.includes("\r\n\r\n"))
      head += String(await new Promise((resolve) => socket.once("data", resolve)));
    if (!head.startsWith("HTTP/1.1 101")) throw new Error(head);
    return new InspectorClient(socket);
  }

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (data: Buffer) => this.#hear(data));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  send<T = unknown>(method: string, params: object = {}): Promise<T> {
    const id = ++this.#last;
    this.#socket.write(frame(JSON.stringify({ id, method, params })));
    return new Promise((resolve) => this.#waiting.set(id, resolve as (result: unknown) => void));
  }

  /** The next event of that name; undefined: none will come. */
  async event(method: string): Promise<InspectorEvent["params"] | undefined> {
    for (;;) {
      const index = this.events.findIndex((event) => event.method === method);
      if (index >= 0) return this.events.splice(index, 1)[0]!.params;
      if (this.#isClosed) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  #hear(data: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, data]);
    for (let message = this.#next(); message !== undefined; message = this.#next()) {
      const { id, result, error, ...event } = JSON.parse(message) as {
        id?: number;
        result?: unknown;
        error?: unknown;
      } & InspectorEvent;
      if (id !== undefined) this.#waiting.get(id)?.(error ?? result);
      else this.events.push(event);
    }
    this.#wake();
  }

  /** Frames of the server are not masked, and Node sends each message as one. */
  #next(): string | undefined {
    if (this.#rest.length < 2) return undefined;
    const short = this.#rest[1]! & 0x7f;
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (this.#rest.length < head) return undefined;
    const length =
      short === 126
        ? this.#rest.readUInt16BE(2)
        : short === 127
          ? Number(this.#rest.readBigUInt64BE(2))
          : short;
    if (this.#rest.length < head + length) return undefined;
    const text = this.#rest.toString("utf8", head, head + length);
    this.#rest = this.#rest.subarray(head + length);
    return text;
  }
}

/** Frames of clients are masked; a mask of zeros suffices. */
function frame(text: string): Buffer {
  const body = Buffer.from(text);
  const head = body.length < 126 ? Buffer.from([0x81, 0x80 | body.length]) : Buffer.alloc(4);
  if (body.length >= 126) {
    head.set([0x81, 0x80 | 126]);
    head.writeUInt16BE(body.length, 2);
  }
  return Buffer.concat([head, Buffer.alloc(4), body]);
}
