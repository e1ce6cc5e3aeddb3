/**
 * `expect` inside the realm. Not the frameworks' own: loading that for every schedule costs several milliseconds, this
 * some microseconds. What it lacks it refuses by name.
 */
import { refuse } from "../world/failure.js";
import { inspect } from "../world/inspect.js";
import { asymmetric, equals, includes, type Asymmetric } from "./equality.js";
import { isMock, type MockFunction } from "./mocks.js";

export class AssertionError extends Error {
  override readonly name = "AssertionError";
  readonly actual: unknown;
  readonly expected: unknown;

  constructor(message: string, actual?: unknown, expected?: unknown) {
    super(message);
    this.actual = actual;
    this.expected = expected;
  }
}

/** Whether it holds, and how to say what was expected: `to be 3`. */
interface Outcome {
  readonly holds: boolean;
  readonly what: string;
  readonly expected?: unknown;
}

type Matcher = (actual: unknown, ...args: never[]) => Outcome;

const is = (holds: boolean, what: string, expected?: unknown): Outcome => ({ holds, what, expected });

/** Without a prototype: a realm makes an object of many properties much faster when it need not give it a class. */
const matchers: Record<`to${string}`, Matcher> & { readonly __proto__: null } = {
  __proto__: null,
  toBe: (a, b: unknown) => is(Object.is(a, b), `to be ${inspect(b)}`, b),
  toEqual: (a, b: unknown) => is(equals(a, b, false), `to equal ${inspect(b)}`, b),
  toStrictEqual: (a, b: unknown) => is(equals(a, b, true), `to strictly equal ${inspect(b)}`, b),
  toMatchObject: (a, b: unknown) => is(includes(a, b), `to match ${inspect(b)}`, b),
  toBeTruthy: (a) => is(Boolean(a), "to be truthy"),
  toBeFalsy: (a) => is(!a, "to be falsy"),
  toBeNull: (a) => is(a === null, "to be null"),
  toBeUndefined: (a) => is(a === undefined, "to be undefined"),
  toBeDefined: (a) => is(a !== undefined, "to be defined"),
  toBeNullable: (a) => is(a === undefined || a === null, "to be null or undefined"),
  toBeNaN: (a) => is(Number.isNaN(a), "to be NaN"),
  toBeGreaterThan: (a, b: number) => is((a as number) > b, `to be greater than ${b}`, b),
  toBeGreaterThanOrEqual: (a, b: number) => is((a as number) >= b, `to be at least ${b}`, b),
  toBeLessThan: (a, b: number) => is((a as number) < b, `to be less than ${b}`, b),
  toBeLessThanOrEqual: (a, b: number) => is((a as number) <= b, `to be at most ${b}`, b),
  toBeCloseTo: (a, b: number, digits: number = 2) =>
    is(Math.abs((a as number) - b) < 10 ** -digits / 2, `to be close to ${b}`, b),
  toBeInstanceOf: (a, b: { name: string }) => is(a instanceof (b as never), `to be an instance of ${b.name}`),
  toBeTypeOf: (a, b: string) => is(typeof a === b, `to be of type ${b}`, b),
  toBeOneOf: (a, b: Iterable<unknown>) =>
    is(
      [...b].some((x) => equals(a, x, false)),
      `to be one of ${inspect(b)}`,
    ),
  toSatisfy: (a, test: (value: unknown) => boolean) => is(Boolean(test(a)), "to satisfy the predicate"),
  toContain: (a, b: unknown) => is(contains(a, b), `to contain ${inspect(b)}`, b),
  toContainEqual: (a, b: unknown) =>
    is(
      [...(a as Iterable<unknown>)].some((x) => equals(x, b, false)),
      `to contain ${inspect(b)}`,
      b,
    ),
  toHaveLength: (a, b: number) => is((a as { length: number }).length === b, `to have length ${b}`, b),
  toHaveProperty: (a, path: string | PropertyKey[], ...value: unknown[]) => {
    const found = lookUp(a, path);
    const holds = found.isThere && (value.length === 0 || equals(found.value, value[0], false));
    return is(holds, `to have the property ${String(path)}${value.length ? ` ${inspect(value[0])}` : ""}`);
  },
  toMatch: (a, b: string | RegExp) =>
    is(typeof b === "string" ? String(a).includes(b) : b.test(String(a)), `to match ${inspect(b)}`, b),
  toThrow: (a, b?: unknown) => throws(a, b),
  toThrowError: (a, b?: unknown) => throws(a, b),
  toHaveBeenCalled: (a) => is(calls(a).length > 0, "to have been called"),
  toHaveBeenCalledOnce: (a) =>
    is(calls(a).length === 1, `to have been called once, not ${calls(a).length} times`),
  toHaveBeenCalledTimes: (a, n: number) =>
    is(calls(a).length === n, `to have been called ${n} times, not ${calls(a).length}`, n),
  toHaveBeenCalledWith: (a, ...args: unknown[]) =>
    is(
      calls(a).some((call) => equals(call, args, false)),
      `to have been called with ${inspect(args)}`,
      args,
    ),
  toHaveBeenLastCalledWith: (a, ...args: unknown[]) =>
    is(equals(calls(a).at(-1), args, false), `to have been last called with ${inspect(args)}`, args),
  toHaveBeenNthCalledWith: (a, n: number, ...args: unknown[]) =>
    is(equals(calls(a)[n - 1], args, false), `to have been called with ${inspect(args)} at call ${n}`, args),
  toHaveReturnedWith: (a, b: unknown) =>
    is(
      (a as MockFunction).mock.results.some((r) => equals(r.value, b, false)),
      `to have returned ${inspect(b)}`,
      b,
    ),
};

