/** `node:test` inside the realm. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "./frameworks.js";
import { mock } from "./node-mocks.js";

export const it = test;
export const suite = describe;
export { afterAll as after, afterEach, beforeAll as before, beforeEach, describe, mock, test };
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
