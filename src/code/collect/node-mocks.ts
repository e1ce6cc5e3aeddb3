/** `mock` of `node:test`: functions that record their calls, as objects. Unsupported members are refused by name. */
import { refuse } from "../world/failure.js";

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

interface Call {
  readonly arguments: readonly unknown[];
  readonly result: unknown;
  readonly error: unknown;
  readonly target: undefined;
  readonly this: unknown;
}

class MockContext {
  #calls: Call[] = [];
  #implementation: AnyFunction;
  readonly #once = new Map<number, AnyFunction>();
  readonly #restore: () => void;

  constructor(implementation: AnyFunction, restore: (context: MockContext) => void) {
    this.#implementation = implementation;
    this.#restore = () => restore(this);
  }

  get calls(): readonly Call[] {
    return [...this.#calls];
  }

  callCount(): number {
    return this.#calls.length;
  }

  mockImplementation(implementation: AnyFunction): void {
    this.#implementation = implementation;
  }

  mockImplementationOnce(implementation: AnyFunction, onCall = this.callCount()): void {
    this.#once.set(onCall, implementation);
  }

  resetCalls(): void {
    this.#calls = [];
  }

  restore(): void {
    this.#restore();
  }

  call(self: unknown, args: readonly unknown[]): unknown {
    const number = this.callCount();
    const run = this.#once.get(number) ?? this.#implementation;
    this.#once.delete(number);
    let [result, error]: unknown[] = [];
    try {
      return (result = Reflect.apply(run, self, args));
    } catch (thrown) {
      error = thrown;
      throw thrown;
    } finally {
      this.#calls.push({ arguments: args, result, error, target: undefined, this: self });
    }
  }
}

const contexts: MockContext[] = [];

function mocked(implementation: AnyFunction, restore: (context: MockContext) => void): AnyFunction {
  const context = new MockContext(implementation, restore);
  contexts.push(context);
  const mock = function (this: unknown, ...args: unknown[]): unknown {
    if (new.target) refuse("new of a mock");
    return context.call(this, args);
  };
  return Object.assign(mock, { mock: context });
}

const takeNone = (what: string, options: unknown): void => {
  if (options !== undefined) refuse(`options of ${what}`);
};

function fn(...given: unknown[]): AnyFunction {
  const [original = () => undefined, implementation = original, options] = given as AnyFunction[];
  if (typeof original !== "function" || typeof implementation !== "function") refuse("options of mock.fn");
  takeNone("mock.fn", options);
  return mocked(implementation, (context) => context.mockImplementation(original));
}

function method(
  object: object,
  name: PropertyKey,
  implementation?: AnyFunction,
  options?: unknown,
): AnyFunction {
  const original = Reflect.get(object, name) as AnyFunction;
  const own = Object.getOwnPropertyDescriptor(object, name);
  if (implementation !== undefined && typeof implementation !== "function") refuse("options of mock.method");
  takeNone("mock.method", options);
  const mock = mocked(implementation ?? original, () => {
    if (own) Object.defineProperty(object, name, own);
    else Reflect.deleteProperty(object, name);
  });
  Object.defineProperty(object, name, { value: mock, configurable: true, writable: true });
  return mock;
}

const restoreAll = (): void => {
  for (const context of contexts.toReversed()) context.restore();
};

export const mock = {
  fn,
  method,
  restoreAll,
  reset: (): void => {
    restoreAll();
    contexts.length = 0;
  },
  getter: () => refuse("mock.getter"),
  setter: () => refuse("mock.setter"),
  module: () => refuse("mock.module"),
  property: () => refuse("mock.property"),
  get timers(): never {
    return refuse("mock.timers", "time is virtual here already");
  },
};
