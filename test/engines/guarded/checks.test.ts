/** The conditions that a proof of guarded commands rests on. */
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { Abstraction } from "../../../src/engines/guarded/abstraction.js";
import { edgesOf, loopOf } from "../../../src/engines/guarded/explore.js";
import { Logic } from "../../../src/engines/guarded/logic.js";
import { confirmed } from "../../../src/engines/guarded/runs.js";
import type { Solver } from "../../../src/model/index.js";
import { inRepository } from "../../repository.js";
import { analyse, programOf, solverForTests } from "./analyse.js";

const opened = solverForTests();
afterAll(() => opened.close());
const { solver } = opened;

const fixture = (name: string): string =>
  readFileSync(inRepository(`test/fixtures/gcl/conformance/${name}.gcl`), "utf8");

describe("closure", () => {
  test("nondet-exactness-trap: an exact transition with inputs may still leave the explored states", () => {
    const text = fixture("nondet-exactness-trap");
    const { answer, iterations } = analyse(text, solver);
    expect(iterations).toHaveLength(2);
    expect(answer.kind).toBe("unsafe");
    if (answer.kind !== "unsafe") return;
    const { transitions } = programOf(text);
    expect(answer.run.steps.map(({ transition }) => transitions[transition]?.label)).toEqual([
      "t1",
      "t2",
      "t1",
    ]);
    for (const mode of ["path", "path-memo", "subsume"] as const)
      expect(analyse(text, solver, { check: "printed", mode }).answer.kind).not.toBe("safe");
  });

  test("safe-fragment and inductive-invariant are incomparable", () => {
    const input = analyse(fixture("mutex-input"), solver, { check: "printed", mode: "path" }).answer;
    expect(input).toMatchObject({ kind: "safe", by: "safe-fragment" });
    const step = analyse(fixture("mutex-step"), solver, { check: "printed", mode: "path" }).answer;
    expect(step).toMatchObject({ kind: "safe", by: "inductive-invariant" });
  });

  test("mutex-input has the published states, transitions and loops", () => {
    const { explored } = analyse(fixture("mutex-input"), solver, { check: "printed", mode: "path" });
    expect(explored?.abstract.size).toBe(10);
    expect(new Set([...(explored?.fin.keys() ?? []), ...(explored?.inf.keys() ?? [])]).size).toBe(14);
    expect(explored?.inf.size).toBe(6);
  });

  test("a counter that outgrows every predicate is not proved by its first states", () => {
    // Exploration stops at the first repetition of x <= 3; only the closure check sees that the loop leaves it.
    const text = "var x : int = 0; up: true -> x := x + 1; error far: x == 7;";
    for (const check of ["trap", "printed"] as const)
      for (const mode of ["path", "path-memo", "concrete-cache", "subsume"] as const)
        expect(analyse(text, solver, { check, mode }).answer.kind, `${check} ${mode}`).toBe("unsafe");
  });

  test("what a loop reaches is followed, also through a state that another path has explored", () => {
    // With x = 0, copy is harmless; only from the loop does the second state lead on to y >= 3.
    const text = `explicit var pc : pc = 1; var x : int = 0; var y : int = 0;
      up: pc == 1 -> x := x + 1; go: pc == 1 -> pc := 2; copy: pc == 2 -> y := x, pc := 3; error e: pc == 3 && y >= 3;`;
    for (const mode of ["path", "path-memo", "concrete-cache", "subsume"] as const)
      for (const check of ["trap", "printed"] as const)
        expect(analyse(text, solver, { mode, check }).answer.kind, `${check} ${mode}`).not.toBe("safe");
  });

  test("an initial condition restricts the first states, and does not remove them", () => {
    const text = "var x : int = *; init x > 4; stay: x > 0 -> x := x; error e: x == 7;";
    expect(analyse(text, solver).answer.kind).toBe("unsafe");
    expect(analyse(text.replace("x == 7", "x == 3"), solver).answer).toMatchObject({
      kind: "safe",
      isVacuous: false,
    });
  });

  test("the loop that an error needs twice is followed", () => {
    const text = `explicit var pc : pc = 1; var x : int = 0;
      a: pc == 1 -> x := x + 2, pc := 2; b: pc == 2 -> x := x - 1, pc := 1;
      error high: pc == 1 && x >= 3;`;
    for (const check of ["trap", "printed"] as const) {
      const { answer } = analyse(text, solver, { check });
      expect(answer.kind).toBe("unsafe");
    }
  });
});

