/** Simplified terms have the value of the operations that constructed them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bitOperation, type BitOperation } from "../../src/model/bit-vectors.js";
import { evaluate, Terms, type Term, type VariableTerm } from "../../src/model/terms.js";

/** A construction: builds a term and, independently, computes its value. */
interface Made {
  build(terms: Terms): Term;
  value(env: Env): bigint;
}
type Env = Readonly<Record<string, bigint>>;

const truth = (value: boolean): bigint => (value ? 1n : 0n);
const INTS = ["x", "y", "z"];
const small = fc.bigInt(-6n, 6n);

const { int, bool } = fc.letrec<{ int: Made; bool: Made }>((tie) => ({
  int: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    small.map((n): Made => ({ build: (t) => t.int(n), value: () => n })),
    fc.constantFrom(...INTS).map((name): Made => ({
      build: (t) => t.variable(name, "int"),
      value: (env) => env[name] ?? 0n,
    })),
    fc.tuple(tie("int"), tie("int")).map(([a, b]): Made => ({
      build: (t) => t.add(a.build(t), b.build(t)),
      value: (env) => a.value(env) + b.value(env),
    })),
    fc.tuple(tie("int"), tie("int")).map(([a, b]): Made => ({
      build: (t) => t.subtract(a.build(t), b.build(t)),
      value: (env) => a.value(env) - b.value(env),
    })),
    fc.tuple(small, tie("int")).map(([k, a]): Made => ({
      build: (t) => t.scale(k, a.build(t)),
      value: (env) => k * a.value(env),
    })),
    fc.tuple(tie("bool"), tie("int"), tie("int")).map(([c, a, b]): Made => ({
      build: (t) => t.ite(c.build(t), a.build(t), b.build(t)),
      value: (env) => (c.value(env) === 1n ? a.value(env) : b.value(env)),
    })),
    tie("int").map((a): Made => ({
      build: (t) => t.apply("f", "int", [a.build(t)]),
      value: (env) => 3n - a.value(env) * a.value(env),
    })),
  ),
  bool: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.boolean().map((b): Made => ({ build: (t) => t.bool(b), value: () => truth(b) })),
    fc.constantFrom("p", "q").map((name): Made => ({
      build: (t) => t.variable(name, "bool"),
      value: (env) => env[name] ?? 0n,
    })),
    comparison(
      (t, a, b) => t.atMost(a, b),
      (a, b) => a <= b,
    ),
    comparison(
      (t, a, b) => t.less(a, b),
      (a, b) => a < b,
    ),
    comparison(
      (t, a, b) => t.equal(a, b),
      (a, b) => a === b,
    ),
    fc.tuple(fc.bigInt(1n, 6n), tie("int")).map(([d, a]): Made => ({
      build: (t) => t.divides(d, a.build(t)),
      value: (env) => truth(a.value(env) % d === 0n),
    })),
    tie("bool").map((a): Made => ({ build: (t) => t.not(a.build(t)), value: (env) => 1n - a.value(env) })),
    junction(
      (t, all) => t.and(all),
      (all) => all.every((each) => each === 1n),
    ),
    junction(
      (t, all) => t.or(all),
      (all) => all.some((each) => each === 1n),
    ),
    fc.tuple(tie("bool"), tie("bool")).map(([a, b]): Made => ({
      build: (t) => t.equal(a.build(t), b.build(t)),
      value: (env) => truth(a.value(env) === b.value(env)),
    })),
    fc.tuple(tie("bool"), tie("bool"), tie("bool")).map(([c, a, b]): Made => ({
      build: (t) => t.ite(c.build(t), a.build(t), b.build(t)),
      value: (env) => (c.value(env) === 1n ? a.value(env) : b.value(env)),
    })),
  ),
}));

function comparison(
  build: (terms: Terms, a: Term, b: Term) => Term,
  value: (a: bigint, b: bigint) => boolean,
): fc.Arbitrary<Made> {
  return fc.tuple(lazyInt(), lazyInt()).map(([a, b]) => ({
    build: (t) => build(t, a.build(t), b.build(t)),
    value: (env) => truth(value(a.value(env), b.value(env))),
  }));
}

function junction(
  build: (terms: Terms, all: readonly Term[]) => Term,
  value: (all: readonly bigint[]) => boolean,
): fc.Arbitrary<Made> {
  const part = fc.oneof(
    comparisonOfVariables("<="),
    comparisonOfVariables("=="),
    fc.constantFrom("p", "q").map((name): Made => ({
      build: (t) => t.variable(name, "bool"),
      value: (env) => env[name] ?? 0n,
    })),
  );
  return fc.array(fc.tuple(part, fc.boolean()), { maxLength: 4 }).map((all) => ({
    build: (t) =>
      build(
        t,
        all.map(([each, isNegated]) => (isNegated ? t.not(each.build(t)) : each.build(t))),
      ),
    value: (env) =>
      truth(value(all.map(([each, isNegated]) => (isNegated ? 1n - each.value(env) : each.value(env))))),
  }));
}

