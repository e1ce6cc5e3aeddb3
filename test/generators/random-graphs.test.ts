import { expect, test } from "vitest";
import { Random } from "./random.js";
import { randomFormula, randomGraph } from "./random-graphs.js";

const shape = {
  states: 1024,
  density: 0.002,
  propositions: ["a", "b", "c", "d"],
  conditions: 3,
  conditionProbability: 0.0133333,
};

test("graphs have all states reachable, about the density asked for, and marks as likely as asked for", () => {
  const graph = randomGraph(shape, 1);
  const reached = new Set([0]);
  for (const state of reached) graph.states[state]!.forEach(({ to }) => reached.add(to));
  expect(reached.size).toBe(1024);
  const edges = graph.states.flat();
  const mean = 1 + 1023 * shape.density;
  expect(Math.abs(edges.length / 1024 - mean)).toBeLessThan(0.25);
  const seen = edges.filter(({ marks }) => (marks & 1) === 1).length / edges.length;
  expect(seen).toBeGreaterThan(0.006);
  expect(seen).toBeLessThan(0.025);
  for (const state of graph.states) {
    expect(new Set(state.map(({ to }) => to)).size).toBe(state.length);
    expect(new Set(state.map(({ guard }) => guard[0]!.value)).size).toBe(1);
  }
});

test("the same seed gives the same graph, another seed another", () => {
  expect(randomGraph(shape, 7)).toEqual(randomGraph(shape, 7));
  expect(randomGraph(shape, 7)).not.toEqual(randomGraph(shape, 8));
});

test("formulas have the size asked for", () => {
  const random = new Random(3);
  const size = (formula: object): number =>
    1 +
    Object.values(formula).reduce<number>(
      (sum, part) => sum + (typeof part === "object" ? size(part as object) : 0),
      0,
    );
  for (let i = 0; i < 200; i++) expect(size(randomFormula(5, 4, random))).toBe(5);
});
