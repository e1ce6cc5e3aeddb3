/** Learned assumptions: figures of the literature, and agreement with the composition of all components. */
import { describe, expect, test } from "vitest";
import { rules, type Component, type Outcome } from "../../../src/engines/learning/index.js";
import { assumptionLts, mayFail, traceToError } from "../../../src/engines/learning/automata.js";
import { Random } from "../../../src/session/index.js";
import { composeComponents, proveByAssumptions, searchError } from "../../../src/session/lts/learning.js";
import { minimise } from "../../../src/index.js";
import { FAULTY, INPUT, ORDER, OUTPUT, component, failing, lockServer, randomSystem } from "./systems.js";

const sizes = (outcome: Outcome): number[] =>
  outcome.kind === "proved" ? outcome.assumptions.map(({ states }) => states) : [];

const whole = (components: readonly Component[], property: Component) =>
  composeComponents(failing(components, property));

test("input and output: two candidates, 10 queries, 2 states", async () => {
  const outcome = await proveByAssumptions([INPUT, OUTPUT], ORDER, "asym");
  expect(outcome).toMatchObject({ kind: "proved", candidates: 2, queries: 10 });
  expect(sizes(outcome)).toEqual([2]);
  const swapped = await proveByAssumptions([OUTPUT, INPUT], ORDER, "asym");
  expect([swapped.kind, swapped.candidates, ...sizes(swapped)]).toEqual(["proved", 2, 2]);
});

test("input and output, by the symmetric rule: 7 and 7 states", async () => {
  for (const order of [
    [INPUT, OUTPUT],
    [OUTPUT, INPUT],
  ])
    expect(sizes(await proveByAssumptions(order, ORDER, "sym"))).toEqual([7, 7]);
});

test("an acknowledgement without output violates the order", async () => {
  for (const rule of rules)
    expect(await proveByAssumptions([INPUT, FAULTY], ORDER, rule)).toMatchObject({
      kind: "violated",
      trace: ["input", "send", "ack", "input"],
    });
});

describe("lock server", () => {
  test.each([2, 3, 4, 6, 8, 10])("%i clients: no system has more than 20 states", async (clients) => {
    const { components, property } = lockServer(clients);
    const outcome = await proveByAssumptions(components, property, "asym");
    expect([outcome.kind, Math.max(...sizes(outcome))]).toEqual(["proved", 3]);
    expect(outcome.largest).toBeLessThanOrEqual(20);
  });

  test("a faulty server", async () => {
    const { components, property } = lockServer(3, { second: 3, isFaulty: true });
    const outcome = await proveByAssumptions(components, property, "asym");
    if (outcome.kind !== "violated") throw new Error("the fault was not found");
    const all = await whole(components, property);
    const known = new Set(components.flatMap(({ alphabet }) => [...alphabet]));
    expect(mayFail(all, outcome.trace, (label) => known.has(label))).toBe(true);
    expect((await searchError(failing(components, property))).steps).toBe(12);
    const line = component(
      "trace",
      outcome.trace.map((label, i) => `${i} ${label} ${i + 1}`),
      [...known],
    );
    expect((await searchError([line, ...failing(components, property)])).steps).toBe(12);
  });
});

test("a property about actions of nobody is refused", () => {
  const stranger = component("P", ["0 input 1"], ["nowhere"]);
  expect(() => proveByAssumptions([INPUT, OUTPUT], stranger, "asym")).toThrow("no component has the action");
  const vague = component("P", ["0 input 1", "0 input 0"]);
  expect(() => proveByAssumptions([INPUT, OUTPUT], vague, "asym")).toThrow("not deterministic");
});

test("random systems: every rule and order agrees with the whole", { timeout: 240_000 }, async () => {
  let violated = 0;
  // 72: the table disagrees with its first automaton.
  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 72]) {
    const random = new Random(seed);
    const { components, property } = randomSystem(random);
    const known = new Set(components.flatMap(({ alphabet }) => [...alphabet]));
    const all = await whole(components, property);
    const isViolated = traceToError(all) !== undefined;
    violated += Number(isViolated);
    const order = components.map((each) => [random.below(100), each] as const).sort(([a], [b]) => a - b);
    for (const rule of rules)
      for (const inOrder of [components, order.map(([, each]) => each)]) {
        const outcome = await proveByAssumptions(inOrder, property, rule);
        const context = `seed ${seed}, ${rule}`;
        expect(outcome.kind, context).toBe(isViolated ? "violated" : "proved");
        // The trace is one of all components together.
        if (outcome.kind === "violated")
          expect(
            mayFail(all, outcome.trace, (l) => known.has(l)),
            context,
          ).toBe(true);
        else
          for (const { dfa, alphabet, states } of outcome.assumptions.filter(
            ({ dfa: { accepting } }) => accepting[0],
          ))
            expect(minimise(assumptionLts(dfa, alphabet), "strong").states, context).toBe(states);
      }
  }
  expect(violated).toBeGreaterThan(1);
  expect(violated).toBeLessThan(14);
});