function comparisonOfVariables(operator: "<=" | "=="): fc.Arbitrary<Made> {
  return fc
    .tuple(fc.constantFrom(...INTS), fc.constantFrom(...INTS), small, small, small)
    .map(([a, b, k, l, c]) => ({
      build: (t) => {
        const left = t.scale(k, t.variable(a, "int"));
        const right = t.add(t.scale(l, t.variable(b, "int")), t.int(c));
        return operator === "<=" ? t.atMost(left, right) : t.equal(left, right);
      },
      value: (env) => {
        const [left, right] = [k * (env[a] ?? 0n), l * (env[b] ?? 0n) + c];
        return truth(operator === "<=" ? left <= right : left === right);
      },
    }));
}

function lazyInt(): fc.Arbitrary<Made> {
  return fc
    .tuple(fc.constantFrom(...INTS), fc.constantFrom(...INTS), small, small, small)
    .map(([a, b, k, l, c]) => ({
      build: (t) =>
        t.add(t.add(t.scale(k, t.variable(a, "int")), t.scale(l, t.variable(b, "int"))), t.int(c)),
      value: (env) => k * (env[a] ?? 0n) + l * (env[b] ?? 0n) + c,
    }));
}

const environment = fc.record({
  x: small,
  y: small,
  z: small,
  p: fc.bigInt(0n, 1n),
  q: fc.bigInt(0n, 1n),
});

const assigned = (env: Env): Parameters<typeof evaluate>[1] => ({
  value: ({ name }) => env[name] ?? 0n,
  apply: (_, [a = 0n]) => 3n - a * a,
});

describe("terms", () => {
  test("simplified terms have the value of their construction", () => {
    fc.assert(
      fc.property(fc.oneof(int, bool), environment, (made, env) => {
        expect(evaluate(made.build(new Terms()), assigned(env))).toBe(made.value(env));
      }),
      { numRuns: 3000 },
    );
  });

  test("a substituted term has the value of the replaced variables", () => {
    fc.assert(
      fc.property(fc.oneof(int, bool), int, environment, (made, replacement, env) => {
        const terms = new Terms();
        const value = replacement.build(terms);
        const replace = (variable: VariableTerm): Term => (variable.name === "x" ? value : variable);
        const result = terms.substitute(made.build(terms), replace);
        expect(evaluate(result, assigned(env))).toBe(made.value({ ...env, x: replacement.value(env) }));
      }),
      { numRuns: 1500 },
    );
  });

  test("equal meanings of linear comparisons are one term", () => {
    const t = new Terms();
    const [x, y] = [t.variable("x", "int"), t.variable("y", "int")];
    const atMost = t.atMost(x, y);
    expect(t.not(t.less(y, x))).toBe(atMost);
    expect(t.less(x, t.add(y, t.int(1n)))).toBe(atMost);
    expect(t.atMost(t.scale(2n, x), t.add(t.scale(2n, y), t.int(1n)))).toBe(atMost);
    expect(t.not(t.atMost(y, t.add(x, t.int(-1n))))).toBe(atMost);
  });

  test("bit-vectors compute as SMT-LIB defines", () => {
    const operations: BitOperation[] = [
      "bvadd",
      "bvsub",
      "bvmul",
      "bvudiv",
      "bvurem",
      "bvand",
      "bvor",
      "bvxor",
      "bvshl",
      "bvlshr",
      "bvashr",
    ];
    const naive: Readonly<Record<string, (a: number, b: number) => number>> = {
      bvadd: (a, b) => (a + b) & 255,
      bvsub: (a, b) => (a - b) & 255,
      bvmul: (a, b) => (a * b) & 255,
      bvudiv: (a, b) => (b === 0 ? 255 : Math.floor(a / b)),
      bvurem: (a, b) => (b === 0 ? a : a % b),
      bvand: (a, b) => a & b,
      bvor: (a, b) => a | b,
      bvxor: (a, b) => a ^ b,
      bvshl: (a, b) => (b > 7 ? 0 : (a << b) & 255),
      bvlshr: (a, b) => (b > 7 ? 0 : a >> b),
      bvashr: (a, b) => (((a << 24) >> 24) >> Math.min(b, 8)) & 255,
    };
    fc.assert(
      fc.property(fc.constantFrom(...operations), fc.nat(255), fc.nat(255), (operation, a, b) => {
        const expected = naive[operation]?.(a, b);
        expect(bitOperation(operation, [BigInt(a), BigInt(b)], 8, 8, 0)).toBe(BigInt(expected ?? -1));
        const t = new Terms();
        const term = t.bits(operation, [t.variable("a", 8), t.variable("b", 8)], 8);
        expect(evaluate(term, assigned({ a: BigInt(a), b: BigInt(b) }))).toBe(BigInt(expected ?? -1));
      }),
    );
  });
});
