/**
 * `expect` inside the realm. Equality and asymmetric matchers are Vitest's code (`vitest-equality.ts`); the other
 * matchers are ours, since loading Vitest's for every schedule takes several milliseconds, and these some microseconds:
 * `npm run fuzz:assertions` compares them. Missing matchers are refused by name.
 */
import { noteAssertion, refuse } from "../world/failure.js";
import { inspect } from "../world/inspect.js";
import {
  Any,
  Anything,
  ArrayContaining,
  CloseTo,
  ObjectContaining,
  StringContaining,
  StringMatching,
  arrayBufferEquality,
  equals as vitestEquals,
  isAsymmetric,
  iterableEquality,
  sparseArrayEquality,
  subsetEquality,
  typeEquality,
} from "./vitest-equality.js";
import { isMock, type MockFunction } from "./mocks.js";

/** An asymmetric matcher: `expect.any(Number)`. */
interface Asymmetric {
  asymmetricMatch(other: unknown): boolean;
}

export class AssertionError extends Error {
  override readonly name = "AssertionError";
  readonly actual: unknown;
  readonly expected: unknown;

  constructor(message: string, actual?: unknown, expected?: unknown) {
    super(message);
    this.actual = actual;
    this.expected = expected;
    noteAssertion(this);
  }
}

/** The result, and the expectation in words: `to be 3`. */
interface Outcome {
  readonly holds: boolean;
  readonly what: string;
  readonly expected?: unknown;
  /** Neither the assertion nor its negation fails. */
  readonly isVoid?: boolean;
}

type Matcher = (actual: unknown, ...args: never[]) => Outcome;

const is = (holds: boolean, what: string, expected?: unknown): Outcome => ({ holds, what, expected });

const equals = vitestEquals as (
  a: unknown,
  b: unknown,
  testers: readonly unknown[],
  isStrict?: boolean,
) => boolean;

const isEqual = (a: unknown, b: unknown): boolean => equals(a, b, [iterableEquality]);
const isStrictlyEqual = (a: unknown, b: unknown): boolean =>
  equals(a, b, [iterableEquality, typeEquality, sparseArrayEquality, arrayBufferEquality], true);

