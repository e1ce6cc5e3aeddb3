/** Functions that remember their calls: `vi.fn`, `jest.fn`, `mock.fn`. */

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

export interface MockState {
  calls: unknown[][];
  results: { type: "return" | "throw"; value: unknown }[];
  instances: unknown[];
  readonly lastCall: unknown[] | undefined;
}

export interface MockFunction extends AnyFunction {
  readonly mock: MockState;
  [method: string]: unknown;
}

export const isMock = (value: unknown): value is MockFunction =>
  typeof value === "function" && "mock" in value && typeof value.mock === "object";

export function fn(implementation?: AnyFunction): MockFunction {
  let usual = implementation;
  const once: AnyFunction[] = [];
  const state: MockState = {
    calls: [],
    results: [],
    instances: [],
    get lastCall() {
      return state.calls.at(-1);
    },
  };
  const mock = function (this: unknown, ...args: unknown[]): unknown {
    state.calls.push(args);
    state.instances.push(this);
    const run = once.shift() ?? usual;
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
    mockClear: chain(clear),
    mockReset: chain(() => {
      clear();
      once.length = 0;
      usual = implementation;
    }),
    mockName: chain(() => {}),
    getMockName: () => "mock",
  });
  return mock;
}

const spies: (() => void)[] = [];

export function spyOn(object: object, name: PropertyKey): MockFunction {
  const original = Object.getOwnPropertyDescriptor(object, name);
  const real = Reflect.get(object, name) as AnyFunction;
  const spy = fn(real);
  const restore = (): void => {
    if (original) Object.defineProperty(object, name, original);
    else Reflect.deleteProperty(object, name);
  };
  spies.push(restore);
  spy["mockRestore"] = restore;
  Object.defineProperty(object, name, { value: spy, configurable: true, writable: true });
  return spy;
}

export function restoreAll(): void {
  for (const restore of spies.splice(0)) restore();
}
