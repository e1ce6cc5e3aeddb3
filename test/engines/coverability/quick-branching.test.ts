/**
 * Foundations of answers about branching systems: the checks of derivations and closed sets, in a second. Run by every mutant
 * of them.
 */
import { describe, expect, test } from "vitest";
import { OMEGA } from "../../../src/engines/coverability/dense.js";
import {
  Work,
  branchingEec,
  closure,
  coversTarget,
  isDerivation,
  isInvariant,
  runAtOnce,
} from "../../../src/engines/coverability/index.js";
import { derivationOf } from "../../../src/engines/coverability/branching/derivation.js";
import { MOST_TOKENS, type Bvas, type Derivation } from "../../../src/model/index.js";
import { compareBvas, randomBvas, wideBvas } from "../../generators/bvas.js";
import { system } from "./reference.js";

const pairs = system("pairs", [[1, 0, 0], [0, 1, 0]], [[0, 0, -1]], [[-1, -1, 1]]); // prettier-ignore
const [left, right] = pairs.axioms;
const [drop] = pairs.unary;
const [pair] = pairs.binary;

const derivation = (steps: Derivation["steps"]): Derivation => ({ places: pairs.places, steps });
const step = (
  rule: Bvas["axioms"][number] | undefined,
  premises: number[],
  ...vector: number[]
): Derivation["steps"][number] => ({ rule: rule!, premises, vector });

describe("a derivation", () => {
  const good = [step(left, [], 1, 0, 0), step(right, [], 0, 1, 0), step(pair, [0, 1], 0, 0, 1)];

  test("is one step after the other by the rules", () => {
    expect(isDerivation(pairs, derivation(good))).toBe(true);
    expect(isDerivation(pairs, derivation([...good, step(drop, [2], 0, 0, 0)]))).toBe(true);
  });

  test.each([
    ["nothing", []],
    ["an axiom changed", [step(left, [], 2, 0, 0)]],
    ["a rule of another number of premises", [step(left, [], 1, 0, 0), step(pair, [0], 0, -1, 1)]],
    ["an axiom of a premise", [step(left, [], 1, 0, 0), step(right, [0], 1, 1, 0)]],
    ["a premise of its own", [step(left, [], 1, 0, 0), step(pair, [0, 1], 0, 0, 1)]],
    [
      "a premise from nowhere",
      [step(left, [], 1, 0, 0), step(right, [], 0, 1, 0), step(pair, [0, -1], 0, 0, 1)],
    ],
    ["a later premise", [step(left, [], 1, 0, 0), step(pair, [0, 2], 0, 0, 1), step(right, [], 0, 1, 0)]],
    ["a wrong sum", [...good.slice(0, 2), step(pair, [0, 1], 0, 0, 2)]],
    ["less than nothing", [step(left, [], 1, 0, 0), step(drop, [0], 1, 0, -1)]],
  ])("is not %s", (_, steps) => {
    expect(isDerivation(pairs, derivation(steps))).toBe(false);
  });

  test("is not its own reason, even where a rule changes nothing", () => {
    const idle = system("idle", [[1]], [[0]]);
    expect(isDerivation(idle, derivation([step(idle.unary[0], [0], 5)]))).toBe(false);
    expect(isDerivation(idle, derivation([step(idle.axioms[0], [], 1), step(idle.unary[0], [0], 1)]))).toBe(
      true,
    );
  });

  test("covers by its last vector", () => {
    expect(coversTarget(derivation(good), [[9, 9, 9], [0, 0, 1]])).toBe(true); // prettier-ignore
    expect(coversTarget(derivation(good), [[1, 0, 0]])).toBe(false);
    expect(coversTarget(derivation([]), [[0, 0, 0]])).toBe(false);
  });
});

describe("a closed set", () => {
  const vectors = (...all: number[][]): Int32Array[] => all.map((one) => Int32Array.from(one));
  const whole = vectors([1, 0, 0], [0, 1, 0], [0, 0, 1]);

  test("has the axioms, what follows, and no target", () => {
    expect(isInvariant(pairs, whole, [[0, 0, 2]])).toBe(true);
    expect(isInvariant(pairs, whole, [[0, 0, 1]])).toBe(false);
    expect(isInvariant(pairs, whole.slice(1), [[0, 0, 2]])).toBe(false);
    expect(isInvariant(pairs, whole.slice(0, 2), [[0, 0, 2]])).toBe(false);
    expect(isInvariant(pairs, vectors([1, 0, OMEGA], [0, 1, OMEGA]), [[2, 0, 0]])).toBe(true);
    expect(isInvariant(pairs, vectors([1, 0, OMEGA], [0, 1, 0]), [[2, 0, 0]])).toBe(true);
  });

  test("is closed under each unary rule, and each binary one of a vector with itself", () => {
    const grows = system("grows", [[1]], [[1]]);
    expect(isInvariant(grows, vectors([5]), [[9]])).toBe(false);
    expect(isInvariant(grows, vectors([OMEGA]), [[9]])).toBe(false);
    const doubles = system("doubles", [[1]], [], [[0]]);
    expect(isInvariant(doubles, vectors([1]), [[2]])).toBe(false);
    // Any number less one is any number, and not the largest that can be counted.
    const moves = system("moves", [[1, 0]], [[-1, 1]]);
    expect(isInvariant(moves, vectors([OMEGA, 0], [MOST_TOKENS, OMEGA]), [])).toBe(false);
    expect(isInvariant(moves, vectors([OMEGA, OMEGA]), [])).toBe(true);
    const needs = system("needs", [[1]], [[-2]]);
    expect(isInvariant(needs, vectors([1]), [[2]])).toBe(true);
  });
});

test("random systems: two schedules, all derivations and nets agree, and what shows it does", () => {
  for (let seed = 400_001; seed <= 400_025; seed++)
    for (const made of [wideBvas(seed), randomBvas(seed)])
      expect(compareBvas(made, 600).problems, `npm run fuzz:nets -- --seed ${seed}`).toEqual([]);
});

test("counts beyond a word are never smaller numbers", () => {
  const doubles = system("doubles", [[1_500_000_000]], [], [[0]]);
  const request = { i: 2_100_000_000, mode: "over", targets: [] } as const;
  expect(() => runAtOnce(closure(doubles, request, new Work()))).toThrow(/more than 2147483646 tokens/);
  const fits = system("fits", [[1_000_000_000]], [], [[147_483_646]]);
  const answer = runAtOnce(branchingEec(fits, [[MOST_TOKENS]], new Work({ maxStates: 500 })));
  expect(answer.kind).toBe("covered");
});

test("a derivation whose numbers are not exact is none", () => {
  const many = system("many", [[1]], [], [[0], [-1]]);
  const records = [
    { kind: "axiom", rule: 0, premises: [] } as const,
    ...Array.from({ length: 60 }, (_, n) => ({ kind: "binary", rule: 0, premises: [n, n] }) as const),
    { kind: "binary", rule: 1, premises: [52, 52] } as const,
  ];
  const made = { records } as unknown as Parameters<typeof derivationOf>[1];
  expect(() => derivationOf(many, made, 60)).toThrow(/tokens/);
  expect(derivationOf(many, made, 30)!.steps.at(-1)!.vector).toEqual([2 ** 30]);
  expect(derivationOf(many, made, 61)!.steps.at(-1)!.vector).toEqual([Number.MAX_SAFE_INTEGER]);
});