/** Without a prototype: creating a large object in a realm is then much faster. */
const matchers: Record<`to${string}`, Matcher> & { readonly __proto__: null } = {
  __proto__: null,
  toBe: (a, b: unknown) => is(Object.is(a, b), `to be ${inspect(b)}`, b),
  toEqual: (a, b: unknown) => is(isEqual(a, b), `to equal ${inspect(b)}`, b),
  toStrictEqual: (a, b: unknown) => is(isStrictlyEqual(a, b), `to strictly equal ${inspect(b)}`, b),
  toMatchObject: (a, b: unknown) =>
    is(equals(a, b, [iterableEquality, subsetEquality]), `to match ${inspect(b)}`, b),
  toBeTruthy: (a) => is(Boolean(a), "to be truthy"),
  toBeFalsy: (a) => is(!a, "to be falsy"),
  toBeNull: (a) => is(a === null, "to be null"),
  toBeUndefined: (a) => is(a === undefined, "to be undefined"),
  toBeDefined: (a) => is(a !== undefined, "to be defined"),
  toBeNullable: (a) => is(a === undefined || a === null, "to be null or undefined"),
  toBeNaN: (a) => is(Number.isNaN(a), "to be NaN"),
  toBeGreaterThan: (a, b: number) => is(number(a) > number(b), `to be greater than ${b}`, b),
  toBeGreaterThanOrEqual: (a, b: number) => is(number(a) >= number(b), `to be at least ${b}`, b),
  toBeLessThan: (a, b: number) => is(number(a) < number(b), `to be less than ${b}`, b),
  toBeLessThanOrEqual: (a, b: number) => is(number(a) <= number(b), `to be at most ${b}`, b),
  toBeCloseTo: (a, b: number, digits: number = 2) =>
    is(isClose(a as number, b, digits), `to be close to ${inspect(b)}`, b),
  toBeInstanceOf: (a, b: { name: string }) => {
    if (
      typeof b !== "function" &&
      typeof (b as { [Symbol.hasInstance]?: unknown } | null)?.[Symbol.hasInstance] !== "function"
    )
      throw new AssertionError(`toBeInstanceOf needs a constructor, and got ${inspect(b)}`);
    return is(a instanceof (b as never), `to be an instance of ${inspect(b)}`);
  },
  toBeTypeOf: (a, b: string) => is(typeof a === b, `to be of type ${inspect(b)}`, b),
  toBeOneOf: (a, b: unknown) => {
    if (!Array.isArray(b) && !(b instanceof Set)) throw new TypeError("toBeOneOf needs an array or a set");
    const all = [...b] as unknown[];
    const holds = all.length === 0 || all.some((x) => Object.is(x, a) || equals(x, a, []));
    return is(holds, `to be one of ${inspect(b)}`);
  },
  toSatisfy: (a, test: (value: unknown) => boolean) => is(Boolean(test(a)), "to satisfy the predicate"),
  toContain: (a, b: unknown) => contains(a, b),
  toContainEqual: (a, b: unknown) =>
    is(
      Array.from(a as Iterable<unknown>).some((x) => equals(x, b, [])),
      `to contain ${inspect(b)}`,
      b,
    ),
  toHaveLength: (a, b: number) => is(isLength(a, b), `to have length ${inspect(b)}`, b),
  toHaveProperty: (a, path: string | PropertyKey[], ...value: unknown[]) => {
    const found = lookUp(a, path);
    const holds = found.isThere && (value.length === 0 || equals(value[0], found.value, []));
    return is(holds, `to have the property ${inspect(path)}${value.length ? ` ${inspect(value[0])}` : ""}`);
  },
  toMatch: (a, b: string | RegExp) => {
    if (typeof a !== "string") throw new TypeError(`toMatch expects a string, and got ${typeof a}`);
    return is(typeof b === "string" ? a.includes(b) : Boolean(a.match(b)), `to match ${inspect(b)}`, b);
  },
  toThrow: (a, b?: unknown) => throws(a, b),
  toThrowError: (a, b?: unknown) => throws(a, b),
  toHaveBeenCalled: (a) => is(calls(a).length > 0, "to have been called"),
  toHaveBeenCalledOnce: (a) =>
    is(calls(a).length === 1, `to have been called once, not ${calls(a).length} times`),
  toHaveBeenCalledTimes: (a, n: number) =>
    is(calls(a).length === n, `to have been called ${n} times, not ${calls(a).length}`, n),
  toHaveBeenCalledWith: (a, ...args: unknown[]) =>
    is(
      calls(a).some((call) => areArguments(call, args)),
      `to have been called with ${inspect(args)}`,
      args,
    ),
  toHaveBeenLastCalledWith: (a, ...args: unknown[]) =>
    is(areArguments(calls(a).at(-1), args), `to have been last called with ${inspect(args)}`, args),
  toHaveBeenNthCalledWith: (a, n: number, ...args: unknown[]) =>
    is(areArguments(calls(a)[n - 1], args), `to have been called with ${inspect(args)} at call ${n}`, args),
  toHaveReturnedWith: (a, b: unknown) => {
    void calls(a);
    const { results } = (a as MockFunction).mock;
    const holds = results.some(({ type, value }) => type === "return" && equals(b, value, []));
    return is(holds, `to have returned ${inspect(b)}`, b);
  },
};

function number(value: unknown): number {
  if (typeof value === "number" || typeof value === "bigint") return value as number;
  throw new TypeError(`a number or a bigint is compared, and got ${typeof value}`);
}

const isClose = (a: number, b: number, digits: number): boolean =>
  (a === b && Math.abs(a) === Infinity) || Math.abs(a - b) < 10 ** -digits / 2;

/** Element by element: an asymmetric matcher may match an undefined one. */
const areArguments = (call: readonly unknown[] | undefined, args: readonly unknown[]): boolean =>
  call !== undefined &&
  call.length === args.length &&
  call.every((argument, i) => isEqual(argument, args[i]));

function contains(whole: unknown, part: unknown): Outcome {
  const contains = (holds: boolean): Outcome => is(holds, `to contain ${inspect(part)}`, part);
  if (typeof whole === "string") return contains(whole.indexOf(part as string) >= 0);
  if (whole !== null && whole !== undefined)
    return contains(Array.from(whole as Iterable<unknown>).indexOf(part) >= 0);
  // chai then reads the keys of the part.
  if (part !== Object(part) || Object.keys(part as object).length > 0)
    throw new AssertionError(`expected ${inspect(whole)} to have something in it`);
  return { ...contains(true), isVoid: true };
}

function isLength(value: unknown, length: unknown): boolean {
  if (value instanceof Map || value instanceof Set) return value.size == length; // eslint-disable-line eqeqeq
  if (value === null || value === undefined || !("length" in Object(value)))
    throw new AssertionError(`expected ${inspect(value)} to have a length`);
  return (value as { length: unknown }).length == length; // eslint-disable-line eqeqeq
}

