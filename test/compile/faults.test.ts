/**
 * Faults of every kind, alone and several in one step: generated code and interpreter report the same ones, and every trace
 * replays. A second fault in a step must neither hide the first nor leak into the next step.
 */
import { describe, expect, test } from "vitest";
import { check, type CheckOptions } from "../../src/index.js";
import { compare } from "./differential.js";

/** Faults of a step, each as a model and the kinds of fault that a search for all errors reports. */
const models: readonly (readonly [name: string, kinds: readonly string[], text: string])[] = [
  ["an index in printf", ["array-bounds"], 'byte a[3], i; init { i = 5; printf("%d", a[i]) }'],
  ["a constant index in printf", ["array-bounds"], 'byte a[3]; init { printf("%d", a[3]) }'],
  [
    "a division in the second argument of printf",
    ["division-by-zero"],
    'byte z; init { printf("%d %d", z, 1 / z) }',
  ],
  ["an undefined channel in printf", ["bad-channel"], 'chan u; init { printf("%d", len(u)) }'],
  [
    "printf in an atomic sequence",
    ["array-bounds"],
    'byte a[2], i = 2; init { atomic { i = 3; printf("%d", a[i]); i = 0 } }',
  ],
  [
    "printf in a d_step",
    ["division-by-zero"],
    'byte z; init { d_step { z = 0; printf("%d", 2 % z); z = 1 } }',
  ],
  [
    "printf before an assertion",
    ["array-bounds"],
    'byte a[2]; init { byte i = 2; printf("%d", a[i]); assert(false) }',
  ],
  [
    "printm of an element",
    ["array-bounds"],
    "mtype = { red }; mtype a[2]; byte i = 2; init { printm(a[i]) }",
  ],
  ["a division inside an assertion", ["division-by-zero"], "init { byte z; assert(1 / z == 1) }"],
  [
    "two failing assertions in one step",
    ["assertion", "assertion"],
    "byte x; init { d_step { assert(x == 1); assert(x == 2) } }",
  ],
  [
    "a failing assertion before a bad index",
    ["assertion", "array-bounds"],
    "byte a[2], i = 2; init { d_step { assert(false); a[i] = 1 } }",
  ],
  [
    "an assertion behind a bad index",
    ["array-bounds"],
    "byte a[2], i = 2; init { d_step { a[i] = 1; assert(false) } }",
  ],
  [
    "an assertion that fails a hundred times",
    ["assertion"],
    "byte i; init { d_step { do :: i < 100 -> assert(false); i++ :: else -> break od } }",
  ],
  [
    "a bad index and a division in one assignment",
    ["division-by-zero"],
    "byte a[2], i = 2, z; init { a[i] = 1 / z }",
  ],
  [
    "two bad indices in one place",
    ["array-bounds"],
    "typedef T { byte b[3] }; T t[2]; byte i = 7, x; init { x = t[i].b[i]; t[i].b[i] = x }",
  ],
  [
    "polling a rendezvous channel",
    ["bad-channel"],
    "chan c = [0] of { byte }; init { if :: c?[1] :: skip fi }",
  ],
  [
    "polling a rendezvous channel in an assignment",
    ["bad-channel"],
    "chan c = [0] of { byte }; byte x; init { x = c??[1] }",
  ],
  [
    "a channel variable that may hold a rendezvous channel",
    ["bad-channel"],
    "chan c = [0] of { byte }; chan d = [1] of { byte }; chan e; byte x; init { e = d; x = e?[1]; e = c; x = e?[1] }",
  ],
  [
    "a provided clause that fails and is true",
    ["array-bounds"],
    "byte a[2], i = 2; active proctype P() provided (a[i] == 0) { skip } active proctype Q() { i = 3 }",
  ],
  [
    "a provided clause that fails and is false",
    ["array-bounds"],
    "byte a[2], i = 2; active proctype P() provided (a[i] == 1) { skip } active proctype Q() { i = 3 }",
  ],
  [
    "an undefined channel beside an offer with else",
    ["bad-channel"],
    "chan r = [0] of { byte }; chan u; byte g; active proctype P() { if :: r!1 :: else -> g = 1 fi } active proctype Q() { byte x; u?x }",
  ],
  [
    "a bad channel index beside an offer with else",
    ["array-bounds"],
    "chan r = [0] of { byte }; chan d[2] = [0] of { byte }; byte g, i = 2; active proctype P() { if :: r!1 :: else -> g = 1 fi } active proctype Q() { byte x; d[i]?x }",
  ],
  [
    "a bad index of a receive",
    ["array-bounds"],
    "chan c = [1] of { byte }; byte a[2], i = 2; init { c!1; c?a[i] }",
  ],
  [
    "a bad index in eval",
    ["array-bounds"],
    "chan c = [1] of { byte }; byte a[2], i = 2; init { c!1; c?eval(a[i]) }",
  ],
  [
    "a bad index in an argument of run",
    ["array-bounds"],
    "byte a[2], i = 2; proctype P(byte k) { skip } init { run P(a[i]) }",
  ],
  [
    "a bad index in an initialiser",
    ["array-bounds"],
    "byte a[2], i = 2; proctype P() { byte k = a[i]; skip } init { run P() }",
  ],
  [
    "a send that blocks in a d_step",
    ["blocked-step"],
    "chan c = [1] of { byte }; init { d_step { c!1; c!2 } }",
  ],
  ["a condition that blocks in a d_step", ["blocked-step"], "byte x; init { d_step { x = 0; x == 1 } }"],
  ["a remainder by zero in a guard", ["division-by-zero"], "byte z; init { if :: 1 % z == 0 :: else fi }"],
];

