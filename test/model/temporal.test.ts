/** A temporal facet whose propositions are evaluated outside the system. */
import { expect, test } from "vitest";
import { observedProposition, observing, Successors, type System } from "../../src/model/index.js";

test("bit p of a valuation is proposition p, of each property its own; the systems stay what they are", () => {
  const counter: System = {
    width: 1,
    compareFrom: 0,
    initial: (out) => void (out.flags[out.count++] = 0),
    successors: (state, at, out) => void (out.words[out.count++ * out.stride] = state[at]! + 1),
    status: () => 1,
  };
  const formula = (...names: string[]) => ({
    name: names.join(),
    kind: "ltl" as const,
    span: undefined,
    propositions: names.map(observedProposition),
    requirement: { kind: "satisfies" as const, formula: { kind: "true" as const } },
  });
  const facet = observing(
    { system: counter, steps: counter, labelled: () => ({ ...counter, labels: "agents" }), agents: 3 },
    [formula("even", "small"), formula("large")],
    (index, p, state, at) => (index === 1 ? state[at]! > 9 : p === 0 ? state[at]! % 2 === 0 : state[at]! < 5),
  );
  const letters = [0, 3, 8, 11].map((n) =>
    [0, 1].map((i) => facet.system.valuation(i, Int32Array.of(-1, n), 1)),
  );
  expect(letters).toEqual([
    [3, 0],
    [2, 0],
    [1, 0],
    [0, 1],
  ]);
  expect(facet.steps.valuation(0, Int32Array.of(3), 0)).toBe(2);
  expect([facet.agents, facet.system.labels, facet.labelled().labels]).toEqual([3, undefined, "agents"]);
  const out = new Successors(1);
  facet.system.successors(Int32Array.of(4), 0, out);
  expect([out.count, out.words[0], facet.system.width, facet.system.status(Int32Array.of(0), 0)]).toEqual([
    1, 5, 1, 1,
  ]);
});