/** Paths in chai's syntax: `a.b[0]`, with backslashes before dots and brackets of a name. */
function lookUp(value: unknown, path: string | PropertyKey[]): { isThere: boolean; value: unknown } {
  const text = Array.isArray(path)
    ? path.map((key) => String(key).replace(/([.[\]])/g, "\\$1")).join(".")
    : path;
  if (Object.hasOwn(value as object, text))
    return { isThere: true, value: (value as Record<PropertyKey, unknown>)[text] };
  const parts =
    String(text)
      .replace(/([^\\])\[/g, "$1.[")
      .match(/(\\\.|[^.]+?)+/g) ?? [];
  let at = value;
  let isThere = false;
  for (const part of parts) {
    if (at === null || at === undefined) return { isThere: false, value: undefined };
    const key = /^\[(\d+)\]$/.exec(part)?.[1] ?? part.replace(/\\([.[\]])/g, "$1");
    isThere = key in Object(at);
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return { isThere, value: at };
}

function throws(run: unknown, expected: unknown): Outcome {
  const isOfMessage = expected === undefined || typeof expected === "string" || expected instanceof RegExp;
  if (typeof run !== "function" && isOfMessage)
    throw new AssertionError(`expected ${inspect(run)} to be a function`);
  let thrown: { readonly value: unknown } | undefined;
  try {
    (run as () => unknown)();
  } catch (value) {
    thrown = { value };
  }
  if (!isOfMessage) mustBeExpectable(expected);
  if (!thrown) return is(false, "to throw");
  // chai inspects the message of truthy values, and ignores others.
  if (isOfMessage && expected !== undefined && !thrown.value)
    return { ...is(true, "to throw"), isVoid: true };
  return is(
    matchesError(thrown.value, expected),
    `to throw ${inspect(expected)}, not ${inspect(thrown.value)}`,
  );
}

/** Vitest reads the name of a class, and tests for a matcher, even if nothing was thrown. */
function mustBeExpectable(expected: unknown): void {
  if (expected === null) throw new TypeError("toThrow cannot expect null");
  if (typeof expected !== "function" || expected.name) return;
  void (expected.prototype as { constructor: { name: string } }).constructor.name;
}

function matchesError(error: unknown, expected: unknown): boolean {
  if (expected === undefined) return true;
  if (typeof expected === "string" || expected instanceof RegExp) {
    const message = typeof error === "string" ? error : (error as { message?: unknown } | null)?.message;
    const pattern = expected === "" ? /^$/ : expected;
    return typeof pattern === "string"
      ? typeof message === "string" && message.includes(pattern)
      : pattern.test(message as string);
  }
  if (typeof expected === "function") return error instanceof (expected as never);
  if (isAsymmetric(expected)) return Boolean(error) && (expected as Asymmetric).asymmetricMatch(error);
  return isEqual(error, expected);
}

function calls(value: unknown): unknown[][] {
  if (!isMock(value)) throw new TypeError(`${inspect(value)} is not a spy`);
  return value.mock.calls;
}

type Assertion = Record<string, unknown>;

function assertion(actual: unknown, isNot: boolean, message: string | undefined): Assertion {
  const check = (matcher: Matcher, args: unknown[]): void => {
    const { holds, what, expected, isVoid } = matcher(actual, ...(args as never[]));
    if (isVoid || holds !== isNot) return;
    const text = `expected ${inspect(actual)} ${isNot ? "not " : ""}${what}`;
    throw new AssertionError(message === undefined ? text : `${message}: ${text}`, actual, expected);
  };
  return new Proxy({} as Assertion, {
    get: (_target, key) => {
      if (typeof key === "symbol" || key === "then") return undefined;
      if (key === "not") return assertion(actual, !isNot, message);
      if (key === "resolves" || key === "rejects") return later(actual, key, isNot, message);
      const own = extended.get(key);
      if (own) return (...args: unknown[]) => checkOwn(own, actual, args, isNot, message);
      const matcher = (matchers as Record<string, Matcher | undefined>)[key];
      if (!matcher) return refuse(`expect().${key}`, "the assertions of a world do not have it");
      return (...args: unknown[]) => check(matcher, args);
    },
  });
}

/** A custom matcher: `expect.extend({ toBeEven(actual) { … } })`. */
type OwnMatcher = (
  this: MatcherContext,
  actual: unknown,
  ...args: unknown[]
) => OwnOutcome | Promise<OwnOutcome>;

interface OwnOutcome {
  readonly pass: boolean;
  message(): string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

interface MatcherContext {
  readonly isNot: boolean;
  equals(a: unknown, b: unknown): boolean;
  readonly utils: Readonly<
    Record<"stringify" | "printReceived" | "printExpected", (value: unknown) => string>
  >;
}

const extended = new Map<string, OwnMatcher>();

const contextOf = (isNot: boolean): MatcherContext => ({
  isNot,
  equals: (a, b) => equals(a, b, []),
  utils: { stringify: inspect, printReceived: inspect, printExpected: inspect },
});

/** Awaits matchers that return a promise. */
function checkOwn(
  matcher: OwnMatcher,
  actual: unknown,
  args: readonly unknown[],
  isNot: boolean,
  message: string | undefined,
): void | Promise<void> {
  const judge = (outcome: OwnOutcome): void => {
    if (outcome.pass !== isNot) return;
    const text = outcome.message();
    throw new AssertionError(
      message === undefined ? text : `${message}: ${text}`,
      outcome.actual ?? actual,
      outcome.expected,
    );
  };
  const answer = matcher.call(contextOf(isNot), actual, ...args);
  return "then" in answer ? answer.then(judge) : judge(answer);
}

function extend(own: Readonly<Record<string, OwnMatcher>>): void {
  for (const [name, matcher] of Object.entries(own)) {
    extended.set(name, matcher);
    const asPart = (...args: unknown[]): Asymmetric =>
      deciding((x) => (matcher.call(contextOf(false), x, ...args) as OwnOutcome).pass);
    Object.assign(expect, { [name]: asPart });
  }
}

/** `await expect(promise).rejects.toThrow(…)`. */
function later(actual: unknown, how: "resolves" | "rejects", isNot: boolean, message?: string): Assertion {
  const promise = how === "rejects" && typeof actual === "function" ? (actual as () => unknown)() : actual;
  if (typeof (promise as { then?: unknown } | null | undefined)?.then !== "function")
    throw new TypeError(`expect().${how} needs a promise, and got ${inspect(promise)}`);
  // Wrapped, because a rejection reason may itself be a promise.
  const settled = async (): Promise<{ readonly value: unknown }> => {
    let value: unknown;
    try {
      value = await promise;
    } catch (error) {
      if (how === "rejects") return { value: error };
      throw new AssertionError(`expected a promise that resolves, it was rejected with ${inspect(error)}`);
    }
    if (how === "resolves") return { value };
    throw new AssertionError(`expected a promise that rejects, it resolved to ${inspect(value)}`);
  };
  return new Proxy({} as Assertion, {
    get: (_target, key) => {
      if (typeof key === "symbol" || key === "then") return undefined;
      if (key === "not") return later(actual, how, !isNot, message);
      return async (...args: unknown[]) => {
        const { value } = await settled();
        const isThrowing = key === "toThrow" || key === "toThrowError";
        // As in Vitest: a rejection reason counts as thrown, a resolved value only if it is a function that throws.
        if (isThrowing && how === "resolves" && typeof value !== "function" && isNot) return undefined;
        const given = isThrowing && how === "rejects" ? () => raise(value) : value;
        return (assertion(given, isNot, message)[key] as (...all: unknown[]) => unknown)(...args);
      };
    },
  });
}

const raise = (value: unknown): never => {
  throw value;
};

const deciding = (asymmetricMatch: (other: unknown) => boolean): Asymmetric => ({ asymmetricMatch });

const containing = (isNot: boolean) => ({
  objectContaining: (part: object) => new ObjectContaining(part, isNot),
  arrayContaining: (part: unknown[]) => new ArrayContaining(part, isNot),
  stringContaining: (part: string) => new StringContaining(part, isNot),
  stringMatching: (pattern: string | RegExp) => new StringMatching(pattern, isNot),
  closeTo: (value: number, digits?: number) => new CloseTo(value, digits, isNot),
});

const asymmetricMatchers = {
  anything: () => new Anything(undefined),
  any: (type: unknown) => new Any(type),
  ...containing(false),
};

export const expect = Object.assign(
  (actual: unknown, message?: string): Assertion => assertion(actual, false, message),
  asymmetricMatchers,
  {
    fail: (message = "expect.fail()"): never => {
      throw new AssertionError(message);
    },
    unreachable: (message = "this line is not to be reached"): never => {
      throw new AssertionError(message);
    },
    extend,
    soft: () => refuse("expect.soft", "a schedule ends with its first failure"),
    poll: () => refuse("expect.poll", "run this test with { realm: 'host' }"),
    assertions: () => refuse("expect.assertions", "it is not counted inside a world"),
    hasAssertions: () => refuse("expect.hasAssertions", "it is not counted inside a world"), // sound: test/code/collect.test.ts
    getState: () => ({}),
  },
);
Object.defineProperty(expect, "not", { get: () => containing(true), enumerable: true });
