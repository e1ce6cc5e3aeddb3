/** `Event` and `EventTarget`, for code without a document. */
import { world } from "../world/current.js";

interface Listener {
  readonly type: string;
  readonly callback: ((event: Event) => void) | { handleEvent(event: Event): void };
  readonly once: boolean;
  readonly capture: boolean;
}

export class Event {
  readonly type: string;
  readonly cancelable: boolean;
  readonly bubbles: boolean;
  #timeStamp: number | undefined;
  target: EventTarget | null = null;
  currentTarget: EventTarget | null = null;
  defaultPrevented = false;
  isStopped = false;

  constructor(type: string, init: { cancelable?: boolean; bubbles?: boolean } = {}) {
    this.type = String(type);
    this.cancelable = init.cancelable ?? false;
    this.bubbles = init.bubbles ?? false;
  }

  /** Lazy: most programs never use it, and reading the clock is a choice. */
  get timeStamp(): number {
    return (this.#timeStamp ??= world.readClock() - world.options.epochMs);
  }

  preventDefault(): void {
    if (this.cancelable) this.defaultPrevented = true;
  }

  stopPropagation(): void {}

  stopImmediatePropagation(): void {
    this.isStopped = true;
  }
}

export class CustomEvent extends Event {
  readonly detail: unknown;

  constructor(type: string, init: { cancelable?: boolean; bubbles?: boolean; detail?: unknown } = {}) {
    super(type, init);
    this.detail = init.detail ?? null;
  }
}

type Options = boolean | { once?: boolean; capture?: boolean; signal?: EventTarget & { aborted: boolean } };

export class EventTarget {
  #listeners: Listener[] = [];

  addEventListener(type: string, callback: Listener["callback"] | null, options: Options = {}): void {
    if (!callback) return;
    const {
      once = false,
      capture = false,
      signal,
    } = typeof options === "boolean" ? { capture: options } : options;
    if (signal?.aborted) return;
    const isSame = (l: Listener): boolean =>
      l.type === type && l.callback === callback && l.capture === capture;
    if (this.#listeners.some(isSame)) return;
    this.#listeners.push({ type, callback, once, capture });
    signal?.addEventListener("abort", () => this.removeEventListener(type, callback, { capture }), {
      once: true,
    });
  }

  removeEventListener(type: string, callback: Listener["callback"] | null, options: Options = {}): void {
    const capture = typeof options === "boolean" ? options : (options.capture ?? false);
    this.#listeners = this.#listeners.filter(
      (l) => l.type !== type || l.callback !== callback || l.capture !== capture,
    );
  }

  dispatchEvent(event: Event): boolean {
    event.target = event.currentTarget = this;
    for (const listener of [...this.#listeners]) {
      if (listener.type !== event.type || !this.#listeners.includes(listener)) continue;
      if (listener.once) this.#listeners = this.#listeners.filter((other) => other !== listener);
      const { callback } = listener;
      // As in Node: an exception of a listener is uncaught, and the other listeners still run.
      world.attempt(() => {
        if (typeof callback === "function") callback.call(this, event);
        else callback.handleEvent(event);
      });
      if (event.isStopped) break;
    }
    return !event.defaultPrevented;
  }
}

type Handler = (event: never) => void;

const handlers = new WeakMap<EventTarget, Map<string, { handler: Handler | null }>>();

/** `target.onabort = handler`: called among the listeners, at the position of the first handler that was set. */
export function setHandler(target: EventTarget, type: string, handler: unknown): void {
  let own = handlers.get(target);
  if (!own) handlers.set(target, (own = new Map()));
  const value = typeof handler === "function" ? (handler as Handler) : null;
  const known = own.get(type);
  if (known) return void (known.handler = value); // sound: test/code/conditions.test.ts
  const one = { handler: value };
  own.set(type, one);
  target.addEventListener(type, (event) => one.handler?.call(target, event as never));
}

export const handlerOf = <T>(target: EventTarget, type: string): T | null =>
  (handlers.get(target)?.get(type)?.handler ?? null) as T | null;
