/** The lowered program has the meaning of the text. */
import { describe, expect, test } from "vitest";
import { loadNdlog } from "../../../src/languages/ndlog/index.js";
import { derived, isConditionTrue, type NdlogProgram } from "../../../src/model/index.js";

function programOf(text: string): NdlogProgram {
  const { program, diagnostics } = loadNdlog("p.ndlog", text);
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return program;
}

const zero = (): bigint => 0n;
const SOME = "property some { p(X,Y) => X == Y }";

test("assignments may be written in any order", () => {
  const [rule] = programOf(`r1 p(@X,Y) :- Y := A + N, A := X * 2, b(@X), N := 5. ${SOME}`).rules;
  expect(derived(rule!, [[3n]], zero)).toEqual([3n, 11n]);
});

test("`=` and `:=` on bound variables compare", () => {
  const [rule] = programOf(`r1 p(@X,Y) :- b(@X,Y), X = Y, Y := 4. ${SOME}`).rules;
  expect(derived(rule!, [[4n, 4n]], zero)).toEqual([4n, 4n]);
  expect(derived(rule!, [[4n, 5n]], zero)).toBeUndefined();
  expect(derived(rule!, [[5n, 5n]], zero)).toBeUndefined();
});

test("repeated variables and constants of tuples compare", () => {
  const [rule] = programOf(`r1 p(@X,Y) :- b(@X,X,7), c(@Y,X). ${SOME}`).rules;
  expect(
    derived(
      rule!,
      [
        [1n, 1n, 7n],
        [2n, 1n],
      ],
      zero,
    ),
  ).toEqual([1n, 2n]);
  expect(
    derived(
      rule!,
      [
        [1n, 2n, 7n],
        [2n, 1n],
      ],
      zero,
    ),
  ).toBeUndefined();
  expect(
    derived(
      rule!,
      [
        [1n, 1n, 8n],
        [2n, 1n],
      ],
      zero,
    ),
  ).toBeUndefined();
});

test("strings differ from each other and from integers", () => {
  const { strings } = programOf(`r1 p(@X,Y) :- b(@X), Y := "a", X != "b", X != "a". ${SOME}`);
  expect([...strings.values()].sort()).toEqual(["a", "b"]);
  for (const value of strings.keys()) expect(value < -(10n ** 15n)).toBe(true);
});

describe("division", () => {
  test("rounds down, and remainders are not negative", () => {
    const [rule] = programOf(`r1 p(@M,Q) :- b(@X), M := X % 3, Q := X / 3. ${SOME}`).rules;
    expect(derived(rule!, [[-4n]], zero)).toEqual([2n, -2n]);
  });

  test.each(["X % 0", "X % Y", "X / 0", "f_modulo(X, 0 - 2)"])("%s is refused", (text) => {
    const { diagnostics } = loadNdlog("p.ndlog", `r1 p(@X,M) :- b(@X,Y), M := ${text}. ${SOME}`);
    expect(diagnostics.map(({ code }) => code)).toEqual(["ndlog/modulus"]);
  });
});

describe("quantifiers", () => {
  const conditionOf = (text: string): ((x: bigint, y: bigint) => boolean) => {
    const { constraints } = programOf(`r1 p(@X,Y) :- b(@X,Y). constraint c { b(X,Y) => ${text} } ${SOME}`);
    return (x, y) => isConditionTrue(constraints[0]!.then, [x, y], zero);
  };

  test("are eliminated", () => {
    const between = conditionOf("exists Z: X < Z && Z < Y");
    const even = conditionOf("exists Z: X == 2 * Z");
    const bounded = conditionOf("forall Z: (Z <= X => Z <= Y)");
    for (let x = -3n; x <= 3n; x++)
      for (let y = -3n; y <= 3n; y++) {
        expect(between(x, y)).toBe(y - x > 1n);
        expect(even(x, y)).toBe(x % 2n === 0n);
        expect(bounded(x, y)).toBe(x <= y);
      }
  });

  test("over arguments of functions and divisions are refused", () => {
    for (const text of ["f_h(Z) == X", "Z % 2 == X"]) {
      const { diagnostics } = loadNdlog(
        "p.ndlog",
        `r1 p(@X,Y) :- b(@X,Y). constraint c { b(X,Y) => exists Z: ${text} } ${SOME}`,
      );
      expect(diagnostics.map(({ code }) => code)).toEqual(["ndlog/quantifier"]);
    }
  });
});

test.each(["f_now()", "f_rand()", "f_coinFlip(X)"])(
  "%s is refused: it may differ where its arguments are equal",
  (text) => {
    const { diagnostics } = loadNdlog("p.ndlog", `r1 p(@X,T) :- b(@X), T := ${text}. ${SOME}`);
    expect(diagnostics.map(({ code }) => code)).toEqual(["ndlog/function"]);
  },
);

test("a quantified variable beside a function is eliminated, inside of one it is refused", () => {
  const text = (condition: string): string => `r1 p(@X) :- b(@X). property some { p(X) => ${condition} }`;
  programOf(text("exists Z: (Z > f_h(X) && Z < f_h(X) + 2)"));
  expect(() => programOf(text("exists Z: f_h(Z) > X"))).toThrow("is an argument of a function");
});
