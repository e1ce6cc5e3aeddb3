/**
 * The argument of a test of async code: services that reply in every order, failures, events, choices.
 *
 * Runs inside the realm. The types are also the user's: `everypath/vitest` and the others export them.
 */
import { worldKey } from "../world/current.js";
import { refuse } from "../world/failure.js";
import { inspect } from "../world/inspect.js";
import type { Pending, World } from "../world/world.js";
import type * as Devices from "./schedule-devices.js";
import type { WorldFiles, WorldNetwork } from "./schedule-devices.js";
import { entryOf } from "../../model/known.js";

export interface ScheduleWorld {
  /**
   * An asynchronous service: `fn` performs a request, and its reply comes at any time. `effect` determines when `fn`
   * runs: when the request is sent (`call`), with the reply (`completion`), at one of both (`either`), or at any time
   * (`any`, the default): when it is sent, before or with its reply, and, if it fails, possibly after the failure or
   * never.
   */
  service<Args extends unknown[], Result>(
    name: string,
    fn: (...args: Args) => Result | Promise<Result>,
    options?: ServiceOptions,
  ): (...args: Args) => Promise<Result>;
  /** Makes `fetch` a service: `handler` returns a `Response`, or data to be sent as JSON. */
  fetch(
    handler: (url: string, init: RequestInit | undefined) => unknown,
    options?: ServiceOptions,
  ): typeof fetch;
  /** Lets `target` emit an event at some time; events of one target keep their order. */
  emit(target: Emitting, event: string, ...args: unknown[]): void;
  /** A promise that resolves at some time: a scheduling point. */
  pause(label?: string): Promise<void>;
  /** Waits by the virtual clock. */
  sleep(ms: number): Promise<void>;
  /** 0 up to `options - 1`; the checker explores each. */
  choose(options: number): number;
  chooseFrom<T>(values: readonly T[]): T;
  /** Adds a line to the trace of the schedule. */
  note(text: string): void;
  /** Milliseconds since the start, by the virtual clock. */
  readonly elapsedMs: number;
  /** Control of the files of `node:fs` and their faults. */
  readonly files: WorldFiles;
  /** Control of faults between sockets of `node:net` and `node:dgram`. */
  readonly network: WorldNetwork;
}

export interface ServiceOptions {
  readonly effect?: "call" | "completion" | "either" | "any";
  /** Limit of failing requests per schedule; true: unlimited. They reject with `error`. */
  readonly fails?: number | boolean;
  readonly error?: () => unknown;
  /** `fifo`: replies come in the order of the requests. */
  readonly order?: "any" | "fifo";
}

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
        const text = world.options.recordsEvents ? args.map((arg) => inspect(arg, 0)).join(", ") : "";
        return request(world, {
          name,
          label: `#${number}(${text})`,
          run: () => fn(...args),
          options,
          budget,
        });
      };
    },
    fetch: (handler, options = {}) => {
      const budget = { failures: options.fails === true ? Infinity : Number(options.fails ?? 0) };
      let number = 0;
      const fake = (input: unknown, init?: RequestInit): Promise<Response> => {
        const { url, sent, signal } = sentBy(input, init);
        webClasses().takeOnly?.("fetch", init, webClasses().requestOptions!);
        // As in reality, the request is never sent.
        if (signal?.aborted) return Promise.reject(signal.reason as Error); // sound: test/code/conditions.test.ts
        const label = `#${++number}(${world.options.recordsEvents ? inspect(url, 0) : ""})`;
        const answer = async (): Promise<Response> => {
          const body = await handler(url, sent);
          const { Response: Type } = webClasses();
          const response = body instanceof Type ? body : Type.json(body);
          // The real `fetch` would follow the redirection.
          if ([301, 302, 303, 307, 308].includes(response.status) && response.headers.has("location"))
            refuse("fetch of an address that is redirected"); // sound: test/code/conditions.test.ts
          return response;
        };
        const asked = { name: "fetch", label, run: answer, options, budget };
        const isGivenUp = (): boolean => signal?.aborted === true;
        const response = abortable(request(world, { ...asked, isGivenUp }), signal);
        return response.then((headers) => withLateBody(world, sentFrom(headers, url), asked, signal));
      };
      globalThis.fetch = fake as typeof fetch;
      return globalThis.fetch;
    },
    emit: (target, event, ...args) => {
      if (!queues.has(target)) queues.set(target, `events ${queues.size + 1}`); // sound: test/code/world/conditions.test.ts
      world.record("note", "events", `${event} will be emitted`);
      world.add({
        lane: "events",
        label: `emit ${event}`,
        queue: entryOf(queues, target),
        due: undefined,
        run: () => {
          if ("emit" in target) target.emit(event, ...args);
          else target.dispatchEvent((args[0] ?? new (webClasses().Event)(event)) as never);
        },
      });
    },
    pause: (label = "pause") =>
      new Promise((resolve) => {
        world.record("call", label, "waits");
        world.add({ lane: label, label: "goes on", queue: "", due: undefined, run: () => resolve() });
      }),
    sleep: (ms) => new Promise((resolve) => void globalThis.setTimeout(() => resolve(), ms)),
    choose: (options) => noted(world, options, (value) => `choice ${value} of ${options}`),
    chooseFrom: (values) =>
      values[noted(world, values.length, (value) => `chosen: ${inspect(values[value], 0)}`)]!,
    note: (text) => world.record("note", "test", text),
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
  if (world.options.recordsEvents) world.record("note", "test", text(value));
  return value;
}

