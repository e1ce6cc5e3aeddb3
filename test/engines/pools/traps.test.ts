/** Mistakes that are easy to make in the verification of NDLog; each test is named after one. */
import { describe, expect, test } from "vitest";
import type { Solver } from "../../../src/model/index.js";
import { analyse, verdicts } from "./analyse.js";

const COPY = "r1 p(@X,V) :- b(@X,V).\n";

describe("renaming", () => {
  test("two atoms of one antecedent have different variables", () => {
    expect(verdicts(`${COPY}property same { p(X,V1), p(X,V2) => V1 == V2 }`)).toEqual({
      same: "violated r1+r1",
    });
  });

  test("two atoms of one body have different variables", () => {
    const text =
      "r1 p(@X,V) :- b(@X,V). r2 q(@X,V,W) :- p(@X,V), p(@X,W). property same { q(X,V,W) => V == W }";
    expect(verdicts(text)).toEqual({ same: "violated r2" });
  });

  test("local variables of a rule belong to one instance", () => {
    const text = `r1 h(@X,N) :- b(@X), V := f_hash(X), N := 1 + f_modulo(V,5).
      property all { h(X1,N1), h(X2,N2) => N1 == N2 }
      property one { h(X,N1), h(X,N2) => N1 == N2 }`;
    expect(verdicts(text)).toEqual({ all: "violated r1+r1", one: "holds" });
  });

  test("an unfolded leaf has variables of its own", () => {
    const text = `d1 r(@X,Y) :- l(@X,Y). d2 r(@X,Y) :- l(@X,Z), r(@Z,Y).
      property short { r(X,Y), X != Y => exists Z: l(Z,X) }
      property loop { r(X,Y) => X == Y }`;
    expect(verdicts(text)).toEqual({ short: "violated d1", loop: "violated d1" });
    const deep = `d1 r(@X,Y,N) :- l(@X,Y), N := 0. d2 r(@X,Y,N) :- l(@X,Z), r(@Z,Y,M), N := M + 1.
      property two { r(X,Y,N), N == 2 => X == Y }`;
    expect(verdicts(deep)).toEqual({ two: "violated d2" });
  });

  test("one derivation unfolded twice has different variables", () => {
    // The third level is the second copy of d2 that unfolding adds: with shared variables, M = M + 1.
    const text = `d1 r(@X,Y,N) :- l(@X,Y), N := 0. d2 r(@X,Y,N) :- l(@X,Z), r(@Z,Y,M), N := M + 1.
      property three { r(X,Y,N), N == 3 => X == Y }`;
    expect(verdicts(text, { infers: false })).toEqual({ three: "violated d2" });
  });
});

describe("network constraints", () => {
  test("hold for pairs of leaves in different trees", () => {
    const text = `${COPY}constraint key { b(X,V), b(X,W) => V == W } property same { p(X,V1), p(X,V2) => V1 == V2 }`;
    expect(verdicts(text)).toEqual({ same: "holds" });
  });

  test("hold for pairs of leaves in one tree", () => {
    const text = `r1 p(@X,V,W) :- b(@X,V), b(@X,W). constraint key { b(X,V), b(Y,W) => (X == Y => V == W) }
      property same { p(X,V,W) => V == W }`;
    expect(verdicts(text)).toEqual({ same: "holds" });
  });

  test("hold for one leaf taken twice", () => {
    const text = `${COPY}constraint apart { b(X,V), b(Y,W) => X != W } property differ { p(X,V) => X != V }`;
    expect(verdicts(text)).toEqual({ differ: "holds" });
  });

  test("count in the test of the consequent", () => {
    const text = `${COPY}constraint positive { b(X,V) => V >= 1 } property positive { p(X,V) => V > 0 }`;
    expect(verdicts(text)).toEqual({ positive: "holds" });
  });

  test("on a mixed predicate concern its base tuples alone", () => {
    const text = `r1 m(@X,P) :- e(@X,P), P > 0. base m. constraint initial { m(X,P) => P == 0 }
      r2 o(@X,P) :- m(@X,P). property zero { o(X,P) => P == 0 }`;
    expect(verdicts(text)).toEqual({ zero: "violated r2" });
  });
});

describe("recursion", () => {
  test("a cut predicate is an open leaf inside its own trees, and an uncut one is expanded", () => {
    const text = `r1 a(@X) :- b(@X), e(@X). r2 b(@X) :- a(@X). r3 b(@X) :- c(@X). cut b; property inside { a(X) => e(X) }
      property origin { a(X) => c(X) }`;
    const { pool, program, verified } = analyse(text);
    const size = (name: string): number =>
      pool.entries(program.predicates.findIndex((each) => each.name === name)).length;
    expect([size("a"), size("b")]).toEqual([1, 2]);
    expect([verified["inside"]?.answer.kind, verified["origin"]?.answer.kind]).toEqual(["holds", "holds"]);
  });

  test("a lemma is used below open leaves, never at the node for which it is proved", () => {
    const text = `d1 r(@X) :- r(@X). d2 r(@X) :- b(@X). lemma r(X) => c(X); o c2(@X) :- c(@X).
      property has { r(X) => c(X) }`;
    const { failedLemmas, verified } = analyse(text);
    expect(failedLemmas).toEqual(["d2"]);
    expect(verified["has"]?.answer.kind).toBe("violated");
  });
});