const contains = (whole: unknown, part: unknown): boolean =>
  typeof whole === "string" ? whole.includes(String(part)) : [...(whole as Iterable<unknown>)].includes(part);

function lookUp(value: unknown, path: string | PropertyKey[]): { isThere: boolean; value: unknown } {
  const keys = typeof path === "string" ? path.split(/[.[\]]+/).filter(Boolean) : path;
  let at = value;
  for (const key of keys) {
    if (at === null || at === undefined || !(key in Object(at))) return { isThere: false, value: undefined };
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return { isThere: true, value: at };
}

function throws(run: unknown, expected: unknown): Outcome {
  // After `.rejects` the actual value is the error itself.
  if (typeof run !== "function")
    return is(matchesError(run, expected), `to be the error ${inspect(expected)}`);
  try {
    (run as () => unknown)();
    return is(false, "to throw");
  } catch (error) {
    return is(matchesError(error, expected), `to throw ${inspect(expected)}, not ${inspect(String(error))}`);
  }
}

function matchesError(error: unknown, expected: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error);
  if (expected === undefined) return true;
  if (typeof expected === "string") return message.includes(expected);
  if (expected instanceof RegExp) return expected.test(message);
  if (typeof expected === "function") return error instanceof (expected as never);
  if (expected instanceof Error) return message === expected.message;
  return equals(error, expected, false);
}

function calls(value: unknown): unknown[][] {
  if (!isMock(value)) throw new TypeError(`${inspect(value)} is not a spy`);
  return value.mock.calls;
}

// ---- expect --------------------------------------------------------------------------------------

type Assertion = Record<string, unknown>;

function assertion(actual: unknown, isNot: boolean, message: string | undefined): Assertion {
  const check = (matcher: Matcher, args: unknown[]): void => {
    const { holds, what, expected } = matcher(actual, ...(args as never[]));
    if (holds !== isNot) return;
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

/** A matcher of the program's own: `expect.extend({ toBeEven(actual) { … } })`. */
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
  equals: (a, b) => equals(a, b, false),
  utils: { stringify: inspect, printReceived: inspect, printExpected: inspect },
});

/** One that answers with a promise is waited for, as everything asynchronous is. */
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
  const settled = async (): Promise<unknown> => {
    const promise = typeof actual === "function" ? (actual as () => unknown)() : actual;
    let value: unknown;
    try {
      value = await promise;
    } catch (error) {
      if (how === "rejects") return error;
      throw new AssertionError(
        `expected a promise that resolves, it was rejected with ${inspect(String(error))}`,
      );
    }
    if (how === "resolves") return value;
    throw new AssertionError(`expected a promise that rejects, it resolved to ${inspect(value)}`);
  };
  return new Proxy({} as Assertion, {
    get: (_target, key) => {
      if (typeof key === "symbol" || key === "then") return undefined;
      if (key === "not") return later(actual, how, !isNot, message);
      return async (...args: unknown[]) =>
        (assertion(await settled(), isNot, message)[key] as (...all: unknown[]) => unknown)(...args);
    },
  });
}

const deciding = (test: (other: unknown) => boolean): Asymmetric => ({ [asymmetric]: test });

const asymmetricMatchers = {
  anything: () => deciding((x) => x !== null && x !== undefined),
  any: (type: { name: string }) =>
    deciding((x) => x instanceof (type as never) || typeof x === type.name.toLowerCase()),
  objectContaining: (part: object) => deciding((x) => includes(x, part)),
  arrayContaining: (part: unknown[]) =>
    deciding((x) => Array.isArray(x) && part.every((item) => x.some((y) => equals(y, item, false)))),
  stringContaining: (part: string) => deciding((x) => typeof x === "string" && x.includes(part)),
  stringMatching: (pattern: string | RegExp) =>
    deciding((x) => typeof x === "string" && new RegExp(pattern).test(x)),
  closeTo: (n: number, digits = 2) => deciding((x) => Math.abs((x as number) - n) < 10 ** -digits / 2),
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
    hasAssertions: () => undefined,
    getState: () => ({}),
  },
);
Object.defineProperty(expect, "not", { get: negated, enumerable: true });

/** `expect.not.objectContaining(…)`. */
function negated(): object {
  return Object.fromEntries(
    Object.entries(asymmetricMatchers).map(([name, make]) => [
      name,
      (arg: never) => deciding((x) => !make(arg)[asymmetric](x)),
    ]),
  );
}