interface Asked<T> {
  readonly name: string;
  readonly label: string;
  run(): T | Promise<T>;
  readonly options: ServiceOptions;
  readonly budget: { failures: number };
  /** Whether the caller has given up. Then the request may never arrive. */
  isGivenUp?(): boolean;
}

type Settled<T> = { readonly value: T } | { readonly error: unknown };

/** Sends a request, whose reply comes at some time. */
function request<T>(world: World, asked: Asked<T>): Promise<T> {
  const { name, label, options } = asked;
  const { effect = "any" } = options;
  const mayWait = effect === "either" || effect === "any"; // sound: test/code/world/conditions.test.ts
  const isNow = effect === "call" || (mayWait && world.choose(2) === 0); // sound: test/code/world/conditions.test.ts
  world.record("call", name, `${label}${mayWait ? (isNow ? ", done at once" : ", done later") : ""}`);
  return new Promise<T>((resolve, reject) => {
    const answer = (settled: Settled<T>): void => settle(settled, resolve, reject);
    if (isNow)
      whenDone(perform(asked.run), (done) => answerLater(world, asked, done, answer)); // sound: test/code/world/conditions.test.ts
    else if (effect === "any")
      arriveLater(world, asked, answer); // sound: test/code/world/conditions.test.ts
    else
      addTurn(world, asked, "answers", () => {
        const failed = mayFail(world, asked);
        if (failed)
          answer(failed); // sound: test/code/world/conditions.test.ts
        else whenDone(perform(asked.run), answer);
      });
  });
}

/** An asynchronous `fn` must complete before the reply. */
function whenDone<T>(done: Settled<T> | Promise<Settled<T>>, go: (settled: Settled<T>) => void): void {
  if (done instanceof Promise)
    void done.then(go); // sound: test/code/world/conditions.test.ts
  else go(done);
}

function addTurn<T>(
  world: World,
  { name, label, options }: Asked<T>,
  what: string,
  run: () => void,
): Pending {
  return world.add({
    lane: name,
    label: `${what} ${label}`,
    queue: options.order === "fifo" ? `service ${name} ${what}` : "", // sound: test/code/world/conditions.test.ts
    due: undefined,
    run,
  });
}

function answerLater<T>(
  world: World,
  asked: Asked<T>,
  done: Settled<T>,
  answer: (settled: Settled<T>) => void,
): void {
  addTurn(world, asked, "answers", () => answer(mayFail(world, asked) ?? done));
}

/** Performs the request later: with its reply, before it, or after a failure that replaced it. */
function arriveLater<T>(world: World, asked: Asked<T>, answer: (settled: Settled<T>) => void): void {
  addTurn(world, asked, "answers", () => {
    if (asked.isGivenUp?.() && world.choose(2) === 1) return; // sound: test/code/conditions.test.ts
    const failed = mayFail(world, asked);
    if (failed) {
      answer(failed);
      // The request is still in transit, or was lost.
      if (world.choose(2) === 1) addTurn(world, asked, "does", () => void perform(asked.run)); // sound: test/code/world/conditions.test.ts
      return;
    }
    const turn = world.turns;
    whenDone(perform(asked.run), (done) => {
      const answerNow = (): void => answer(mayFail(world, asked) ?? done);
      if (world.pending.length === 0) return answerAlone(world, asked, answerNow); // sound: test/code/world/conditions.test.ts
      if (world.choose(2) === 0) return answerNow(); // sound: test/code/world/conditions.test.ts
      world.record("note", asked.name, "done, and answered later");
      const item = addTurn(world, asked, "answers", answerNow);
      const isAlone = (): boolean => world.pending.every((other) => other === item || other.isBlocked?.()); // sound: test/code/network.test.ts
      item.isBlocked = () => world.turns === turn && !isAlone(); // sound: test/code/network.test.ts
    });
  });
}

