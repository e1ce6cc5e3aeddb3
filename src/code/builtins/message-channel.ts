/** `MessageChannel`: delivers a copy of each message to the other port, later and in order. */
import { world } from "../world/current.js";
import { structuredClone } from "./encoding.js";
import { Event, EventTarget, handlerOf, setHandler } from "./event-target.js";

export class MessageEvent extends Event {
  readonly data: unknown;

  constructor(type: string, { data = null }: { readonly data?: unknown } = {}) {
    super(type);
    this.data = data;
  }
}

export class MessagePort extends EventTarget {
  #other: MessagePort | undefined;
  #isStarted = false;
  #isClosed = false;
  #waiting: unknown[] = [];
  readonly #queue: string;

  constructor() {
    super();
    const number = ((world.parts.get("ports") as number | undefined) ?? 0) + 1;
    world.parts.set("ports", number);
    this.#queue = `port ${number}`;
  }

  static entangle(a: MessagePort, b: MessagePort): void {
    a.#other = b;
    b.#other = a;
  }

  get onmessage(): ((event: MessageEvent) => void) | null {
    return handlerOf(this, "message");
  }

  set onmessage(handler: ((event: MessageEvent) => void) | null) {
    setHandler(this, "message", handler);
    this.start();
  }

  postMessage(message: unknown): void {
    const other = this.#other;
    if (!other || this.#isClosed || other.#isClosed) return;
    other.#waiting.push(structuredClone(message));
    if (other.#isStarted) other.#schedule();
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    for (const _message of this.#waiting) this.#schedule();
  }

  #schedule(): void {
    world.add({
      lane: "messages",
      label: `message at ${this.#queue}`,
      queue: this.#queue,
      due: undefined,
      run: () => {
        if (!this.#isClosed) this.dispatchEvent(new MessageEvent("message", { data: this.#waiting.shift() }));
      },
    });
  }

  close(): void {
    this.#isClosed = true;
    if (this.#other) this.#other.#isClosed = true;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

export class MessageChannel {
  readonly port1 = new MessagePort();
  readonly port2 = new MessagePort();

  constructor() {
    MessagePort.entangle(this.port1, this.port2);
  }
}
