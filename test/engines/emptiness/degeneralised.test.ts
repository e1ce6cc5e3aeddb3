import fc from "fast-check";
import { expect, test } from "vitest";
import { Degeneralised } from "../../../src/engines/explicit/emptiness/index.js";
import { checkGraph } from "../../../bench/emptiness/check-graph.js";
import { allMarks } from "../../../src/model/index.js";
import { sizeOf } from "../../../bench/emptiness/products.js";
import { lookingAhead, reordered } from "../../../bench/emptiness/relabelled.js";
import { asGraph, isObviouslyEmpty, type WrittenGraph } from "./graphs.js";

const written: fc.Arbitrary<WrittenGraph> = fc
  .record({ states: fc.integer({ min: 1, max: 6 }), conditions: fc.integer({ min: 2, max: 5 }) })
  .chain(({ states, conditions }) =>
    fc.record({
      conditions: fc.constant(conditions),
      arcs: fc.array(
        fc.array(
          fc.record({
            to: fc.nat(states - 1),
            marks: fc.nat(allMarks(conditions)),
          }),
          { maxLength: 3 },
        ),
        { minLength: states, maxLength: states },
      ),
    }),
  );

const withOrder = written.chain((graph) =>
  fc.record({
    graph: fc.constant(graph),
    order: fc.shuffledSubarray(
      Array.from({ length: graph.conditions }, (_, i) => i),
      { minLength: graph.conditions },
    ),
    lookahead: fc.boolean(),
  }),
);

function degeneralised(graph: WrittenGraph, order?: number[], lookahead = false): Degeneralised {
  const inOrder = order ? reordered(asGraph(graph), order) : asGraph(graph);
  return new Degeneralised(lookahead ? lookingAhead(inOrder) : inOrder);
}

test("keeps emptiness in every order, with and without lookahead", () =>
  fc.assert(
    fc.property(withOrder, ({ graph, order, lookahead }) => {
      expect(checkGraph(degeneralised(graph, order, lookahead), "cou99").isEmpty).toBe(
        isObviouslyEmpty(graph),
      );
    }),
    { numRuns: 1000 },
  ));

test("has at most as many copies of a state as there are conditions", () =>
  fc.assert(
    fc.property(withOrder, ({ graph, order, lookahead }) => {
      const { states } = sizeOf(degeneralised(graph, order, lookahead));
      expect(states).toBeLessThanOrEqual(graph.conditions * sizeOf(asGraph(graph)).states);
    }),
  ));

test("marks that are on every arc cost nothing", () =>
  fc.assert(
    fc.property(written, (graph) => {
      const full = allMarks(graph.conditions);
      const marked = { ...graph, arcs: graph.arcs.map((out) => out.map(({ to }) => ({ to, marks: full }))) };
      expect(sizeOf(degeneralised(marked)).states).toBe(sizeOf(asGraph(marked)).states);
    }),
  ));

test("an order that leaves a condition out is refused", () => {
  const graph: WrittenGraph = { conditions: 3, arcs: [[]] };
  expect(() => degeneralised(graph, [0, 1])).toThrow(/does not name each condition once/);
  expect(() => degeneralised(graph, [0, 2, 2])).toThrow(/does not name each condition once/);
});