/** No pending item can come between `fn` and the reply, but promise callbacks can, and items they create. */
function answerAlone<T>(world: World, asked: Asked<T>, answer: () => void): void {
  if (world.choose(2) === 1) return answer(); // sound: test/code/world/conditions.test.ts
  const choice = world.chooser.made.length - 1;
  const { jobs } = world;
  world.whenDrained(() => {
    if (world.jobs === jobs) {
      // sound: test/code/world/conditions.test.ts
      world.withdraw(choice);
      return answer();
    }
    world.record("note", asked.name, "done, and answered later");
    addTurn(world, asked, "answers", answer);
  });
}

function mayFail<T>(world: World, { name, options, budget }: Asked<T>): Settled<T> | undefined {
  if (budget.failures <= 0) return undefined; // sound: test/code/world/conditions.test.ts
  // The remaining budget determines whether other requests may fail.
  if (budget.failures !== Infinity) world.touchAll();
  if (world.choose(2) === 0) return undefined; // sound: test/code/world/conditions.test.ts
  budget.failures--;
  world.record("note", name, "fails");
  return { error: options.error ? options.error() : new Error(`${name} failed`) };
}

function perform<T>(run: () => T | Promise<T>): Settled<T> | Promise<Settled<T>> {
  try {
    const value = run();
    if (!(value instanceof Promise)) return { value }; // sound: test/code/world/conditions.test.ts
    return value.then(
      (later) => ({ value: later }),
      (error: unknown) => ({ error }),
    );
  } catch (error) {
    return { error };
  }
}

function settle<T>(settled: Settled<T>, resolve: (value: T) => void, reject: (error: unknown) => void): void {
  if ("error" in settled)
    reject(settled.error); // sound: test/code/world/conditions.test.ts
  else resolve(settled.value);
}

interface WebClasses {
  readonly Response: typeof Response;
  readonly Event: typeof Event;
  /** Only of the checker's classes. */
  readonly takeOnly?: (call: string, options: unknown, taken: string) => void;
  readonly requestOptions?: string;
  readonly rawBodyOf?: (request: object) => unknown;
  readonly arriveBy?: (response: object, arrival: () => Promise<void>) => void;
}

declare const require: (name: string) => unknown;

/** The host's classes in its realm; in others the checker's, at first use, because every schedule creates a realm. */
function webClasses(): WebClasses {
  if (!(worldKey in globalThis)) return globalThis;
  // The bundler turns this into a call that evaluates the module.
  return require("./web-classes.js") as WebClasses;
}

/** Also evaluated at first use. In the host realm, the code uses the real modules. */
function devices(what: string): typeof Devices {
  if (!(worldKey in globalThis)) refuse(what, "files and sockets are the real ones in the host realm");
  return require("./schedule-devices.js") as typeof Devices;
}

interface SentRequest {
  readonly url: string;
  readonly sent: RequestInit | undefined;
  readonly signal: AbortSignal | null | undefined;
}

/** The request denoted by an address or a `Request`. */
function sentBy(input: unknown, init: RequestInit | undefined): SentRequest {
  if (typeof input !== "object" || input === null || !("url" in input))
    return { url: String(input), sent: init, signal: init?.signal };
  const { url, method, headers, signal } = input as Request;
  const body = bodyOf(input);
  const sent = { method, headers, ...(body === undefined ? {} : { body }), signal, ...init } as RequestInit; // sound: test/code/conditions.test.ts
  return { url: String(url), sent, signal: sent.signal };
}

/** The body as passed to the constructor; undefined for a real `Request`, whose body cannot be read synchronously. */
function bodyOf(input: object): unknown {
  const { rawBodyOf } = webClasses();
  return rawBodyOf?.(input);
}

function sentFrom(response: Response, url: string): Response {
  if (webClasses().takeOnly) Object.defineProperty(response, "url", { value: url, configurable: true });
  return response;
}

/** Delivers the headers; the body comes later, unless the request is aborted or the connection breaks. */
function withLateBody<T>(
  world: World,
  response: Response,
  asked: Asked<T>,
  signal: AbortSignal | null | undefined,
): Response {
  webClasses().arriveBy?.(
    response,
    () =>
      new Promise<void>((resolve, reject) => {
        const giveUp = (): void => {
          world.remove(item); // sound: test/code/conditions.test.ts
          reject(signal!.reason as Error);
        };
        if (signal?.aborted) return reject(signal.reason as Error); // sound: test/code/conditions.test.ts
        const item = addTurn(world, asked, "sends the body of", () => {
          signal?.removeEventListener("abort", giveUp);
          const failed = mayFail(world, asked);
          if (failed && "error" in failed)
            // sound: test/code/conditions.test.ts
            reject(asked.options.error ? (failed.error as Error) : new TypeError("terminated"));
          else resolve();
        });
        signal?.addEventListener("abort", giveUp, { once: true }); // sound: test/code/conditions.test.ts
      }),
  );
  return response;
}

function abortable<T>(answer: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error); // sound: test/code/conditions.test.ts
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }); // sound: test/code/conditions.test.ts
    answer.then(resolve, reject);
  });
}
