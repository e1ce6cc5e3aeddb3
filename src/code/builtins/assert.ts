/** `node:assert` of Node 20; `npm run fuzz:assertions` compares it with the installed Node. */
import { noteAssertion } from "../world/failure.js";
import { inspect } from "../world/inspect.js";
import { isDeepEqual, isDeepStrictEqual } from "./deep-equal.js";

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
    noteAssertion(this);
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

export const ok = (...args: [value?: unknown, message?: Message]): void => {
  const [value, message] = args;
  const otherwise = args.length === 0 ? "no value was given" : `expected ${inspect(value)} to be truthy`;
  check(Boolean(value), message, otherwise, value, true);
};

type Comparing = (a: unknown, b: unknown, message?: Message) => void;

/** Compares two values. The assertions below are written out, because nodes with closures cannot be captured. */
function compare(
  args: Parameters<Comparing>,
  what: string,
  holds: (a: unknown, b: unknown) => boolean,
): void {
  const [a, b, message] = args;
  if (args.length < 2) throw invalid("ERR_MISSING_ARGS", "the arguments 'actual' and 'expected' are needed");
  check(holds(a, b), message, compared(a, what, b), a, b);
}

/** Node's legacy mode: `==`, and NaN equals NaN. */
const isLooselyEqual = (a: unknown, b: unknown): boolean => a == b || (Number.isNaN(a) && Number.isNaN(b)); // eslint-disable-line eqeqeq

export const equal: Comparing = (...args) => compare(args, "to equal", isLooselyEqual);
export const notEqual: Comparing = (...args) =>
  compare(args, "not to equal", (a, b) => !isLooselyEqual(a, b));
export const strictEqual: Comparing = (...args) => compare(args, "to be", Object.is);
export const notStrictEqual: Comparing = (...args) => compare(args, "not to be", (a, b) => !Object.is(a, b));
export const deepEqual: Comparing = (...args) => compare(args, "to equal", isDeepEqual);
export const notDeepEqual: Comparing = (...args) =>
  compare(args, "not to equal", (a, b) => !isDeepEqual(a, b));
export const deepStrictEqual: Comparing = (...args) => compare(args, "to strictly equal", isDeepStrictEqual);
export const notDeepStrictEqual: Comparing = (...args) =>
  compare(args, "not to strictly equal", (a, b) => !isDeepStrictEqual(a, b));

const invalid = (code: string, message: string): TypeError => Object.assign(new TypeError(message), { code });

type Matching = [text: string, pattern: RegExp, message?: Message];

function expectMatch([text, pattern, message]: Matching, what: string, isMatch: boolean): void {
  if (!isRegExp(pattern))
    throw invalid("ERR_INVALID_ARG_TYPE", `${inspect(pattern)} is not a regular expression`);
  const holds = typeof text === "string" && (exec.call(pattern, text) !== null) === isMatch;
  check(holds, message, compared(text, what, pattern), text, pattern);
}

export const match = (...args: Matching): void => expectMatch(args, "to match", true);
export const doesNotMatch = (...args: Matching): void => expectMatch(args, "not to match", false);

const { exec } = RegExp.prototype;
const isRegExp = (value: unknown): value is RegExp =>
  Object.prototype.toString.call(value) === "[object RegExp]";

export function fail(message: Message = "Failed"): never {
  throw message instanceof Error ? message : new AssertionError({ message });
}

export function ifError(value: unknown): void {
  if (value === null || value === undefined) return;
  const { message } = value as { message?: unknown };
  const what = typeof message === "string" ? message : inspect(value);
  throw new AssertionError({
    message: `ifError got unwanted exception: ${what}`,
    actual: value,
    expected: null,
    operator: "ifError",
  });
}

export function throws(run: () => unknown, ...args: Expectation): void {
  expectError(thrownBy(run), "exception", ...args);
}

export function doesNotThrow(run: () => unknown, ...args: Expectation): void {
  expectNoError(thrownBy(run), "exception", ...args);
}

type Later = Promise<unknown> | (() => Promise<unknown>);

export async function rejects(later: Later, ...args: Expectation): Promise<void> {
  expectError(await rejectionOf(later), "rejection", ...args);
}

export async function doesNotReject(later: Later, ...args: Expectation): Promise<void> {
  expectNoError(await rejectionOf(later), "rejection", ...args);
}

/** A class, a pattern for its text, a predicate, or an object with required properties; then a message. */
type Expectation = [expected?: unknown, message?: Message];
type Thrown = { readonly value: unknown } | undefined;

function thrownBy(run: () => unknown): Thrown {
  if (typeof run !== "function") throw invalid("ERR_INVALID_ARG_TYPE", `${inspect(run)} is no function`);
  try {
    run();
  } catch (value) {
    return { value };
  }
  return undefined;
}

