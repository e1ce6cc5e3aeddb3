/** `node:assert/strict`. */
import { strict } from "./assert.js";

export const { ok, equal, notEqual, strictEqual, notStrictEqual, deepEqual, notDeepEqual, deepStrictEqual } =
  strict;
export const { notDeepStrictEqual, match, doesNotMatch, fail, ifError, throws, doesNotThrow, rejects } =
  strict;
export const { doesNotReject, AssertionError } = strict;
export { strict };
export default strict;
