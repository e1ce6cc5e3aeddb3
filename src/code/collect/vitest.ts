/** `vitest` inside the realm. */
import { refuse } from "../world/failure.js";
import { AssertionError, expect } from "./expect.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "./frameworks.js";
import { fn, isMock, restoreAll, spyOn } from "./mocks.js";

// What a file does not import is not made: calls that are marked as pure are left out of its bundle.

export const vi = /* @__PURE__ */ makeVi();

function makeVi(): object {
  return {
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
    ...refusals(
      [
        ...["mock", "doMock", "unmock", "doUnmock"],
        ...["importActual", "importMock", "resetModules", "dynamicImportSettled"],
      ],
      "modules are mocked by the framework's own loader; give the code its services by world.service, or use { realm: 'host' }",
    ),
    ...refusals(
      [
        ...["useFakeTimers", "useRealTimers", "setSystemTime", "advanceTimersByTime"],
        ...["advanceTimersByTimeAsync", "runAllTimers", "runAllTimersAsync", "runOnlyPendingTimers"],
        ...["advanceTimersToNextTimer", "waitFor", "waitUntil"],
      ],
      "time is virtual here already: timers fire by themselves, in every order that is possible",
    ),
  };
}

function refusals(names: readonly string[], why: string): object {
  return Object.fromEntries(names.map((name) => [name, () => refuse(`vi.${name}`, why)]));
}

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
export const assert = /* @__PURE__ */ Object.assign(
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