async function rejectionOf(later: Later): Promise<Thrown> {
  const promise = typeof later === "function" ? (later() as unknown) : later;
  if (!isPromise(promise)) throw invalid("ERR_INVALID_ARG_TYPE", `${inspect(promise)} is no promise`);
  try {
    await promise;
  } catch (value) {
    // Node returns the caught value from an async function, so a rejected promise is unwrapped.
    return { value: await value };
  }
  return undefined;
}

function isPromise(value: unknown): boolean {
  if (value instanceof Promise) return true;
  const { then, catch: caught } = (value ?? {}) as { then?: unknown; catch?: unknown };
  return typeof value === "object" && typeof then === "function" && typeof caught === "function";
}

function expectError(thrown: Thrown, kind: string, ...args: Expectation): void {
  let [expected, message] = args;
  if (typeof expected === "string") {
    if (args.length > 1) throw invalid("ERR_INVALID_ARG_TYPE", "the expected error must not be a string");
    const { value } = thrown ?? {};
    const text = typeof value === "object" && value !== null ? (value as Error).message : value;
    if (thrown && text === expected)
      throw invalid(
        "ERR_AMBIGUOUS_ARGUMENT",
        `the error's message "${expected}" is identical to the message`,
      );
    message = expected;
    expected = undefined;
  } else if (expected !== null && !["object", "function", "undefined"].includes(typeof expected))
    throw invalid("ERR_INVALID_ARG_TYPE", `the expected error must not be ${inspect(expected)}`);
  if (!thrown) throw new AssertionError({ message: `Missing expected ${kind}${detail(message)}`, expected });
  if (expected) expectThis(thrown.value, expected, message);
}

function expectNoError(thrown: Thrown, kind: string, ...args: Expectation): void {
  if (!thrown) return;
  const isMessage = typeof args[0] === "string";
  const [expected, message] = isMessage ? [undefined, args[0] as string] : args;
  if (!expected || isMeant(thrown.value, expected)) {
    const said = (thrown.value as { message?: unknown } | null | undefined)?.message;
    const text = `Got unwanted ${kind}${detail(message)}\nActual message: "${String(said)}"`;
    throw new AssertionError({ message: text, actual: thrown.value, expected });
  }
  throw thrown.value;
}

const detail = (message: Message): string => (message ? `: ${String(message)}` : ".");

function isMeant(actual: unknown, expected: unknown): boolean {
  if (typeof expected === "function") return isByFunction(actual, expected as Judging);
  if (isRegExp(expected)) return exec.call(expected, String(actual)) !== null;
  throw invalid("ERR_INVALID_ARG_TYPE", `${inspect(expected)} is no function or regular expression`);
}

type Judging = { prototype?: unknown } & ((error: unknown) => unknown);

function isByFunction(actual: unknown, expected: Judging): boolean {
  if (expected.prototype !== undefined && actual instanceof (expected as never)) return true;
  return !Object.prototype.isPrototypeOf.call(Error, expected) && expected.call({}, actual) === true;
}

function expectThis(actual: unknown, expected: object, message: Message): void {
  const otherwise = `${inspect(actual)} is not the expected error`;
  if (typeof expected === "function") return expecting(isByFunction(actual, expected as Judging));
  if (isRegExp(expected)) return expecting(exec.call(expected, String(actual)) !== null);
  if (typeof actual !== "object" || actual === null) return expecting(false);
  const keys = Object.keys(expected);
  if (expected instanceof Error) keys.push("name", "message");
  else if (keys.length === 0)
    throw invalid("ERR_INVALID_ARG_VALUE", "the expected error may not be an empty object");
  return expecting(keys.every((key) => isSameKey(actual, expected, key)));

  function expecting(holds: boolean): void {
    check(holds, message, otherwise, actual, expected);
  }
}

function isSameKey(actual: object, expected: object, key: string): boolean {
  const [is, should] = [actual, expected].map((value) => (value as Record<string, unknown>)[key]);
  if (typeof is === "string" && isRegExp(should) && exec.call(should, is) !== null) return true;
  return key in actual && isDeepStrictEqual(is, should);
}

const assert = Object.assign((...args: Parameters<typeof ok>): void => ok(...args), {
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

/** In strict mode, loose comparisons are strict. */
export const strict = Object.assign((...args: Parameters<typeof ok>): void => ok(...args), assert, {
  equal: strictEqual,
  notEqual: notStrictEqual,
  deepEqual: deepStrictEqual,
  notDeepEqual: notDeepStrictEqual,
});

Object.assign(strict, { strict });

export default Object.assign(assert, { strict });