describe("faults", () => {
  test.each(models)("%s", async (name, kinds, text) => {
    expect(compare(text, name), name).toBeDefined();
    for (const options of [{ isPlain: true }, { isPlain: true, search: "dfs" }] as const)
      expect(await faultsOf(text, options)).toEqual([...kinds].sort());
  });

  test("of a message that is lost no value is computed", async () => {
    const text = "chan c = [1] of { byte }; byte a[2], i = 2; init { c!1; c!a[i] }";
    expect(await faultsOf(text, { isPlain: true, loseWhenFull: true })).toEqual([]);
    expect(await faultsOf(text, { isPlain: true })).toEqual([]);
  });

  test("an invariant that cannot be evaluated does not hold, and disturbs no step", async () => {
    const text = "active proctype P0() { byte x; skip }";
    for (const store of ["exact", "compact"] as const) {
      const report = await check(
        { file: "m.pml", text },
        { invariants: ["P0:x < 2", "_nr_pr < 2"], store, maxErrors: Infinity },
      );
      const verdicts = report.properties.map(({ property, verdict }) => [property.kind, verdict]);
      expect(verdicts).toContainEqual(["invariant", "violated"]);
      expect(verdicts).toContainEqual(["invariant", store === "exact" ? "holds" : "unknown"]);
      expect(verdicts.filter(([, verdict]) => verdict === "violated")).toHaveLength(1);
    }
  });

  test("an atomic sequence that ends in a fault ends the execution before it", async () => {
    const text = "byte g; chan u; active proctype P() { atomic { g = 1; u?_ } }";
    const report = await check(
      { file: "m.pml", text },
      { ltl: ["<> (g == 7)"], properties: ["<> (g == 7)"] },
    );
    expect(report.properties.map(({ verdict }) => verdict)).toEqual(["violated"]);
  });
});

describe("sorted sends compare values as the channel keeps them", () => {
  test.each([
    "chan c = [2] of { byte }; byte x; init { c!!3; c!!258; c?x; assert(x == 2); c?x; assert(x == 3) }",
    "chan c = [8] of { byte }; byte x; init { c!!3; c!!258; c?x; assert(x == 2); c?x; assert(x == 3) }",
    "chan c = [3] of { short, byte }; short x; byte y; init { c!!1,3; c!!65537,258; c?x,y; assert(x == 1 && y == 2) }",
  ])("%s", async (text) => {
    expect(compare(text, "sorted")).toBeDefined();
    expect(await faultsOf(text, { isPlain: true })).toEqual([]);
  });
});

async function faultsOf(text: string, options: CheckOptions): Promise<string[]> {
  const report = await check({ file: "m.pml", text }, { ...options, maxErrors: Infinity });
  expect(report.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return report.properties
    .flatMap(({ fault, violations }) => (fault ? violations.map(() => fault as string) : []))
    .sort();
}
