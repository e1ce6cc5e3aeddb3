/** `node:test` inside the realm. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "./frameworks.js";
import { fn, restoreAll, spyOn } from "./mocks.js";

export const mock = { fn, method: spyOn, restoreAll, reset: restoreAll };
export const it = test;
export const suite = describe;
export { afterAll as after, afterEach, beforeAll as before, beforeEach, describe, test };
export default Object.assign(test, {
  test,
  it,
  describe,
  suite,
  beforeEach,
  afterEach,
  before: beforeAll,
  after: afterAll,
  mock,
});
