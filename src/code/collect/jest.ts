/** `@jest/globals` inside the realm; the same names are global there, as in Jest. */
import { refuse } from "../world/failure.js";
import { expect } from "./expect.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "./frameworks.js";
import { clearAll, fn, isMock, resetAll, resetting, restoreAll, spyOn } from "./mocks.js";

resetting.makesEmpty = true;

/** Its functions return it where Jest's do. */
export const jest: Record<string, unknown> = {
  fn,
  spyOn,
  isMockFunction: isMock,
  mocked: <T>(value: T): T => value,
  clearAllMocks: () => (clearAll(), jest),
  resetAllMocks: () => (resetAll(), jest),
  restoreAllMocks: () => (restoreAll(), jest),
  // The checker sets time limits of tests.
  setTimeout: () => jest,
  retryTimes: () => jest,
};
for (const name of [
  ...[
    "mock",
    "doMock",
    "unmock",
    "dontMock",
    "deepUnmock",
    "setMock",
    "unstable_mockModule",
    "unstable_unmockModule",
  ],
  ...["requireActual", "requireMock", "createMockFromModule", "resetModules", "isolateModules"],
  ...[
    "isolateModulesAsync",
    "onGenerateMock",
    "autoMockOn",
    "autoMockOff",
    "enableAutomock",
    "disableAutomock",
  ],
  ...["replaceProperty", "useFakeTimers", "useRealTimers", "advanceTimersByTime", "advanceTimersByTimeAsync"],
  ...[
    "advanceTimersToNextTimer",
    "advanceTimersToNextTimerAsync",
    "advanceTimersToNextFrame",
    "runAllTimers",
  ],
  ...[
    "runAllTimersAsync",
    "runAllTicks",
    "runAllImmediates",
    "runOnlyPendingTimers",
    "runOnlyPendingTimersAsync",
  ],
  ...[
    "clearAllTimers",
    "getTimerCount",
    "setTimerTickMode",
    "setSystemTime",
    "getRealSystemTime",
    "now",
    "getSeed",
  ],
  ...["isEnvironmentTornDown"],
])
  jest[name] = () => refuse(`jest.${name}`, "use { realm: 'host' }");

export const it = test;
export const fit = test["only"];
export const xit = test["skip"];
export const xtest = test["skip"];
export const fdescribe = describe["only"];
export const xdescribe = describe["skip"];
export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test };

Object.assign(globalThis, {
  ...{ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test },
  ...{ fit, xit, xtest, fdescribe, xdescribe },
});