describe("symbolic states", () => {
  test("split into exactly the parts that exist", () => {
    const program = programOf("var x : int = *; var y : int = 0; t: x > 0 && y > 0 -> skip; safety s: true;");
    const logic = new Logic(program, solver.terms);
    const { terms } = solver;
    const [x, y] = logic.variables;
    const [property] = program.properties;
    if (!x || !y || !property) throw new Error("the program is empty");
    const predicates = [terms.less(terms.int(0n), x), terms.less(terms.int(0n), y)].map((each) =>
      each.kind === "not" ? each.of : each,
    );
    const [x0, y0] = [terms.variable("x0", "int"), terms.variable("y0", "int")];
    const parts = new Abstraction(logic, solver, predicates, property).split({
      values: [x0, y0],
      constraints: [terms.equal(y0, terms.int(0n))],
    });
    expect(parts).toHaveLength(2);
    // x <= 0 and x >= 1: the published text has x < 0 here.
    expect(parts.map(({ constraints }) => constraints.length)).toEqual([2, 2]);
  });

  test("assignments are simultaneous", () => {
    const swap = "var x : int = 1; var y : int = 2; s: true -> x := y, y := x; error e: x == y;";
    expect(analyse(swap, solver).answer.kind).toBe("safe");
    const take =
      "var a : int = 0; var t : int = 5; s: t == 5 -> a := t, t := t + 1; error e: a == 5 && t == 6;";
    expect(analyse(take, solver).answer.kind).toBe("unsafe");
  });

  test("two inputs of one step, and of two steps, are independent", () => {
    const both = "var x : int = 0; var y : int = 0; s: true -> x := nondet, y := nondet; error e: x > y + 5;";
    expect(analyse(both, solver).answer.kind).toBe("unsafe");
    const later = `explicit var pc : pc = 1; var x : int = 0; var y : int = 0;
      a: pc == 1 -> x := nondet, pc := 2; b: pc == 2 -> y := nondet, pc := 3; error e: pc == 3 && x != y;`;
    expect(analyse(later, solver).answer.kind).toBe("unsafe");
  });

  test("without an initial state every property holds vacuously", () => {
    const { answer } = analyse("var x : int = *; init x > 0 && x < 0; error e: true;", solver);
    expect(answer).toMatchObject({ kind: "safe", isVacuous: true });
    const hidden = "var x : int = *; var y : int = *; init 2 * x == 2 * y + 1; error e: true;";
    expect(analyse(hidden, solver).answer).toMatchObject({ kind: "safe", isVacuous: true });
  });

  test("a solver without an answer leaves the property undecided", () => {
    const silent: Solver = {
      terms: solver.terms,
      push: () => undefined,
      pop: () => undefined,
      assert: () => undefined,
      check: () => ({ kind: "unknown", reason: "silence" }),
      model: () => ({ value: () => 0n }),
      core: () => [],
      project: () => undefined,
      figures: () => solver.figures(),
    };
    for (const check of ["trap", "printed"] as const)
      for (const mode of ["path", "subsume"] as const) {
        const { answer } = analyse(fixture("mutex-input"), silent, { check, mode });
        expect(answer).toMatchObject({ kind: "undecided" });
        const counter = "var x : int = 0; up: true -> x := x + 1; error low: x < 0;";
        expect(analyse(counter, silent, { check, mode }).answer.kind).toBe("undecided");
      }
  });
});

describe("paths", () => {
  test("the loop of a lasso begins at the matched state", () => {
    const path = [
      ["a1", 1],
      ["a3", 4],
      ["a4", 2],
    ] as const;
    const loop = loopOf(path, { from: "a5", transition: 3, to: "a4" });
    expect(loop).toEqual([
      { from: "a4", transition: 2, to: "a5" },
      { from: "a5", transition: 3, to: "a4" },
    ]);
    expect(edgesOf(path.slice(0, 2), "a4")).toEqual([
      { from: "a1", transition: 1, to: "a3" },
      { from: "a3", transition: 4, to: "a4" },
    ]);
    expect(loopOf(path, { from: "a5", transition: 0, to: "a5" })).toHaveLength(1);
  });

  test("a run that cannot be executed, or violates nothing, is an internal error", () => {
    const program = programOf("var x : int = 0; up: x < 2 -> x := x + 1; error e: x == 2;");
    const [property] = program.properties;
    if (!property) throw new Error("there is no property");
    const steps = [{ transition: 0, inputs: [] }];
    expect(() => confirmed(program, property, { first: [5n], steps })).toThrow(/executed/);
    expect(() => confirmed(program, property, { first: [0n], steps })).toThrow(/does not violate/);
    expect(() =>
      confirmed(program, property, { first: [0n], steps: [...steps, ...steps, ...steps] }),
    ).toThrow(/executed/);
    expect(confirmed(program, property, { first: [0n], steps: [...steps, ...steps] }).steps).toHaveLength(2);
  });
});