describe("arithmetic", () => {
  test("`=` in a body is equality, and definitions may come in any order", () => {
    const text = `r1 p(@X,N) :- N := M + 1, b(@X,Y), M := 2 * Y. r2 q(@X,Y) :- b(@X,Y), X = Y.
      property order { p(X,N) => exists Y: b(X,Y), N == 2 * Y + 1 } property equal { q(X,Y) => X == Y }`;
    expect(verdicts(text)).toEqual({ order: "holds", equal: "holds" });
  });

  test("strings and integers do not collide, whatever integers the program writes", () => {
    const integers = Array.from({ length: 40 }, (_, k) => `T != ${k - 20}`).join(" && ");
    const text = `r1 p(@X,T) :- b(@X), T := "ff:ff". property apart { p(X,T) => ${integers} && T != 255 && T != 1001 }`;
    expect(verdicts(text)).toEqual({ apart: "holds" });
  });
});

test("constraints on pairs of a mixed predicate concern pairs of base tuples alone", () => {
  const text = `r1 m(@X,P) :- e(@X,P). base m. constraint key { m(X,P), m(X,Q) => P == Q }
    property same { m(X,P), m(X,Q) => P == Q }`;
  expect(verdicts(text)).toEqual({ same: "violated a base tuple+r1 r1+a base tuple r1+r1" });
});

describe("occurrences", () => {
  test("of the consequent may differ between instances", () => {
    const text =
      "r1 p(@X) :- s(@X,A), s(@X,B), A+B >= 0. property some { p(X) => exists Y, Z: s(Y,Z), Z >= 0 }";
    expect(verdicts(text)).toEqual({ some: "holds" });
  });

  test("include the roots", () => {
    expect(verdicts(`${COPY}property itself { p(X,V) => exists Y, W: p(Y,W), W == V }`)).toEqual({
      itself: "holds",
    });
  });

  test("include inner nodes and open leaves", () => {
    const text = `r1 a(@X) :- b(@X). r2 p(@X) :- a(@X). property inner { p(X) => a(X) }
      d1 r(@X) :- b(@X). d2 r(@X) :- r(@Y), l(@Y,X). r3 top(@X) :- r(@X). property open { top(X) => r(X) }`;
    expect(verdicts(text)).toEqual({ inner: "holds", open: "holds" });
  });

  test("of tuples that could also be derived do not count", () => {
    const text = "p(@X) :- b(@X). q(@X) :- b(@X). property also { p(X) => exists Y: q(Y) }";
    expect(verdicts(text)).toEqual({ also: "violated rule#1" });
  });

  test("share variables with the antecedent", () => {
    const text = `${COPY}property shared { p(X,V) => b(X,V) } property other { p(X,V) => b(V,X) }`;
    expect(verdicts(text)).toEqual({ shared: "holds", other: "violated r1" });
  });
});

describe("answers", () => {
  test("vacuous truth is visible, and only where it is true", () => {
    const text = `r1 p(@X,V) :- b(@X,V), V > 0, V < 0. r2 q(@X) :- b(@X,V).
      property never { p(X,V) => V == 7 } property always { q(X) => X == X }`;
    expect(verdicts(text)).toEqual({ never: "holds vacuously", always: "holds" });
  });

  test("a violation needs closed trees: open leaves alone are undecided", () => {
    const text =
      "r1 p(@X) :- p(@X). r2 o(@X) :- b(@X). property has { p(X), X == 3 => exists Y: b(Y), Y == 4 } derivable some { p(X) }";
    expect(verdicts(text, { infers: false })).toEqual({ has: "undecided", some: "undecided" });
  });

  test("an unknown answer of the solver is neither a proof nor a violation", () => {
    const mute = (solver: Solver): Solver =>
      new Proxy(solver, {
        get: (target, name) => {
          if (name === "check") return () => ({ kind: "unknown", reason: "mute" });
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === "function" ? (value.bind(target) as unknown) : value;
        },
      });
    const text = `${COPY}property right { p(X,V) => b(X,V) } property wrong { p(X,V) => X == V }`;
    expect(verdicts(text, { wrap: mute })).toEqual({ right: "undecided", wrong: "undecided" });
  });

  test("the model is that of the violation", () => {
    const { verified } = analyse(`r1 p(@X,V) :- b(@X,V). property low { p(X,V), V > 3 => V > 4 }`);
    const { answer } = verified["low"]!;
    expect(answer.kind === "violated" && answer.counterexample.events.map(({ values }) => values[1])).toEqual(
      [4n, 4n],
    );
  });

  test("a counterexample that does not replay is an internal error, not a violation", () => {
    const zeros = (solver: Solver): Solver =>
      new Proxy(solver, {
        get: (target, name) => {
          if (name === "model") return () => ({ value: () => 0n });
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === "function" ? (value.bind(target) as unknown) : value;
        },
      });
    const text = "r1 p(@X,V) :- b(@X,V). property low { p(X,V), V > 3 => V > 4 }";
    expect(() => analyse(text, { wrap: zeros })).toThrow("cannot be replayed");
  });

  test("a remainder is never negative, also in a negated condition", () => {
    const text = `r1 p(@X,M) :- b(@X), M := X % 3. property range { p(X,M) => 0 <= M && M < 3 }
      property inside { p(X,M) => X % 3 == M && (X / 3) * 3 + M == X }
      property zero { p(X,M) => M != 2 }`;
    expect(verdicts(text)).toEqual({ range: "holds", inside: "holds", zero: "violated r1" });
  });

  test("a string is no integer", () => {
    const text = `r1 p(@X,T) :- b(@X), T := "a". property other { p(X,T) => T != "b" && T != 0 && T != 97 }
      property same { p(X,T) => T == "a" }`;
    expect(verdicts(text)).toEqual({ other: "holds", same: "holds" });
  });

  test("the location is an ordinary attribute of a join", () => {
    const text =
      "r1 p(@X,Y) :- b(@X,Y), c(@Y,X). property join { p(X,Y) => exists Z: c(Y,Z), Z == X }" +
      " property from { p(X,Y) => exists Z: b(X,Z), Z == Y }";
    expect(verdicts(text)).toEqual({ join: "holds", from: "holds" });
  });
});
