/** Functions that record their calls: `vi.fn`, `jest.fn`. Unsupported members are refused by name. */
import { refuse } from "../world/failure.js";

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

export interface MockState {
  calls: unknown[][];
  results: { type: "return" | "throw"; value: unknown }[];
  instances: unknown[];
  contexts: unknown[];
  /** Numbers of its calls in the sequence of all mock calls. */
  invocationCallOrder: number[];
  readonly lastCall: unknown[] | undefined;
}

export interface MockFunction extends AnyFunction {
  readonly mock: MockState;
  [method: string]: unknown;
}

export const isMock = (value: unknown): value is MockFunction =>
  typeof value === "function" && "mock" in value && typeof value.mock === "object";

const made: MockFunction[] = [];
let calls = 0;

/** A reset removes the implementation of Jest's mocks, and restores the original one of Vitest's. */
export const resetting = { makesEmpty: false };

export function fn(implementation?: AnyFunction): MockFunction {
  let usual = implementation;
  const once: AnyFunction[] = [];
  const state: MockState = {
    calls: [],
    results: [],
    instances: [],
    contexts: [],
    invocationCallOrder: [],
    get lastCall() {
      return state.calls.at(-1);
    },
  };
  const mock = function (this: unknown, ...args: unknown[]): unknown {
    state.calls.push(args);
    state.instances.push(this);
    state.contexts.push(this);
    state.invocationCallOrder.push(++calls);
    const run = once.shift() ?? usual;
    if (new.target && run) refuse("new of a mock that has an implementation");
    try {
      const value = run?.apply(this, args);
      state.results.push({ type: "return", value });
      return value;
    } catch (error) {
      state.results.push({ type: "throw", value: error });
      throw error;
    }
  } as MockFunction;
  const clear = (): void => {
    state.calls = [];
    state.results = [];
    state.instances = [];
    state.contexts = [];
    state.invocationCallOrder = [];
  };
  const reset = (): void => {
    clear();
    once.length = 0;
    usual = resetting.makesEmpty ? undefined : implementation; // sound: test/code/collect.test.ts
  };
  const chain =
    (change: (...args: never[]) => void) =>
    (...args: unknown[]): MockFunction => {
      change(...(args as never[]));
      return mock;
    };
  Object.assign(mock, {
    mock: state,
    mockImplementation: chain((run: AnyFunction) => (usual = run)),
    mockImplementationOnce: chain((run: AnyFunction) => once.push(run)),
    mockReturnValue: chain((value: unknown) => (usual = () => value)),
    mockReturnValueOnce: chain((value: unknown) => once.push(() => value)),
    mockResolvedValue: chain((value: unknown) => (usual = async () => value)),
    mockResolvedValueOnce: chain((value: unknown) => once.push(async () => value)),
    mockRejectedValue: chain((error: unknown) => (usual = () => Promise.reject(error as Error))),
    mockRejectedValueOnce: chain((error: unknown) => once.push(() => Promise.reject(error as Error))),
    mockReturnThis: chain(
      () =>
        (usual = function (this: unknown) {
          return this;
        }),
    ),
    mockClear: chain(clear),
    mockReset: chain(reset),
    mockRestore: chain(reset),
    mockName: chain(() => {}),
    getMockName: () => "mock",
    getMockImplementation: () => once[0] ?? usual,
  });
  for (const name of ["withImplementation", "mockThrow", "mockThrowOnce"])
    mock[name] = () => refuse(`mock.${name}`);
  made.push(mock);
  return mock;
}

const spies: MockFunction[] = [];

export function spyOn(object: object, name: PropertyKey, access?: unknown): MockFunction {
  if (access !== undefined) refuse("spyOn of a getter or setter"); // sound: test/code/collect.test.ts
  const original = Object.getOwnPropertyDescriptor(object, name);
  const real = Reflect.get(object, name) as AnyFunction;
  if (isMock(real)) return real; // sound: test/code/collect.test.ts
  const spy = fn(real);
  const reset = spy["mockReset"] as () => MockFunction;
  spy["mockRestore"] = (): MockFunction => {
    if (original) Object.defineProperty(object, name, original);
    else Reflect.deleteProperty(object, name);
    return reset();
  };
  spies.push(spy);
  Object.defineProperty(object, name, { value: spy, configurable: true, writable: true });
  return spy;
}

const call = (mocks: readonly MockFunction[], method: string): void => {
  for (const mock of mocks) (mock[method] as () => void)();
};

export const clearAll = (): void => call(made, "mockClear"); // sound: test/code/collect.test.ts
export const resetAll = (): void => call(made, "mockReset"); // sound: test/code/collect.test.ts
export const restoreAll = (): void => call(spies.splice(0), "mockRestore"); // sound: test/code/collect.test.ts
