/** `vitest` inside the realm. */
import { refuse } from "../world/failure.js";
import { AssertionError, expect } from "./expect.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "./frameworks.js";
import { fn, isMock, restoreAll, spyOn } from "./mocks.js";

const whyNotMocked =
  "modules are mocked by the framework's own loader; give the code its services by world.service, or use { realm: 'host' }";
const whyNoFakeTimers =
  "time is virtual here already: timers fire by themselves, in every order that is possible";

export const vi = {
  fn,
  spyOn,
  isMockFunction: isMock,
  mocked: <T>(value: T): T => value,
  restoreAllMocks: restoreAll,
  clearAllMocks: (): void => {},
  resetAllMocks: (): void => {},
  stubGlobal: (name: string, value: unknown): void => void Reflect.set(globalThis, name, value),
  unstubAllGlobals: (): void => {},
  hoisted: <T>(make: () => T): T => make(),
  ...Object.fromEntries(
    [
      "mock",
      "doMock",
      "unmock",
      "doUnmock",
      "importActual",
      "importMock",
      "resetModules",
      "dynamicImportSettled",
    ].map((name) => [name, () => refuse(`vi.${name}`, whyNotMocked)]),
  ),
  ...Object.fromEntries(
    [
      ...[
        "useFakeTimers",
        "useRealTimers",
        "setSystemTime",
        "advanceTimersByTime",
        "advanceTimersByTimeAsync",
      ],
      ...[
        "runAllTimers",
        "runAllTimersAsync",
        "runOnlyPendingTimers",
        "advanceTimersToNextTimer",
        "waitFor",
        "waitUntil",
      ],
    ].map((name) => [name, () => refuse(`vi.${name}`, whyNoFakeTimers)]),
  ),
};

export const vitest = vi;
export const it = test;
export const suite = describe;
export const onTestFinished = (): void => {};
export const onTestFailed = (): void => {};
export const inject = (): never => refuse("inject");
export const bench = (): void => {};
export const expectTypeOf = (): unknown =>
  new Proxy(() => undefined, { get: () => expectTypeOf(), apply: () => expectTypeOf() });
export const assertType = (): void => {};
export const assert = Object.assign(
  (condition: unknown, message = "assertion failed"): void => {
    if (!condition) throw new AssertionError(message);
  },
  {
    ok: (value: unknown, message?: string) => expect(value, message)["toBeTruthy"],
    equal: (a: unknown, b: unknown, message = `expected ${String(a)} to equal ${String(b)}`) => {
      if (a !== b) throw new AssertionError(message, a, b);
    },
    strictEqual: (a: unknown, b: unknown, message = `expected ${String(a)} to equal ${String(b)}`) => {
      if (!Object.is(a, b)) throw new AssertionError(message, a, b);
    },
  },
);
export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test };
