/** `@jest/globals` inside the realm; the same names are global there, as Jest makes them. */
import { refuse } from "../world/failure.js";
import { expect } from "./expect.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "./frameworks.js";
import { fn, isMock, restoreAll, spyOn } from "./mocks.js";

export const jest = {
  fn,
  spyOn,
  isMockFunction: isMock,
  restoreAllMocks: restoreAll,
  ...Object.fromEntries(
    ["mock", "unmock", "requireActual", "useFakeTimers", "advanceTimersByTime", "runAllTimers"].map(
      (name) => [name, () => refuse(`jest.${name}`, "use { realm: 'host' }")],
    ),
  ),
};
export const it = test;
export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test };

Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test });
