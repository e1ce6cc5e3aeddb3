/**
 * What a test of async code is given: services whose answers come in every order, failures, events, choices.
 *
 * Runs inside the realm. The types are also the user's: `everypath/vitest` and the others export them.
 */
import { worldKey } from "../world/current.js";
import { refuse } from "../world/failure.js";
import { inspect } from "../world/inspect.js";
import type { World } from "../world/world.js";
import type * as Devices from "./schedule-devices.js";
import type { WorldFiles, WorldNetwork } from "./schedule-devices.js";

export interface ScheduleWorld {
  /**
   * An asynchronous service: `fn` is what it does, and its answer comes at any time. By `effect`, the doing happens when the
   * request is sent (`call`), when it is answered (`completion`), or either (the default: both are tried).
   */
  service<Args extends unknown[], Result>(
    name: string,
    fn: (...args: Args) => Result | Promise<Result>,
    options?: ServiceOptions,
  ): (...args: Args) => Promise<Result>;
  /** Makes `fetch` a service: `handler` answers with a `Response`, or with something to be sent as JSON. */
  fetch(
    handler: (url: string, init: RequestInit | undefined) => unknown,
    options?: ServiceOptions,
  ): typeof fetch;
  /** Lets `target` emit an event at some time; events of one target come in the order in which they were asked for. */
  emit(target: Emitting, event: string, ...args: unknown[]): void;
  /** A promise that is resolved at some time: a point where others may go first. */
  pause(label?: string): Promise<void>;
  /** Waits by the virtual clock. */
  sleep(ms: number): Promise<void>;
  /** 0 up to `options - 1`: every one is tried. */
  choose(options: number): number;
  chooseFrom<T>(values: readonly T[]): T;
  /** A line in the story of the schedule. */
  note(text: string): void;
  /** Milliseconds since the start, by the virtual clock. */
  readonly elapsedMs: number;
  /** What `node:fs` shows to the code, and what may happen to it. */
  readonly files: WorldFiles;
  /** What may happen between the sockets of `node:net` and `node:dgram`. */
  readonly network: WorldNetwork;
}

export interface ServiceOptions {
  readonly effect?: "call" | "completion" | "either";
  /** How many of its requests in one schedule may fail; true: any. What they are rejected with is `error`. */
  readonly fails?: number | boolean;
  readonly error?: () => unknown;
  /** `fifo`: answers come in the order of the requests. */
  readonly order?: "any" | "fifo";
}

/** An `EventEmitter` or an `EventTarget`. */
export type Emitting =
  { emit(event: string, ...args: unknown[]): unknown } | { dispatchEvent(event: never): unknown };

export function makeScheduleWorld(world: World): ScheduleWorld {
  const calls = new Map<string, number>();
  const queues = new Map<object, string>();
  const api: ScheduleWorld = {
    service: (name, fn, options = {}) => {
      const budget = { failures: options.fails === true ? Infinity : Number(options.fails ?? 0) };
      return (...args) => {
        const number = (calls.get(name) ?? 0) + 1;
        calls.set(name, number);
        const text = world.options.tells ? args.map((arg) => inspect(arg, 0)).join(", ") : "";
        return request(world, {
          name,
          label: `#${number}(${text})`,
          run: () => fn(...args),
          options,
          budget,
        });
      };
    },
    fetch: (handler, options) => {
      const answer = async (url: unknown, init?: RequestInit): Promise<Response> => {
        const body = await handler(addressOf(url), init);
        const { Response: Type } = webClasses();
        return body instanceof Type ? body : Type.json(body);
      };
      const service = api.service("fetch", answer, options);
      const fake = (url: unknown, init?: RequestInit): Promise<Response> =>
        abortable(init === undefined ? service(url) : service(url, init), init?.signal);
      globalThis.fetch = fake as typeof fetch;
      return globalThis.fetch;
    },
    emit: (target, event, ...args) => {
      if (!queues.has(target)) queues.set(target, `events ${queues.size + 1}`);
      world.tell("note", "events", `${event} will be emitted`);
      world.add({
        lane: "events",
        label: `emit ${event}`,
        queue: queues.get(target)!,
        due: undefined,
        run: () => {
          if ("emit" in target) target.emit(event, ...args);
          else target.dispatchEvent((args[0] ?? new (webClasses().Event)(event)) as never);
        },
      });
    },
    pause: (label = "pause") =>
      new Promise((resolve) => {
        world.tell("call", label, "waits");
        world.add({ lane: label, label: "goes on", queue: "", due: undefined, run: () => resolve() });
      }),
    sleep: (ms) => new Promise((resolve) => void globalThis.setTimeout(() => resolve(), ms)),
    choose: (options) => noted(world, options, (value) => `choice ${value} of ${options}`),
    chooseFrom: (values) =>
      values[noted(world, values.length, (value) => `chosen: ${inspect(values[value], 0)}`)]!,
    note: (text) => world.tell("note", "test", text),
    get elapsedMs() {
      return world.readClock() - world.options.epochMs;
    },
    get files() {
      return devices("world.files").worldFiles(world);
    },
    get network() {
      return devices("world.network").worldNetwork(world);
    },
  };
  return api;
}

