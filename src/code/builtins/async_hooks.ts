/**
 * `AsyncLocalStorage`: its values follow promise callbacks, timers and ticks. Async functions of code that uses it are
 * bundled as generators, because native `await` has no callback to follow.
 */
import { refuse } from "../world/failure.js";
import { world } from "../world/current.js";
import type { AsyncContexts } from "./events.js";

type Context = ReadonlyMap<AsyncLocalStorage<unknown>, unknown>;
type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

let current: Context = new Map();

function within<T>(context: Context, run: () => T): T {
  const before = current;
  current = context;
  try {
    return run();
  } finally {
    current = before;
  }
}

function bound<F>(fn: F): F {
  if (typeof fn !== "function") return fn;
  const context = current;
  return function (this: unknown, ...args: unknown[]) {
    return within(context, () => (fn as unknown as AnyFunction).apply(this, args));
  } as F;
}

export class AsyncLocalStorage<T> {
  static bind<F>(fn: F): F {
    return bound(fn);
  }

  static snapshot(): (fn: AnyFunction, ...args: unknown[]) => unknown {
    return bound((fn: AnyFunction, ...args: unknown[]) => fn(...args));
  }

  getStore(): T | undefined {
    return current.get(this as AsyncLocalStorage<unknown>) as T | undefined;
  }

  run<R>(store: T, fn: (...args: unknown[]) => R, ...args: unknown[]): R {
    return within(new Map(current).set(this as AsyncLocalStorage<unknown>, store), () => fn(...args));
  }

  exit<R>(fn: (...args: unknown[]) => R, ...args: unknown[]): R {
    return within(new Map([...current].filter(([key]) => key !== this)), () => fn(...args));
  }

  enterWith(store: T): void {
    current = new Map(current).set(this as AsyncLocalStorage<unknown>, store);
  }

  /** Affects all contexts or one, depending on the version of Node. */
  disable(): void {
    refuse("AsyncLocalStorage.disable");
  }
}

export class AsyncResource {
  readonly #context = current;
  readonly type: string;

  constructor(type: string) {
    this.type = type;
  }

  static bind<F>(fn: F): F {
    return bound(fn);
  }

  bind<F extends AnyFunction>(fn: F): F {
    return within(this.#context, () => bound(fn));
  }

  runInAsyncScope<R>(fn: (...args: unknown[]) => R, thisArg?: unknown, ...args: unknown[]): R {
    return within(this.#context, () => fn.apply(thisArg, args));
  }

  emitDestroy(): this {
    return this;
  }

  /** Numbers of executions differ between versions of Node and with each await. */
  asyncId(): never {
    return refuse("AsyncResource.asyncId"); // sound: test/code/required.test.ts
  }

  triggerAsyncId(): never {
    return refuse("AsyncResource.triggerAsyncId"); // sound: test/code/required.test.ts
  }
}

export const createHook = (): never => refuse("async_hooks.createHook");
export const executionAsyncId = (): never => refuse("async_hooks.executionAsyncId"); // sound: test/code/required.test.ts
export const triggerAsyncId = (): never => refuse("async_hooks.triggerAsyncId"); // sound: test/code/required.test.ts
export const executionAsyncResource = (): never => refuse("async_hooks.executionAsyncResource");

/** For `EventEmitterAsyncResource`, which must not load this module. */
const contexts: AsyncContexts = {
  empty: current,
  current: () => current,
  within: (context, run) => within(context as Context, run),
};
world.parts.set("async-contexts", contexts);

// Promise callbacks, timers, ticks and pending items inherit the context of their creation.
const then = Promise.prototype.then;
Promise.prototype.then = function (this: Promise<unknown>, ...callbacks: unknown[]) {
  return then.apply(this, callbacks.map(bound) as never);
} as typeof then;
for (const name of ["setTimeout", "setInterval", "setImmediate", "queueMicrotask"] as const) {
  const original = globalThis[name] as unknown as AnyFunction;
  const following = (fn: unknown, ...rest: unknown[]): unknown => original(bound(fn), ...rest);
  Object.assign(globalThis, { [name]: Object.assign(following, original) });
}
const add = world.add.bind(world);
world.add = (pending) => add({ ...pending, run: bound(() => pending.run()) });
const nextTick = world.nextTick.bind(world);
world.nextTick = (callback) => nextTick(bound(callback));

export default {
  AsyncLocalStorage,
  AsyncResource,
  createHook,
  executionAsyncId,
  executionAsyncResource,
  triggerAsyncId,
};
