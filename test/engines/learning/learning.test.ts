/** Learned assumptions: figures of the literature, and agreement with the composition of all components. */
import { describe, expect, test } from "vitest";
import { orders, rules as allRules, type Component } from "../../../src/engines/learning/index.js";
import { mayFail, traceToError } from "../../../src/engines/learning/automata.js";
import { Random } from "../../../src/session/index.js";
import {
  composeComponents,
  proveByAssumptions,
  searchError,
  type Proved,
} from "../../../src/session/lts/learning.js";
import { assumptionSystem } from "../../../src/model/index.js";
import { minimise } from "../../../src/index.js";
import {
  FAULTY,
  INPUT,
  ORDER,
  OUTPUT,
  component,
  failing,
  lockServer,
  randomSystem,
  rover,
} from "./systems.js";

const rules = allRules.map(({ name }) => name);

const sizes = ({ assumptions }: Proved): number[] => assumptions.map(({ states }) => states);

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
    if (!outcome.trace) throw new Error("the fault was not found");
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

test("a property about actions of nobody is refused", async () => {
  const stranger = component("P", ["0 input 1"], ["nowhere"]);
  await expect(proveByAssumptions([INPUT, OUTPUT], stranger, "asym")).rejects.toThrow(
    "no component has the action",
  );
  const vague = component("P", ["0 input 1", "0 input 0"]);
  await expect(proveByAssumptions([INPUT, OUTPUT], vague, "asym")).rejects.toThrow("not deterministic");
  await expect(proveByAssumptions([INPUT, OUTPUT], ORDER, "magic")).rejects.toThrow("no rule 'magic'");
});

test(
  "random systems: every rule, order and alphabet agrees with the whole",
  { timeout: 240_000 },
  async () => {
    let violated = 0;
    // 72: the table disagrees with its first automaton.
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 72]) {
      const random = new Random(seed);
      const { components, property } = randomSystem(random);
      const known = new Set(components.flatMap(({ alphabet }) => [...alphabet]));
      const all = await whole(components, property);
      const isViolated = traceToError(all) !== undefined;
      violated += Number(isViolated);
      const ways = [
        ...orders.map((order) => ({ order })),
        { order: "given" as const, alphabet: "refined" as const },
      ];
      const shuffled = components.map((each) => [random.below(100), each] as const).sort(([a], [b]) => a - b);
      const mixed = shuffled.map(([, each]) => each);
      for (const rule of rules)
        for (const way of ways) {
          const outcome = await proveByAssumptions(mixed, property, rule, way);
          const context = `seed ${seed}, ${rule}, ${JSON.stringify(way)}`;
          expect(outcome.kind, context).toBe(isViolated ? "violated" : "proved");
          // The trace is one of all components together.
          const { trace, assumptions, steps } = outcome;
          if (trace)
            expect(
              mayFail(all, trace, (l) => known.has(l)),
              context,
            ).toBe(true);
          for (const assumption of assumptions) {
            const lts = assumptionSystem(assumption);
            if (lts) expect(minimise(lts, "strong").states, context).toBe(assumption.states);
          }
          expect(steps.length, context).toBe(outcome.candidates);
        }
    }
    expect(violated).toBeGreaterThan(1);
    expect(violated).toBeLessThan(14);
  },
);

test("alphabets that begin small omit actions that do not matter", async () => {
  const { components, property } = lockServer(3);
  const whole = await proveByAssumptions(components, property, "asym");
  const refined = await proveByAssumptions(components, property, "asym", { alphabet: "refined" });
  const letters = ({ assumptions }: Proved): number =>
    assumptions.reduce((sum, { alphabet }) => sum + alphabet.length, 0);
  expect(refined.kind).toBe("proved");
  expect(letters(refined)).toBeLessThanOrEqual(letters(whole));
});

test("the order of the property's neighbours keeps the lock server small", async () => {
  const { components, property } = lockServer(8);
  const mixed = [...components].reverse();
  const good = await proveByAssumptions(mixed, property, "asym", { order: "property" });
  expect(good.largest).toBeLessThanOrEqual(20);
  expect(good.order.slice(2, 3)).toEqual(["Server"]);
});

test("the executive of a rover: at least five times smaller than the whole", async () => {
  const { components, property } = rover();
  const { states } = await searchError(failing(components, property));
  const outcome = await proveByAssumptions(components, property, "asym", { order: "property" });
  expect(outcome.kind).toBe("proved");
  expect(states / outcome.largest).toBeGreaterThanOrEqual(5);
  const faulty = rover({ isFaulty: true });
  for (const rule of rules)
    expect((await proveByAssumptions(faulty.components, property, rule, { order: "property" })).kind).toBe(
      "violated",
    );
});
