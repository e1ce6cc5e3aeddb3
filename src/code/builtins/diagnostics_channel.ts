/** `node:diagnostics_channel`: channels between publishers and subscribers within the realm. */

type Name = string | symbol;
type Listener = (message: unknown, name: Name) => void;

export class Channel {
  readonly name: Name;
  #listeners: Listener[] = [];

  constructor(name: Name) {
    this.name = name;
  }

  get hasSubscribers(): boolean {
    return this.#listeners.length > 0;
  }

  subscribe(listener: Listener): void {
    this.#listeners = [...this.#listeners, listener];
  }

  unsubscribe(listener: Listener): boolean {
    const index = this.#listeners.indexOf(listener);
    if (index >= 0) this.#listeners = this.#listeners.toSpliced(index, 1);
    return index >= 0;
  }

  publish(message: unknown): void {
    for (const listener of this.#listeners) listener(message, this.name);
  }

  runStores<T>(message: unknown, run: (...args: unknown[]) => T, self?: unknown, ...args: unknown[]): T {
    this.publish(message);
    return Reflect.apply(run, self, args) as T;
  }
}

const channels = new Map<Name, Channel>();

export function channel(name: Name): Channel {
  let found = channels.get(name);
  if (!found) channels.set(name, (found = new Channel(name)));
  return found;
}

export const hasSubscribers = (name: Name): boolean => channel(name).hasSubscribers;
export const subscribe = (name: Name, listener: Listener): void => channel(name).subscribe(listener);
export const unsubscribe = (name: Name, listener: Listener): boolean => channel(name).unsubscribe(listener);

const events = ["start", "end", "asyncStart", "asyncEnd", "error"] as const;
type Traced = Record<string, unknown>;

/** Five channels for the phases of one operation. */
export class TracingChannel {
  readonly start: Channel;
  readonly end: Channel;
  readonly asyncStart: Channel;
  readonly asyncEnd: Channel;
  readonly error: Channel;

  constructor(name: string | Readonly<Record<(typeof events)[number], Channel>>) {
    const of = (event: (typeof events)[number]): Channel =>
      typeof name === "string" ? channel(`tracing:${name}:${event}`) : name[event];
    this.start = of("start");
    this.end = of("end");
    this.asyncStart = of("asyncStart");
    this.asyncEnd = of("asyncEnd");
    this.error = of("error");
  }

  get hasSubscribers(): boolean {
    return events.some((event) => this[event].hasSubscribers);
  }

  subscribe(listeners: Readonly<Record<string, Listener>>): void {
    for (const event of events) if (listeners[event]) this[event].subscribe(listeners[event]);
  }

  unsubscribe(listeners: Readonly<Record<string, Listener>>): boolean {
    return events
      .filter((event) => listeners[event])
      .map((event) => this[event].unsubscribe(listeners[event]!))
      .every(Boolean);
  }

  traceSync<T>(run: (...args: unknown[]) => T, context: Traced = {}, self?: unknown, ...args: unknown[]): T {
    return this.#traced(context, () => (context["result"] = Reflect.apply(run, self, args) as T));
  }

  tracePromise<T>(
    run: (...args: unknown[]) => Promise<T>,
    context: Traced = {},
    self?: unknown,
    ...args: unknown[]
  ): Promise<T> {
    const settled = (key: "result" | "error", value: unknown): void => {
      context[key] = value;
      if (key === "error") this.error.publish(context);
      this.asyncStart.publish(context);
      this.asyncEnd.publish(context);
    };
    return this.#traced(context, () =>
      Promise.resolve(Reflect.apply(run, self, args) as Promise<T>).then(
        (value) => {
          settled("result", value);
          return value;
        },
        (error: unknown) => {
          settled("error", error);
          throw error;
        },
      ),
    );
  }

  #traced<T>(context: Traced, run: () => T): T {
    this.start.publish(context);
    try {
      return run();
    } catch (error) {
      context["error"] = error;
      this.error.publish(context);
      throw error;
    } finally {
      this.end.publish(context);
    }
  }
}

export const tracingChannel = (
  name: string | Readonly<Record<(typeof events)[number], Channel>>,
): TracingChannel => new TracingChannel(name);

export default { Channel, channel, hasSubscribers, subscribe, unsubscribe, tracingChannel };
