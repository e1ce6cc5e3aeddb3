/** Timers of the virtual clock. */
import { immediates, type Pending, type World } from "./world.js";

type Callback = (...args: unknown[]) => void;

/** The result of `setTimeout`: as in Node, an object with a numeric id. */
export class Timeout {
  readonly #world: World;
  readonly #callback: Callback;
  readonly #args: unknown[];
  readonly #delayMs: number;
  readonly #repeats: boolean;
  readonly #id: number;
  #pending: Pending | undefined;
  #isRef = true;
  #isCleared = false;

  constructor(world: World, callback: Callback, delayMs: unknown, args: unknown[], repeats: boolean) {
    this.#world = world;
    this.#callback = callback;
    this.#args = args;
    this.#delayMs = clampDelay(delayMs);
    this.#repeats = repeats;
    this.#id = nextId(world);
    byId(world).set(this.#id, this);
    this.#set();
  }

  #set(): void {
    const what = this.#repeats ? "interval" : "timeout";
    this.#pending = this.#world.add({
      lane: "timers",
      label: `${what} ${this.#delayMs} ms`,
      queue: "",
      due: this.#world.now + this.#delayMs,
      delayMs: this.#delayMs,
      repeats: this.#repeats ? `interval ${this.#id}` : undefined,
      isUnref: () => !this.#isRef,
      run: () => this.#fire(),
    });
  }

  #fire(): void {
    this.#pending = undefined;
    // As in Node, an interval restarts after its callback, unless the callback cleared it.
    if (this.#repeats) byId(this.#world).set(this.#id, this);
    else byId(this.#world).delete(this.#id);
    try {
      this.#callback(...this.#args);
    } finally {
      if (byId(this.#world).has(this.#id) && !this.#pending) this.#set(); // sound: test/code/world/conditions.test.ts
    }
  }

  close(): this {
    if (this.#pending) this.#world.remove(this.#pending); // sound: test/code/world/conditions.test.ts
    this.#pending = undefined;
    this.#isCleared = true;
    byId(this.#world).delete(this.#id); // sound: test/code/world/conditions.test.ts
    return this;
  }

  /** Restarts the timer, even if it has fired; a cleared timer stays cleared. */
  refresh(): this {
    if (this.#isCleared) return this; // sound: test/code/world/conditions.test.ts
    if (this.#pending) this.#world.remove(this.#pending); // sound: test/code/world/conditions.test.ts
    byId(this.#world).set(this.#id, this);
    this.#set();
    return this;
  }

  ref(): this {
    this.#isRef = true;
    return this;
  }

  unref(): this {
    this.#isRef = false;
    return this;
  }

  hasRef(): boolean {
    return this.#isRef;
  }

  [Symbol.toPrimitive](): number {
    return this.#id;
  }
}

export class Immediate {
  readonly #world: World;
  readonly #pending: Pending;
  #isRef = true;

  constructor(world: World, callback: Callback, args: unknown[]) {
    this.#world = world;
    this.#pending = world.add({
      lane: "timers",
      label: "immediate",
      queue: immediates,
      due: undefined,
      isUnref: () => !this.#isRef,
      run: () => callback(...args),
    });
  }

  close(): void {
    this.#world.remove(this.#pending); // sound: test/code/world/conditions.test.ts
  }

  ref(): this {
    this.#isRef = true;
    return this;
  }

  unref(): this {
    this.#isRef = false;
    return this;
  }

  hasRef(): boolean {
    return this.#isRef;
  }
}

export function timerFunctions(world: World): Record<string, unknown> {
  const clear = (timer: unknown): void => {
    if (timer instanceof Timeout || timer instanceof Immediate)
      timer.close(); // sound: test/code/world/conditions.test.ts
    else if (typeof timer === "number" || typeof timer === "string") byId(world).get(Number(timer))?.close(); // sound: test/code/world/conditions.test.ts
  };
  return {
    setTimeout: (callback: Callback, delay?: number, ...args: unknown[]) =>
      new Timeout(world, callable(callback), delay, args, false),
    setInterval: (callback: Callback, delay?: number, ...args: unknown[]) =>
      new Timeout(world, callable(callback), delay, args, true),
    setImmediate: (callback: Callback, ...args: unknown[]) => new Immediate(world, callable(callback), args),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  };
}

/** Throws Node's error unless `callback` is a function. */
export function callable(callback: Callback): Callback {
  if (typeof callback === "function") return callback;
  throw Object.assign(new TypeError('The "callback" argument must be of type function.'), {
    code: "ERR_INVALID_ARG_TYPE",
  });
}

/** As in Node: delays below 1 ms, or above 31 bits, become 1 ms. */
function clampDelay(delay: unknown): number {
  const ms = Number(delay);
  return ms >= 1 && ms <= 0x7fffffff ? Math.trunc(ms) : 1; // sound: test/code/world/conditions.test.ts
}

function byId(world: World): Map<number, Timeout> {
  let map = world.parts.get("timers") as Map<number, Timeout> | undefined;
  if (!map) world.parts.set("timers", (map = new Map()));
  return map;
}

function nextId(world: World): number {
  const id = ((world.parts.get("timer-id") as number | undefined) ?? 0) + 1;
  world.parts.set("timer-id", id);
  return id;
}
