import { describe, expect, test } from "vitest";
import { EMPTINESS_ALGORITHMS, refusal } from "../../../src/engines/explicit/emptiness/index.js";
import { checkGraph } from "../../../bench/emptiness/check-graph.js";
import { disagreements } from "./agreement.js";
import { asGraph, isObviouslyEmpty, randomGraph, randomNumbers, type WrittenGraph } from "./graphs.js";

test("random graphs: all algorithms agree with the obvious answer, and every run replays", () => {
  const random = randomNumbers(1);
  let accepting = 0;
  for (let i = 0; i < 4000; i++) {
    const written = randomGraph(random);
    expect(disagreements(written), JSON.stringify(written)).toEqual([]);
    if (!isObviouslyEmpty(written)) accepting++;
  }
  expect(accepting).toBeGreaterThan(1000);
  expect(accepting).toBeLessThan(3000);
});

describe("without conditions", () => {
  const cyclic: WrittenGraph = {
    conditions: 0,
    arcs: [[{ to: 1, marks: 0 }], [{ to: 2, marks: 0 }], [{ to: 1, marks: 0 }]],
  };
  const acyclic: WrittenGraph = {
    conditions: 0,
    arcs: [
      [
        { to: 1, marks: 0 },
        { to: 2, marks: 0 },
      ],
      [{ to: 2, marks: 0 }],
      [],
    ],
  };
  for (const algorithm of EMPTINESS_ALGORITHMS.filter((name) => refusal(name, 0, true) === undefined))
    test(`${algorithm}: a cycle is accepting, no cycle is not`, () => {
      expect(checkGraph(asGraph(cyclic), algorithm).isEmpty).toBe(false);
      expect(checkGraph(asGraph(acyclic), algorithm).isEmpty).toBe(true);
    });

  test("tau03 refuses", () => {
    expect(() => checkGraph(asGraph(cyclic), "tau03")).toThrow(
      /tau03 needs at least one acceptance condition/,
    );
  });
});
