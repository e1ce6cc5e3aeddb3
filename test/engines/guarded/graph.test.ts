/** The abstract states of an analysis: drawn, and the models that must steps reach. */
import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { abstractGraph, ase, DEFAULT_ASE } from "../../../src/engines/guarded/index.js";
import type { AbstractGraph, AbstractModel } from "../../../src/model/index.js";
import { inRepository } from "../../repository.js";
import { finish, programOf, solverForTests } from "./analyse.js";

const opened = solverForTests();
afterAll(() => opened.close());

const fixture = (name: string): string =>
  readFileSync(inRepository(`test/fixtures/gcl/conformance/${name}.gcl`), "utf8");

function graphOf(text: string, model?: AbstractModel): AbstractGraph {
  const program = programOf(text);
  const options = { ...DEFAULT_ASE, mode: "path-memo", maxIterations: 1 } as const;
  const { abstraction, explored } = finish(ase(program, program.properties[0]!, opened.solver, options));
  const graph = abstraction && explored && finish(abstractGraph(abstraction, explored, model));
  if (!graph) throw new Error("nothing was explored");
  return graph;
}

const named = ({ states }: AbstractGraph): string[] =>
  states.map(({ values, formulas }) => [...values.map(({ value }) => value), ...formulas].join(" ")).sort();

test("ase finds three states of weak-example, must steps one, weak ones two", () => {
  const text = fixture("weak-example");
  expect(named(graphOf(text, "ase"))).toEqual(["1 x > 0", "2 x <= 0", "2 x > 0"]);
  expect(named(graphOf(text, "must"))).toEqual(["1 x > 0"]);
  // Every (2, x > 0) has a predecessor, (1, x + 1): the step there is must⁻.
  expect(named(graphOf(text, "weak"))).toEqual(["1 x > 0", "2 x > 0"]);
});

test("weak follows must⁻ steps, then must steps, and no must⁻ step after these", () => {
  const text = `explicit var pc : pc = 1; var x : int = *; init x > 0; a: pc == 1 && x > 0 -> pc := 2, x := x - 1;
    b: pc == 2 && x > 0 -> pc := 3, x := x + 5; c: pc == 3 && x > 0 -> pc := 4, x := x - 1; safety s: true;`;
  expect(named(graphOf(text, "must"))).toEqual(["1 x > 0"]);
  expect(named(graphOf(text, "weak"))).toEqual(["1 x > 0", "2 x > 0", "3 x > 0"]);
  expect(named(graphOf(text, "ase"))).toContain("4 x > 0");
});

test("a step from all of the source is must, and its target is reached by must alone", () => {
  const text = `explicit var pc : pc = 1; var x : int = *; init x > 0;
    a: pc == 1 && x > 0 -> pc := 2, x := x + 1; safety s: true;`;
  expect(named(graphOf(text, "must"))).toEqual(["1 x > 0", "2 x > 0"]);
  expect(graphOf(text, "must").edges).toMatchObject([{ label: "a", isExact: true }]);
});

test("a must⁻ step of a transition with an input counts its every value", () => {
  const text = `explicit var pc : pc = 1; var x : int = 0;
    a: pc == 1 -> pc := 2, x := nondet; b: pc == 2 && x > 4 -> pc := 3; safety s: true;`;
  expect(named(graphOf(text, "weak"))).toContain("3 x > 4");
  expect(named(graphOf(text, "must"))).toContain("3 x > 4");
});

test("mutex-input has the published steps: six exact ones, which are the trap", () => {
  const { states, edges } = graphOf(fixture("mutex-input"));
  expect([states.length, edges.length]).toEqual([10, 14]);
  expect(edges.filter(({ isExact }) => isExact)).toHaveLength(6);
  expect(edges.filter(({ isTrap }) => isTrap)).toHaveLength(6);
  expect(edges.filter(({ isLoop }) => isLoop)).toHaveLength(6);
  expect(states.filter(({ isInitial }) => isInitial)).toHaveLength(2);
  expect(states.flatMap(({ formulas }) => formulas)).toEqual(
    expect.arrayContaining(["x <= y", "b == 2", "b != 2"]),
  );
});

test("the state that violates the property is marked", () => {
  const { states } = graphOf(
    "explicit var pc : pc = 1; var x : int = 7; a: x > 3 -> pc := 2; error e: pc == 2;",
  );
  expect(states.filter(({ isError }) => isError).map(({ values }) => values)).toEqual([
    [{ name: "pc", value: "2" }],
  ]);
});
