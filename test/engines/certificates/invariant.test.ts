/** The checker of invariants accepts proofs, and rejects weakened, strengthened and forged ones. */
import { afterAll, describe, expect, test } from "vitest";
import { checkInvariant } from "../../../src/engines/certificates/index.js";
import { openCheckers } from "../../../src/solvers/index.js";
import { analyse, programOf, solverForTests } from "../guarded/analyse.js";

const opened = solverForTests();
const checkers = openCheckers("auto");
afterAll(() => {
  opened.close();
  for (const checker of checkers) checker.close();
});

const counter = "var x : int = 0; up: x < 5 -> x := x + 1; reset: true -> x := 0; error far: x > 5;";

const judge = (text: string, invariant: string, property = "far"): string => {
  const judgement = checkInvariant(
    programOf(text),
    { kind: "invariant", property, by: "test", invariant },
    checkers,
    20_000,
  );
  return judgement.kind === "accepted" ? "accepted" : judgement.why;
};

test("an invariant is accepted", () => {
  expect(judge(counter, "(and (<= 0 |x|) (<= |x| 5))")).toBe("accepted");
  expect(judge(counter, "(let ((a (<= |x| 5))) (and a (<= 0 |x|)))")).toBe("accepted");
  expect(judge(counter, "(exists ((k Int)) (! (and (= |x| (- 5 k)) (>= k 0)) :weight 0))")).toBe("accepted");
});

test.each([
  ["false", "an initial state is outside the invariant"],
  ["(= |x| 0)", "transition 0 (program up) leaves the invariant"],
  ["true", "the invariant does not imply the property"],
  ["(<= |x| 6)", "the invariant does not imply the property"],
])("%s is rejected", (invariant, why) => {
  expect(judge(counter, invariant)).toBe(why);
  expect(judge(counter, invariant)).not.toBe("accepted");
});

test("inputs may take any value", () => {
  const text = "var x : int = 0; any: true -> x := nondet; error far: x > 5;";
  expect(judge(text, "(<= |x| 5)")).toContain("leaves the invariant");
  const two = "var x : int = 0; var y : int = 0; any: true -> x := nondet, y := nondet; error far: x != y;";
  expect(judge(two, "(= |x| |y|)")).toContain("leaves the invariant");
});

test("right-hand sides read the state before the step", () => {
  const swap = "var x : int = 1; var y : int = 2; s: true -> x := y, y := x; error far: x == y;";
  expect(judge(swap, "(not (= |x| |y|))")).toBe("accepted");
});

test("undefined values are bounded by their ranges alone", () => {
  const text = "abstract var x : 0..3 = *; error far: x > 3;";
  expect(judge(text, "(<= |x| 3)")).toBe("accepted");
  expect(judge(text, "(= |x| 0)")).toBe("an initial state is outside the invariant");
});

describe("forged text", () => {
  test.each([
    "true)(assert false",
    "true (assert false)",
    "(assert false)",
    "(or true |no such|)",
    "((_ divisible 2) |x|)",
    '"text"',
    "",
    "(and",
    "(let ((|x| 0)) (<= |x| 5)) true",
  ])("%s cannot be read", (invariant) => {
    expect(judge(counter, invariant)).toContain("cannot be read");
  });

  test("a binding does not reach outside", () => {
    expect(judge(counter, "(and (<= 0 |x|) (let ((|x| 3)) (<= |x| 5)))")).not.toBe("accepted");
  });

  test("another property, no solver, a solver that lies by omission", () => {
    expect(judge(counter, "(and (<= 0 |x|) (<= |x| 5))", "near")).toContain("no such property");
    const proof = { kind: "invariant", property: "far", by: "test", invariant: "true" } as const;
    const program = programOf(counter);
    expect(checkInvariant(program, proof, [], 1000).kind).toBe("rejected");
    for (const output of ["", "unsat", "unsat\nunsat\nunsat\nunsat\nunsat", "unsat\nunknown\nunsat\nunsat"]) {
      const runner = { name: "fake", run: () => ({ kind: "answered", output }) as const };
      expect(checkInvariant(program, proof, [runner], 1000).kind, output).toBe("rejected");
    }
  });
});

test("two hundred mutants of proofs are judged as the states say", { timeout: 240_000 }, () => {
  // Every value of x lies in 0..5: a mutant is an invariant iff it contains these, and nothing that steps out or violates.
  let rejected = 0;
  for (let low = -5; low <= 4; low++)
    for (let high = -2; high <= 17; high++) {
      const isRight = low <= 0 && high === 5;
      const verdict = judge(
        counter,
        `(and (<= ${low < 0 ? `(- ${-low})` : low} |x|) (<= |x| ${high < 0 ? `(- ${-high})` : high}))`,
      );
      expect(verdict === "accepted", `${low}..${high}`).toBe(isRight);
      if (!isRight) rejected++;
    }
  expect(rejected).toBe(194);
});

test("every proof of the engine is accepted, in every mode", () => {
  const text = `var t : int = *; var s : int = *; init t == s; var a, b : int = 0; explicit var p, q : pc = 1;
    p == 1 -> a := t, t := t + 1, p := 2; p == 2 && a <= s -> p := 3; p == 3 -> s := s + 1, p := 1;
    q == 1 -> b := t, t := t + 1, q := 2; q == 2 && b <= s -> q := 3; q == 3 -> s := s + 1, q := 1;
    error far: p == 3 && q == 3;`;
  for (const check of ["trap", "printed"] as const) {
    const { answer } = analyse(text, opened.solver, { check });
    expect(answer.kind).toBe("safe");
    if (answer.kind === "safe") expect(judge(text, answer.invariant ?? "")).toBe("accepted");
  }
});
