/**
 * Compares assertions inside realms with the originals of Node and Vitest on random pairs of values. Both must accept,
 * or both reject.
 */
import "./outside-realm.js";
import assert from "node:assert";
import { expect, vi } from "vitest";
import insideAssert from "../../src/code/builtins/assert.js";
import { Buffer as InsideBuffer } from "../../src/code/builtins/buffer.js";
import { Headers as InsideHeaders } from "../../src/code/builtins/fetch.js";
import { URL as InsideURL, URLSearchParams as InsideSearch } from "../../src/code/builtins/web-url.js";
import { expect as insideExpect } from "../../src/code/collect/expect.js";
import { fn as insideFn } from "../../src/code/collect/mocks.js";
import { Random } from "../generators/random-draws.js";
import { randomPair, type Classes, type Matchers } from "../generators/random-values.js";

type Run = (...all: unknown[]) => unknown;
type Asserting = Record<string, Run> & { readonly strict: Record<string, Run> };
type Expecting = (actual: unknown) => Record<string, Run> & { readonly not: Record<string, Run> };

interface Library {
  readonly assert: Asserting;
  readonly expect: Expecting;
  readonly fn: () => Run;
  readonly classes: Classes;
}

const real: Library = {
  assert: assert as unknown as Asserting,
  expect: expect as unknown as Expecting,
  fn: () => vi.fn() as Run,
  classes: { URL, URLSearchParams, Headers, Buffer, expect: expect as unknown as Matchers },
};
const inside: Library = {
  assert: insideAssert as unknown as Asserting,
  expect: insideExpect as unknown as Expecting,
  fn: () => insideFn() as unknown as Run,
  classes: {
    URL: InsideURL as never,
    URLSearchParams: InsideSearch as never,
    Headers: InsideHeaders as never,
    Buffer: InsideBuffer,
    expect: insideExpect as unknown as Matchers,
  },
};

// Outside a test, the state has no file.
expect.setState({ testPath: "" });

const comparisons = ["equal", "notEqual", "strictEqual", "notStrictEqual"];
const deep = ["deepEqual", "notDeepEqual", "deepStrictEqual", "notDeepStrictEqual"];
const thrower = (value: unknown) => () => {
  throw value;
};

/** Each runs one assertion on the pair and may throw. */
const cases: Record<string, (library: Library, a: unknown, b: unknown, random: Random) => unknown> = {
  ...Object.fromEntries(
    [...comparisons, ...deep].flatMap((name) => [
      [`assert.${name}`, ({ assert }: Library, a: unknown, b: unknown) => assert[name]!(a, b)],
      [`assert.strict.${name}`, ({ assert }: Library, a: unknown, b: unknown) => assert.strict[name]!(a, b)],
    ]),
  ),
  "assert.ok": ({ assert }, a) => assert["ok"]!(a),
  "assert.ifError": ({ assert }, a) => assert["ifError"]!(a),
  "assert.match": ({ assert }, a, _, random) => assert["match"]!(a, [/a/, /1/, "a"][random.below(3)]),
  "assert.doesNotMatch": ({ assert }, a, _, random) =>
    assert["doesNotMatch"]!(a, [/a/, /1/, 1][random.below(3)]),
  "assert.throws": ({ assert }, a, b) => assert["throws"]!(thrower(a), b),
  "assert.throws with a message": ({ assert }, a, b) => assert["throws"]!(thrower(a), b, "message"),
  "assert.doesNotThrow": ({ assert }, a, b) => assert["doesNotThrow"]!(thrower(a), b),
  "assert.rejects": ({ assert }, a, b) => assert["rejects"]!(Promise.reject(a), b),
  "assert.rejects of no promise": ({ assert }, a, b) => assert["rejects"]!(a, b),
  ...Object.fromEntries(
    [
      "toBe",
      "toEqual",
      "toStrictEqual",
      "toMatchObject",
      "toContain",
      "toContainEqual",
      "toThrow",
      "toHaveLength",
    ].flatMap((name) => [
      [`expect.${name}`, ({ expect }: Library, a: unknown, b: unknown) => expect(a)[name]!(b)],
      [`expect.not.${name}`, ({ expect }: Library, a: unknown, b: unknown) => expect(a).not[name]!(b)],
    ]),
  ),
  ...Object.fromEntries(
    [
      "toBeGreaterThan",
      "toBeLessThanOrEqual",
      "toBeCloseTo",
      "toBeTypeOf",
      "toBeInstanceOf",
      "toMatch",
      "toBeOneOf",
    ].map((name) => [`expect.${name}`, ({ expect }: Library, a: unknown, b: unknown) => expect(a)[name]!(b)]),
  ),
  "expect.toBeOneOf of a list": ({ expect }, a, b) => expect(a)["toBeOneOf"]!([b, 7]),
  "expect.toMatch": ({ expect }, a, _, random) => expect(a)["toMatch"]!([/a/, "1", "a"][random.below(3)]),
  "expect.toHaveLength": ({ expect }, a, _, random) => expect(a)["toHaveLength"]!(random.below(3)),
  "expect.toContain of lists": ({ expect }, a, b, random) =>
    expect([a, b])["toContain"]!(random.chance(2) ? b : NaN),
  "expect.toContainEqual of lists": ({ expect }, a, b) => expect([1, a])["toContainEqual"]!(b),
  "expect.toHaveProperty": ({ expect }, a, b, random) =>
    expect(a)["toHaveProperty"]!(
      ["a", "a.b", "[0]", "b[1].a", "name"][random.below(5)],
      ...(random.chance(2) ? [b] : []),
    ),
  "expect.toThrow of a function": ({ expect }, a, b) => expect(thrower(a))["toThrow"]!(b),
  "expect.not.toThrow of a function": ({ expect }, a, b) => expect(thrower(a)).not["toThrow"]!(b),
  "expect.resolves": ({ expect }, a, b) =>
    (expect(a)["resolves"] as unknown as Record<string, Run>)["toEqual"]!(b),
  "expect.resolves of a promise": ({ expect }, a, b) =>
    (expect(Promise.resolve(a))["resolves"] as unknown as Record<string, Run>)["toEqual"]!(b),
  "expect.rejects": ({ expect }, a, b) =>
    (expect(Promise.reject(a))["rejects"] as unknown as Record<string, Run>)["toEqual"]!(b),
  "expect.toHaveBeenCalledWith": ({ expect, fn }, a, b) => {
    const spy = fn();
    spy(a, 1);
    return expect(spy)["toHaveBeenCalledWith"]!(b, 1);
  },
};