function noted(world: World, options: number, text: (value: number) => string): number {
  const value = world.choose(options);
  if (world.options.tells) world.tell("note", "test", text(value));
  return value;
}

interface Request<T> {
  readonly name: string;
  readonly label: string;
  run(): T | Promise<T>;
  readonly options: ServiceOptions;
  readonly budget: { failures: number };
}

type Settled<T> = { readonly value: T } | { readonly error: unknown };

/** Sends a request; what it does is done now or at its completion. */
function request<T>(world: World, asked: Request<T>): Promise<T> {
  const { name, label, options } = asked;
  const { effect = "either" } = options;
  const isNow = effect === "call" || (effect === "either" && world.choose(2) === 0);
  world.tell(
    "call",
    name,
    `${label}${effect === "either" ? (isNow ? ", done at once" : ", done when answered") : ""}`,
  );
  return new Promise<T>((resolve, reject) => {
    const answerWith = (outcome: () => Settled<T> | Promise<Settled<T>>): void => {
      world.add({
        lane: name,
        label: `answers ${label}`,
        queue: options.order === "fifo" ? `service ${name}` : "",
        due: undefined,
        run: () => {
          const settled = mayFail(world, asked) ?? outcome();
          if (settled instanceof Promise) void settled.then((later) => settle(later, resolve, reject));
          else settle(settled, resolve, reject);
        },
      });
    };
    if (!isNow) return answerWith(() => perform(asked.run));
    const done = perform(asked.run);
    // An asynchronous doing must end before it can be answered.
    if (done instanceof Promise) void done.then((settled) => answerWith(() => settled));
    else answerWith(() => done);
  });
}

function mayFail<T>(world: World, { name, options, budget }: Request<T>): Settled<T> | undefined {
  if (budget.failures <= 0) return undefined;
  // What is left of the budget decides whether others may fail.
  if (budget.failures !== Infinity) world.touchAll();
  if (world.choose(2) === 0) return undefined;
  budget.failures--;
  world.tell("note", name, "fails");
  return { error: options.error ? options.error() : new Error(`${name} failed`) };
}

function perform<T>(run: () => T | Promise<T>): Settled<T> | Promise<Settled<T>> {
  try {
    const value = run();
    if (!(value instanceof Promise)) return { value };
    return value.then(
      (later) => ({ value: later }),
      (error: unknown) => ({ error }),
    );
  } catch (error) {
    return { error };
  }
}

function settle<T>(settled: Settled<T>, resolve: (value: T) => void, reject: (error: unknown) => void): void {
  if ("error" in settled) reject(settled.error);
  else resolve(settled.value);
}

interface WebClasses {
  readonly Response: typeof Response;
  readonly Event: typeof Event;
}

declare const require: (name: string) => unknown;

/** The host's own in its realm; in others ours, evaluated when first used, because realms are made for every schedule. */
function webClasses(): WebClasses {
  if ("Response" in globalThis) return globalThis;
  // The bundler makes of this a call that evaluates the module.
  return require("./web-classes.js") as WebClasses;
}

/** Evaluated when they are first used, as well. In the host realm the code has the real modules. */
function devices(what: string): typeof Devices {
  if (!(worldKey in globalThis)) refuse(what, "files and sockets are the real ones in the host realm");
  return require("./schedule-devices.js") as typeof Devices;
}

const addressOf = (url: unknown): string =>
  typeof url === "object" && url !== null && "url" in url ? String(url.url) : String(url);

function abortable<T>(answer: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    answer.then(resolve, reject);
  });
}
