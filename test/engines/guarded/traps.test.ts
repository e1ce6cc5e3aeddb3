/** Mistakes that are easy to make in abstract matching; each test is named after one. */
import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { DEFAULT_ASE, ur } from "../../../src/engines/guarded/index.js";
import { loadGcl } from "../../../src/languages/gcl/index.js";
import { inRepository } from "../../repository.js";
import { analyse, finish, programOf, solverForTests } from "./analyse.js";

const opened = solverForTests();
afterAll(() => opened.close());
const { solver } = opened;
const MODES = ["path", "path-memo", "subsume"] as const;
const TABLE = { mode: "concrete-cache", check: "printed" } as const;

const fixture = (name: string): string =>
  readFileSync(inRepository(`test/fixtures/gcl/conformance/${name}.gcl`), "utf8");

test("matching is per path: a global one would be UR, which adds predicates for ever", () => {
  const { answer, iterations } = analyse(fixture("rax"), solver, TABLE);
  expect(answer.kind).toBe("safe");
  expect(iterations.map(({ states, abstractStates }) => [states, abstractStates])).toEqual([[81, 44]]);
  const program = programOf(fixture("rax"));
  const baseline = finish(ur(program, program.properties[0]!, solver, { ...DEFAULT_ASE, maxIterations: 4 }));
  expect(baseline.answer.kind).toBe("undecided");
  expect(baseline.iterations.map(({ predicates }) => predicates)).toEqual([2, 4, 6, 8]);
});

test("every enabled transition of an expanded state is executed before closure is checked", () => {
  // Only the last transition leads to the error, from a state that is closed under the others.
  const text = `explicit var pc : pc = 1; var x : int = 0;
    stay: pc == 1 -> pc := 1; on: pc == 1 -> pc := 2, x := 1; end: pc == 2 && x > 0 -> pc := 3; error e: pc == 3;`;
  for (const mode of MODES)
    for (const check of ["trap", "printed"] as const)
      expect(analyse(text, solver, { mode, check }).answer.kind).toBe("unsafe");
});

test("abstract states are computed anew when predicates are added, and atoms only as needed", () => {
  const { iterations } = analyse(fixture("ticket"), solver, TABLE);
  const last = iterations.at(-1);
  expect([iterations.length, last?.predicates, last?.states, last?.abstractStates]).toEqual([4, 8, 22, 9]);
});

test("subsumption keeps divisibility: even values do not contain odd ones", () => {
  // At 2 all values but 0 have one abstract state. Without divisibility the odd ones are not followed, and the error takes an iteration more.
  const text = `explicit var pc : pc = 1; var x : int = 1; var y : int = *;
    even: pc == 1 -> x := y + y, y := 0, pc := 2;
    odd: pc == 1 -> x := y + y + 1, y := 0, pc := 2;
    down: pc == 2 -> x := x - 3, pc := 3;
    error e: pc == 3 && x == 0;`;
  for (const mode of MODES) {
    const { answer, iterations } = analyse(text, solver, { mode });
    expect([answer.kind, iterations.length], mode).toEqual(["unsafe", 1]);
    expect(analyse(text.replace("+ y + 1", "+ y + 2"), solver, { mode }).answer.kind).toBe("safe");
  }
});

test("subsumption compares states with equal explicit values alone", () => {
  const text = `explicit var pc : pc = 1; explicit var f : 0..1 = 0; var x : int = *;
    a: pc == 1 -> pc := 2; b: pc == 1 && x > 5 -> pc := 2, f := 1; c: pc == 2 && f == 1 -> pc := 3; error e: pc == 3;`;
  for (const mode of MODES) expect(analyse(text, solver, { mode }).answer.kind).toBe("unsafe");
});

test("an error is sought in the symbolic state, not in the abstract one", () => {
  // No predicate separates 4 from 5 in the first iteration but the error itself; the state is infeasible.
  const text = `var x : int = *; init x > 4 && x < 6; step: x > 0 -> x := x; error e: x == 4;`;
  for (const mode of MODES) expect(analyse(text, solver, { mode }).answer.kind).toBe("safe");
});

test("the preimage includes the guard", () => {
  const text = `var x : int = 0; up: x < 3 -> x := x + 1; error e: x > 3;`;
  for (const mode of MODES) expect(analyse(text, solver, { mode }).answer.kind).toBe("safe");
});

test("a deadlock is no error", () => {
  const text = `explicit var pc : pc = 1; stop: pc == 1 -> pc := 2; error e: pc == 3;`;
  for (const mode of MODES) expect(analyse(text, solver, { mode }).answer.kind).toBe("safe");
});

test("explicit variables without bounds are refused", () => {
  const { program, diagnostics } = loadGcl(
    "m.gcl",
    "explicit var x : int = 0; up: x >= 0 -> x := x + 1; error e: x < 0;",
  );
  expect(program).toBeUndefined();
  expect(diagnostics.map(({ code }) => code)).toEqual(["gcl/infinite-explicit"]);
});
