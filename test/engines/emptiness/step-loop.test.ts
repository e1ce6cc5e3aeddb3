/** The emptiness checks of `auto` as WebAssembly beside JavaScript. */
import { expect, test } from "vitest";
import { checkEmptiness, type EmptinessOptions } from "../../../src/engines/explicit/emptiness/index.js";
import type { Successors } from "../../../src/model/index.js";
import { type System } from "../../../src/model/index.js";
import { productModel } from "../../../src/transforms/product-model.js";
import { soughtBy } from "../../../src/transforms/ltl/sought.js";
import { tinyCase } from "../../generators/promela-tiny.js";
import { renderProgram } from "../../generators/promela-tree.js";
import { compareOnBoth, modelOf, newTally } from "./step-loop.js";

/** Atomic sequences with branches, by two processes: labels differ on the ways to the same state. */
const BRANCHES = `byte x, y;
active [2] proctype P() { byte k; do
  :: atomic { k < 3 -> if :: x = k :: y = k :: x = y fi; if :: k++ :: k = 0 fi; if :: y = 1 - y % 2 :: skip fi }
  :: k == 3 -> k = 0
  od }`;
/** Two channels, a fault in a condition where `x` is 2, and an execution that ends. */
const FAULTY = `byte x, a[2]; chan c = [1] of { byte };
active proctype S() { do :: c!x; x = (x + 1) % 3 :: x == 1 -> break od }
active proctype R() { byte m; do :: c?m od }`;

test.each([
  ["branches", BRANCHES, "[] <> (x < 3)", 200],
  ["branches, a cycle", BRANCHES, "<> [] (x == 2)", 20],
  ["several marks", BRANCHES, "([] <> (x == 1)) -> ([] <> (y == 2))", 20],
  ["a terminal automaton", BRANCHES, "[] (x < 2 || y < 2)", 20],
  ["conditions without a value", FAULTY, "[] <> (a[x] == 0)", 3],
  ["executions that end", FAULTY, "[] <> (x == 0)", 3],
] as const)("%s", async (name, text, formula, states) => {
  const model = modelOf(text, formula)!;
  const tally = newTally();
  await compareOnBoth(name, model, tally);
  expect(tally.asStepCode).toBe(tally.compared);
  expect(tally.states).toBeGreaterThan(states);
  if (name === "conditions without a value") expect(tally.faults).toBeGreaterThan(0);
});

test("tiny programs with random formulas; most run as WebAssembly", { timeout: 240_000 }, async () => {
  const tally = newTally();
  for (let seed = 1; seed <= 60; seed++) {
    const { program, formula } = tinyCase(seed, { hasFormula: true });
    const model = formula === undefined ? undefined : modelOf(renderProgram(program), formula);
    if (model) await compareOnBoth(`program ${seed}: ${formula}`, model, tally);
  }
  expect(tally.compared).toBeGreaterThan(60);
  expect(tally.accepting).toBeGreaterThan(20);
  expect(tally.asStepCode).toBeGreaterThan(0.7 * tally.compared);
});

const MODEL = modelOf(BRANCHES, "[] <> (x == 0)")!;
const [PROPERTY] = MODEL.temporal!.properties;
const made = (): System & { conditions: number } =>
  productModel(MODEL, { property: 0, automaton: soughtBy(PROPERTY!)!, fairness: "none", stutters: true })
    .system;

const check = (system: System, options: Partial<EmptinessOptions> = {}) =>
  checkEmptiness(system, {
    ...{ algorithm: "cou99", conditions: 1, budget: {}, control: {}, usesStep: true },
    ...options,
  });

/** 1: nothing fits from the start; 150: the first arrays fit, and later ones do not. */
test.each([1, 150])(
  "where %i pages of WebAssembly are spent the loop goes on as JavaScript",
  async (stepPages) => {
    const text = "byte x; active [3] proctype P() { byte k; do :: k < 24 -> k++ :: k == 24 -> k = 0 od }";
    const counting = modelOf(text, "[] <> (x < 3)")!;
    const [property] = counting.temporal!.properties;
    const request = {
      property: 0,
      automaton: soughtBy(property!)!,
      fairness: "none",
      stutters: true,
    } as const;
    const whole = await check(productModel(counting, request).system);
    counting.coverage.reached.fill(0);
    const left = await check(productModel(counting, request).system, { stepPages });
    expect([whole.stats.backend, left.stats.backend]).toEqual(["webassembly", "javascript"]);
    expect([left.isEmpty, left.stats.states, left.stats.transitions]).toEqual([true, 125000, 375000]);
    expect([whole.isEmpty, whole.stats.states, whole.stats.transitions]).toEqual([true, 125000, 375000]);
    expect([...counting.coverage.reached]).toContain(1);
  },
);

test("a system that was wrapped, that proposes candidates, or may stay inside is searched as JavaScript", async () => {
  const changed = (by: Partial<System>): System => {
    const { width, compareFrom, labels, step, successors, ...inner } = made();
    const system = made();
    return {
      ...{ width, compareFrom, labels, step, successors, ...inner },
      initial: (out) => system.initial(out),
      status: () => 0,
      ...by,
    };
  };
  expect((await check(changed({}))).stats.backend).toBe("webassembly");
  const stuck = await check(changed({ successors: () => undefined }));
  expect([stuck.stats.backend, stuck.stats.states, stuck.isEmpty]).toEqual(["javascript", 1, true]);
  const proposing = await check(changed({ candidates: { propose: () => 0, successorsOf: () => undefined } }));
  expect(proposing.stats.backend).toBe("javascript");
  let stays = 0;
  const inside = await check(made(), { onStayInside: () => void stays++ });
  expect(inside.stats.backend).toBe("javascript");
});

test("states that become wider are followed", async () => {
  let width = 1;
  const chain: System = {
    get width() {
      return width;
    },
    compareFrom: 0,
    labels: "marks",
    initial: (out) => void (out.count = 1),
    status: () => 0,
    successors: (state, at, out: Successors) => {
      const next = state[at]! + 1;
      if (next === 5) width = 3;
      if (out.stride < width) out.widen(width);
      if (next > 9) return;
      out.words.fill(0, 0, width).set(width === 3 ? [next, 7, 7] : [next]);
      out.labels[0] = 0;
      out.count = 1;
    },
  };
  const { stats, isEmpty } = await check(chain);
  expect([isEmpty, stats.states, stats.transitions, stats.depth]).toEqual([true, 10, 9, 9]);
});
