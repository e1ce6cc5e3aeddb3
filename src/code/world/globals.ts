/** Globals of the realm: replaces names that would reach beyond the world, and refuses the others by name. */
import { refused } from "../builtins/refused.js";
import { clockGlobals, tameIntl } from "./clock.js";
import { worldConsole } from "./console.js";
import { refuse } from "./failure.js";
import { worldProcess } from "./process.js";
import { put, putLazily } from "./put.js";
import { randomNumber } from "./random.js";
import { timerFunctions } from "./timers.js";
import { Relied, type World } from "./world.js";

export function installGlobals(world: World): void {
  put(globalThis, "global", globalThis);
  putAll(clockGlobals(world));
  putAll(timerFunctions(world));
  put(globalThis, "queueMicrotask", (callback: () => void) => {
    if (typeof callback !== "function") throw new TypeError("The argument must be a function");
    void Promise.resolve().then(() => world.attempt(callback));
  });
  putAll(weakGlobals(world));
  put(globalThis, "WebAssembly", refusing("WebAssembly"));
  put(globalThis, "fetch", () => refuse("fetch", "it has no handler; set one with world.fetch"));
  for (const name of refusedNames)
    if (!(name in globalThis)) putLazily(globalThis, name, () => refused(name));
  // Lazily, because every schedule creates a realm.
  putLazily(globalThis, "console", () => worldConsole(world));
  putLazily(globalThis, "process", () => worldProcess(world));
  tameIntl(world);
  put(Math, "random", () => randomNumber(world));
  tameAtomics();
  putDisposal();
}

/** `using` needs these symbols; before Node 24 only Node's main realm defines them. */
function putDisposal(): void {
  for (const name of ["dispose", "asyncDispose"])
    if (!(name in Symbol)) Object.defineProperty(Symbol, name, { value: Symbol(`Symbol.${name}`) });
}

/** Names of Node and browsers that exist for feature tests and throw on use. */
const refusedNames = [
  ...[
    "BroadcastChannel",
    "Blob",
    "File",
    "FormData",
    "EventSource",
    "PerformanceObserver",
    "Temporal",
    "Worker",
  ],
  ...["ReadableStream", "WritableStream", "TransformStream", "CompressionStream", "DecompressionStream"],
];

function putAll(globals: Readonly<Record<string, unknown>>): void {
  for (const name in globals) put(globalThis, name, globals[name]);
}

/** These would wait for other threads, by the real clock. */
function tameAtomics(): void {
  for (const name of ["wait", "waitAsync", "notify"])
    if (name in Atomics) put(Atomics, name, () => refuse(`Atomics.${name}`));
}

/** Passes feature tests by `typeof`; every use throws. */
function refusing(name: string): object {
  const no = (): never => refuse(name);
  return new Proxy({}, { get: no, has: no, ownKeys: no, getOwnPropertyDescriptor: no });
}

/** Garbage collection depends on the machine's memory, so weak references stay strong while the world exists. */
function weakGlobals(world: World): Record<string, unknown> {
  class StrongRef<T extends WeakKey> {
    readonly #target: T;

    constructor(target: T) {
      this.#target = target;
    }

    deref(): T {
      world.rely(Relied.uncollected); // sound: test/testing/scope.test.ts
      return this.#target;
    }
  }
  class IdleRegistry {
    register(): void {
      world.rely(Relied.uncollected); // sound: test/testing/scope.test.ts
    }

    unregister(): boolean {
      return false;
    }
  }
  return { WeakRef: StrongRef, FinalizationRegistry: IdleRegistry };
}