/** Undefined: it failed to print the compared values. */
async function isAccepted(name: string, library: Library, seed: number): Promise<boolean | undefined> {
  const [a, b] = randomPair(seed, library.classes, name.startsWith("expect"));
  for (const value of [a, b]) if (value instanceof Promise) value.catch(() => undefined);
  // Global names, as in a realm.
  const { URL, URLSearchParams, Headers } = library.classes;
  Object.assign(globalThis, { URL, URLSearchParams, Headers });
  // After a failure, Node's printer leaves errors without stacks.
  Error.stackTraceLimit = 10;
  try {
    await cases[name]!(library, a, b, new Random(seed + 7));
    return true;
  } catch (error) {
    return isOfWords(error) ? undefined : false;
  }
}

/** Whether a printer of Vitest or chai failed, as on cycles and on errors with unusual fields. */
function isOfWords(error: unknown): boolean {
  if (error instanceof RangeError) return true;
  if (!(error instanceof TypeError)) return false;
  // An error whose name is a symbol or an object without prototype cannot be converted to a string.
  if (/^Cannot convert (object to primitive value|a Symbol value to a string)/.test(error.message))
    return true;
  const [, first = ""] = String(error.stack).split("\n    at ");
  return (
    /node_modules\/(?:chai|@vitest\/(?:pretty-format|utils))\//.test(first) && !/assertTypes/.test(first)
  );
}

export const assertionNames = Object.keys(cases);

export interface AssertionComparison {
  readonly name: string;
  /** Undefined: the original failed to print the compared values. */
  readonly accepts: boolean | undefined;
  readonly isSame: boolean;
}

export async function compareAssertions(seed: number): Promise<AssertionComparison[]> {
  const all: AssertionComparison[] = [];
  for (const name of assertionNames) {
    const accepts = await isAccepted(name, real, seed);
    const does = accepts === undefined ? undefined : ((await isAccepted(name, inside, seed)) ?? false);
    all.push({ name, accepts, isSame: accepts === does });
  }
  Object.assign(globalThis, hostClasses);
  return all;
}

const hostClasses = { URL, URLSearchParams, Headers };

/** The pair of a seed, from Node's classes. */
export const pairOf = (seed: number, name: string): [unknown, unknown] =>
  randomPair(seed, real.classes, name.startsWith("expect"));
