/** `node:assert`. */
import { equals } from "../collect/equality.js";
import { inspect } from "../world/inspect.js";

type Message = string | Error | undefined;

export class AssertionError extends Error {
  override readonly name = "AssertionError";
  readonly code = "ERR_ASSERTION";
  readonly actual: unknown;
  readonly expected: unknown;
  readonly operator: string;

  constructor(options: { message?: string; actual?: unknown; expected?: unknown; operator?: string }) {
    super(options.message ?? "Failed");
    this.actual = options.actual;
    this.expected = options.expected;
    this.operator = options.operator ?? "fail";
  }
}

function check(
  holds: boolean,
  message: Message,
  otherwise: string,
  actual?: unknown,
  expected?: unknown,
): void {
  if (holds) return;
  if (message instanceof Error) throw message;
  throw new AssertionError({ message: message ?? otherwise, actual, expected });
}

const compared = (a: unknown, what: string, b: unknown): string =>
  `expected ${inspect(a)} ${what} ${inspect(b)}`;

export const ok = (value: unknown, message?: Message): void =>
  check(Boolean(value), message, `expected ${inspect(value)} to be truthy`, value, true);
export const equal = (a: unknown, b: unknown, message?: Message): void =>
  // As Node's legacy mode does: == and NaN.
  check(a == b || (Number.isNaN(a) && Number.isNaN(b)), message, compared(a, "to equal", b), a, b); // eslint-disable-line eqeqeq
export const notEqual = (a: unknown, b: unknown, message?: Message): void =>
  check(a != b, message, compared(a, "not to equal", b), a, b); // eslint-disable-line eqeqeq
export const strictEqual = (a: unknown, b: unknown, message?: Message): void =>
  check(Object.is(a, b), message, compared(a, "to be", b), a, b);
export const notStrictEqual = (a: unknown, b: unknown, message?: Message): void =>
  check(!Object.is(a, b), message, compared(a, "not to be", b), a, b);
export const deepEqual = (a: unknown, b: unknown, message?: Message): void =>
  check(equals(a, b, false), message, compared(a, "to equal", b), a, b);
export const notDeepEqual = (a: unknown, b: unknown, message?: Message): void =>
  check(!equals(a, b, false), message, compared(a, "not to equal", b), a, b);
export const deepStrictEqual = (a: unknown, b: unknown, message?: Message): void =>
  check(equals(a, b, true), message, compared(a, "to strictly equal", b), a, b);
export const notDeepStrictEqual = (a: unknown, b: unknown, message?: Message): void =>
  check(!equals(a, b, true), message, compared(a, "not to strictly equal", b), a, b);
export const match = (text: string, pattern: RegExp, message?: Message): void =>
  check(pattern.test(text), message, compared(text, "to match", pattern), text, pattern);
export const doesNotMatch = (text: string, pattern: RegExp, message?: Message): void =>
  check(!pattern.test(text), message, compared(text, "not to match", pattern), text, pattern);

export function fail(message: Message = "Failed"): never {
  throw message instanceof Error ? message : new AssertionError({ message });
}

export function ifError(value: unknown): void {
  if (value !== null && value !== undefined) throw value;
}

export function throws(run: () => unknown, expected?: unknown, message?: Message): void {
  try {
    run();
  } catch (error) {
    return check(isExpected(error, expected), message, `${inspect(String(error))} is not the expected error`);
  }
  check(false, typeof expected === "string" ? expected : message, "expected a function that throws");
}

export function doesNotThrow(run: () => unknown, message?: Message): void {
  try {
    run();
  } catch (error) {
    check(false, message, `expected a function that does not throw, it threw ${inspect(String(error))}`);
  }
}

type Later = Promise<unknown> | (() => Promise<unknown>);

export async function rejects(later: Later, expected?: unknown, message?: Message): Promise<void> {
  try {
    await (typeof later === "function" ? later() : later);
  } catch (error) {
    return check(isExpected(error, expected), message, `${inspect(String(error))} is not the expected error`);
  }
  check(false, typeof expected === "string" ? expected : message, "expected a promise that rejects");
}

export async function doesNotReject(later: Later, message?: Message): Promise<void> {
  try {
    await (typeof later === "function" ? later() : later);
  } catch (error) {
    check(false, message, `expected a promise that resolves, it was rejected with ${inspect(String(error))}`);
  }
}

/** By its class, a pattern for its text, a predicate, or an object whose keys it must have. */
function isExpected(error: unknown, expected: unknown): boolean {
  if (expected === undefined || typeof expected === "string") return true;
  if (expected instanceof RegExp) return expected.test(String(error));
  if (typeof expected === "function") {
    const made = expected as { prototype?: unknown } & ((error: unknown) => unknown);
    if (made.prototype !== undefined && error instanceof (made as never)) return true;
    return Error.isPrototypeOf.call(Error, made) || made === (Error as unknown)
      ? false
      : made(error) === true;
  }
  if (typeof expected !== "object" || expected === null) return false;
  return Object.entries(expected).every(([key, value]) => {
    const actual = (error as Record<string, unknown>)[key];
    return value instanceof RegExp && typeof actual === "string"
      ? value.test(actual)
      : equals(actual, value, true);
  });
}

const assert = Object.assign((value: unknown, message?: Message): void => ok(value, message), {
  ...{
    AssertionError,
    ok,
    equal,
    notEqual,
    strictEqual,
    notStrictEqual,
    deepEqual,
    notDeepEqual,
    deepStrictEqual,
  },
  ...{ notDeepStrictEqual, match, doesNotMatch, fail, ifError, throws, doesNotThrow, rejects, doesNotReject },
});

/** In strict mode the loose comparisons are the strict ones. */
export const strict = Object.assign((value: unknown, message?: Message): void => ok(value, message), assert, {
  equal: strictEqual,
  notEqual: notStrictEqual,
  deepEqual: deepStrictEqual,
  notDeepEqual: notDeepStrictEqual,
});

export default assert;
