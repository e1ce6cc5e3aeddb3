/** `vitest` inside the realm. */
import { refuse } from "../world/failure.js";
import { inspect } from "../world/inspect.js";
import { AssertionError, expect } from "./expect.js";
import { beforeAll, beforeEach, describe, test } from "./frameworks.js";
import { clearAll, fn, isMock, resetAll, restoreAll, spyOn } from "./mocks.js";
import { hookBefore, onTestFinished } from "./registry.js";

// Marked as pure, so that the bundle omits it unless the file imports it.

export const vi = /* @__PURE__ */ makeVi();

function makeVi(): object {
  return {
    fn,
    spyOn,
    isMockFunction: isMock,
    mocked: <T>(value: T): T => value,
    restoreAllMocks: restoreAll,
    clearAllMocks: clearAll,
    resetAllMocks: resetAll,
    ...stubs("Global", globalThis),
    ...stubs("Env", process.env),
    hoisted: <T>(make: () => T): T => make(),
    ...refusals(
      [
        ...["mock", "doMock", "unmock", "doUnmock"],
        ...["importActual", "importMock", "mockObject", "resetModules", "dynamicImportSettled"],
      ],
      "modules are mocked by the framework's own loader; give the code its services by world.service, or use { realm: 'host' }",
    ),
    ...refusals(
      [
        ...["useFakeTimers", "isFakeTimers", "useRealTimers", "setSystemTime", "getMockedSystemTime"],
        ...["getRealSystemTime", "advanceTimersByTime", "advanceTimersByTimeAsync", "runAllTimers"],
        ...["runAllTimersAsync", "runAllTicks", "runOnlyPendingTimers", "runOnlyPendingTimersAsync"],
        ...["advanceTimersToNextTimer", "advanceTimersToNextTimerAsync", "advanceTimersToNextFrame"],
        ...["clearAllTimers", "getTimerCount", "setTimerTickMode", "waitFor", "waitUntil"],
      ],
      "time is virtual here already: timers fire by themselves, in every order that is possible",
    ),
    ...refusals(["defineHelper", "setConfig", "resetConfig"], "a world does not have it"),
  };
}

/** `stubGlobal` and `unstubAllGlobals`, `stubEnv` and `unstubAllEnvs`. */
function stubs(what: "Global" | "Env", owner: object): object {
  const before = new Map<string, PropertyDescriptor | undefined>();
  const remember = (name: string): void => {
    if (!before.has(name)) before.set(name, Object.getOwnPropertyDescriptor(owner, name));
  };
  return {
    [`stub${what}`]: (name: string, value: unknown): void => {
      remember(name);
      Reflect.set(owner, name, value);
    },
    [`unstubAll${what}s`]: (): void => {
      for (const [name, property] of before)
        if (property) Object.defineProperty(owner, name, property);
        else Reflect.deleteProperty(owner, name);
      before.clear();
    },
  };
}

function refusals(names: readonly string[], why: string): object {
  return Object.fromEntries(names.map((name) => [name, () => refuse(`vi.${name}`, why)]));
}

export const vitest = vi;
export const it = test;
export const suite = describe;
export const afterEach = (run: (context: never) => unknown): void => hookBefore("afterEach", run);
export const afterAll = (run: (context: never) => unknown): void => hookBefore("afterAll", run);
export const onTestFailed = (): void => {};
export const inject = (): never => refuse("inject");
export const bench = (): void => {};
export const expectTypeOf = (): unknown =>
  new Proxy(() => undefined, { get: () => expectTypeOf(), apply: () => expectTypeOf() });
export const assertType = (): void => {};
export const assert = /* @__PURE__ */ makeAssert();
export const chai = /* @__PURE__ */ refusing("chai");
export const should = /* @__PURE__ */ refusing("should");
export const createExpect = /* @__PURE__ */ refusing("createExpect");
export const aroundEach = /* @__PURE__ */ refusing("aroundEach");
export const aroundAll = /* @__PURE__ */ refusing("aroundAll");
export const recordArtifact = /* @__PURE__ */ refusing("recordArtifact");

function refusing(name: string): object {
  const refused = (): never => refuse(`${name} of vitest`);
  return new Proxy(refused, { get: refused });
}

/** A part of chai's `assert`; deep comparisons are in `expect` and `node:assert`. */
function makeAssert(): object {
  type Test = (a: unknown, b: unknown) => boolean;
  const asserting =
    (what: string, holds: Test) =>
    (a: unknown, b?: unknown, message?: unknown): void => {
      const isOfOne = holds.length < 2;
      const text = (isOfOne ? b : message) as string | undefined;
      if (!holds(a, b))
        throw new AssertionError(
          text ?? `expected ${inspect(a)} to ${what}${isOfOne ? "" : ` ${inspect(b)}`}`,
          a,
          b,
        ); // sound: test/code/collect.test.ts
    };
  const isOk = asserting("be truthy", (a) => Boolean(a));
  const isNotOk = asserting("be falsy", (a) => !a);
  const known: Record<string, unknown> = {
    ok: isOk,
    isOk,
    notOk: isNotOk,
    isNotOk,
    // chai compares with `==` here.
    equal: asserting("equal", (a, b) => a == b), // eslint-disable-line eqeqeq
    notEqual: asserting("not equal", (a, b) => a != b), // eslint-disable-line eqeqeq
    strictEqual: asserting("be", (a, b) => a === b),
    notStrictEqual: asserting("not be", (a, b) => a !== b),
    isTrue: asserting("be true", (a) => a === true),
    isFalse: asserting("be false", (a) => a === false),
    isNull: asserting("be null", (a) => a === null),
    isUndefined: asserting("be undefined", (a) => a === undefined),
    isDefined: asserting("be defined", (a) => a !== undefined),
  };
  return new Proxy(isOk, {
    get: (_target, key) =>
      known[String(key)] ?? refuse(`assert.${String(key)} of vitest`, "use expect or node:assert"),
  });
}

export { beforeAll, beforeEach, describe, expect, onTestFinished, test };
