import { describe, expect, test } from "vitest";
import type { Successors } from "../../../src/model/index.js";
import { Entry, type Model } from "../../../src/model/index.js";
import { ORDERS, chain, check, checkModel, counters, verdictOn } from "./checking.js";
import { toyModel, type Toy } from "./toys.js";

/** Counts to 9; `assert` fails on leaving 3 and 5 (site 0) and on leaving 7 (site 1), and it continues after them. */
const FAILING: Toy = {
  initial: [0],
  next: ([n = 0]) => (n === 9 ? [] : [{ to: [n + 1], ...faultOn(n) }]),
  sites: ["assertion", "assertion"],
};

function faultOn(n: number): { fault?: number } {
  if (n === 3 || n === 5) return { fault: 0 };
  return n === 7 ? { fault: 1 } : {};
}

describe.each(ORDERS)("%s", (order) => {
  test("everything visited and nothing found: holds by exhaustion", async () => {
    const { findings } = await check(counters(2, 3), { order });
    expect(findings.map(({ property, verdict }) => [property.kind, verdict.kind])).toEqual([
      ["assertion", "holds"],
      ["deadlock", "holds"],
      ["runtime", "holds"],
    ]);
    expect(findings[0]!.verdict).toMatchObject({ scope: { kind: "complete", by: "exhaustion" } });
  });

  test("stops at the first error, and what was not decided by then is unknown", async () => {
    const result = await check(FAILING, { order, errors: 1 });
    expect([result.stop, result.isComplete]).toEqual(["errors", false]);
    expect(verdictOn(result, "assertion")).toMatchObject({
      kind: "violated",
      trace: { choices: [0, 0, 0, 0], fault: 0 },
    });
    expect(verdictOn(result, "deadlock")).toMatchObject({ kind: "unknown" });
  });

  test("goes on after errors: each site once, with its occurrences", async () => {
    const result = await check(FAILING, { order, errors: "all" });
    expect(result.isComplete).toBe(true);
    const found = result.findings.flatMap(({ verdict, occurrences }) =>
      verdict.kind === "violated" ? [[verdict.reason, verdict.trace!.choices.length, occurrences]] : [],
    );
    expect(found).toEqual([
      ["site 0", 4, 2],
      ["site 1", 8, 1],
      ["deadlock: no process can move, and not all are at a valid end", 9, 1],
    ]);
  });

  test("a number of errors counts occurrences", async () => {
    const result = await check(FAILING, { order, errors: 2 });
    expect(result.findings.map(({ occurrences }) => occurrences)).toEqual([2, 0, 0]);
    expect(result.stop).toBe("errors");
  });

  test("a deadlock only where the system says that it is one, and only when asked", async () => {
    expect(verdictOn(await check(chain(5), { order }), "deadlock").kind).toBe("holds");
    const stuck: Toy = { ...chain(5), isValidEnd: ([n]) => n === 3 };
    expect(verdictOn(await check(stuck, { order }), "deadlock")).toMatchObject({
      kind: "violated",
      trace: { choices: [0, 0, 0, 0], fault: -1 },
    });
    const { findings } = await check(stuck, { order, checkDeadlock: false });
    expect(findings.map(({ property }) => property.kind)).toEqual(["assertion", "runtime"]);
  });

  test("a step that fails without a successor is no deadlock", async () => {
    const toy: Toy = { initial: [0], next: () => [{ fault: 0 }], sites: ["division-by-zero"] };
    const result = await check(toy, { order });
    expect(verdictOn(result, "deadlock").kind).toBe("holds");
    expect(verdictOn(result, "runtime")).toMatchObject({
      kind: "violated",
      trace: { choices: [0], fault: 0 },
    });
    expect(result.stats.transitions).toBe(0);
  });

  test("an invariant that is false at the start needs no step", async () => {
    const result = await check({ ...chain(3), invariants: [([n = 0]) => n > 0] }, { order, errors: 1 });
    expect(verdictOn(result, "invariant")).toMatchObject({ kind: "violated", trace: { choices: [] } });
  });

  test("properties that were not asked for are left out, and their errors do not stop the search", async () => {
    const result = await check(
      { ...FAILING, invariants: [([n = 0]) => n < 9] },
      { order, errors: 1, isChecked: ({ kind }) => kind === "invariant" },
    );
    expect(result.findings).toHaveLength(1);
    expect(result.findings[0]!.verdict).toMatchObject({
      kind: "violated",
      trace: { choices: new Array(9).fill(0) },
    });
  });

  test("a sequence stuck in its middle is a deadlock with a trace to that place", async () => {
    const toy: Toy = {
      initial: [0],
      next: ([n = 0]) => (n < 3 ? [{ to: [n + 1], intermediate: true }] : []),
    };
    const result = await check(toy, { order });
    expect(verdictOn(result, "deadlock")).toMatchObject({ kind: "violated", trace: { choices: [0, 0, 0] } });
  });

  test("a trace goes through the fine steps of what the search took at once", async () => {
    // The search sees 0 -> 10 -> 20; in fact there are two ways through nine statements each, one of them a dead end.
    const toy: Toy = {
      initial: [0],
      next: ([n = 0]) => (n < 30 ? [{ to: [n + 10] }] : [{ fault: 0 }]),
      fineNext: ([n = 0, wrong = 0]) => {
        if (n >= 30) return [{ fault: 0 }];
        if (n % 10 === 0)
          return [
            { to: [n + 1, 1], intermediate: true },
            { to: [n + 1], intermediate: true },
          ];
        if (n % 10 === 9) return wrong ? [] : [{ to: [n + 1] }];
        return [{ to: [n + 1, wrong], intermediate: true }];
      },
      sites: ["assertion"],
    };
    const verdict = verdictOn(await check(toy, { order }), "assertion");
    const part = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    expect(verdict).toMatchObject({ kind: "violated", trace: { choices: [...part, ...part, ...part, 0] } });
  });
});

test("breadth-first shows a shortest way although another was there first", async () => {
  // 0 -> 1 -> 2 -> 3 -> 9 and 0 -> 4 -> 9; 9 is stuck.
  const graph: Record<number, number[]> = { 0: [1, 4], 1: [2], 2: [3], 3: [9], 4: [9], 9: [] };
  const toy: Toy = { initial: [0], next: ([n = 0]) => graph[n]!.map((to) => ({ to: [to] })) };
  expect(verdictOn(await check(toy), "deadlock")).toMatchObject({ trace: { choices: [1, 0] } });
  expect(verdictOn(await check(toy, { order: "dfs" }), "deadlock")).toMatchObject({
    trace: { choices: [0, 0, 0, 0] },
  });
});

test("an initial state that fails is a violation without a step", async () => {
  const model = toyModel({ initial: [0], next: () => [], sites: ["division-by-zero"] });
  const failing = (out: Successors): void => out.addFault(0);
  const result = await checkModel({
    ...model,
    system: { ...model.system, initial: failing },
    steps: { ...model.steps, initial: failing },
  });
  expect(verdictOn(result, "runtime")).toMatchObject({ kind: "violated", trace: { choices: [], fault: 0 } });
  expect(result.stats.states).toBe(0);
});

test("what the search cannot check is unknown, never holds", async () => {
  const model = toyModel(counters(2, 2));
  const withFormula: Model = {
    ...model,
    properties: [...model.properties, { name: "p", kind: "ltl", span: undefined }],
  };
  expect(verdictOn(await checkModel(withFormula), "ltl")).toMatchObject({ kind: "unknown" });
});

test("a fault that no property covers is a mistake of ours, not something to drop", async () => {
  const model = toyModel({ ...FAILING, sites: ["assertion", "division-by-zero"] });
  const withoutRuntime = { ...model, properties: model.properties.filter(({ kind }) => kind !== "runtime") };
  await expect(checkModel(withoutRuntime)).rejects.toThrow('covers the fault "site 1"');
});

test("a trace that the fine-grained system does not confirm is an internal error, not a verdict", async () => {
  const stuckAtOnce: Toy = {
    ...chain(4),
    isValidEnd: () => false,
    fineNext: ([n = 0]) => (n === 1 ? [] : [{ to: [n + 1] }]),
  };
  await expect(check(stuckAtOnce)).rejects.toThrow(
    "internal error: after 1 steps the fine-grained system does not lead to",
  );
  const notStuck: Toy = { ...chain(4), isValidEnd: () => false, fineNext: ([n = 0]) => [{ to: [n + 1] }] };
  await expect(check(notStuck)).rejects.toThrow("does not end in the deadlock that was found");
});

test("every kind of flag keeps its meaning", () => {
  // The numbers are part of generated code.
  expect([Entry.dead, Entry.intermediate, Entry.faultShift]).toEqual([1, 2, 2]);
});
