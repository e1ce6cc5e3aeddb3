/** Every trap of χ, by name; the worked examples with their figures. */
import { expect, test } from "vitest";
import { chiModel } from "../../../src/compile/chi/index.js";
import { checkExplicit } from "../../../src/engines/explicit/index.js";
import { partitioning, type Equivalence } from "../../../src/engines/lts/index.js";
import { loadChi } from "../../../src/languages/chi/index.js";
import type { ChiProgram } from "../../../src/model/index.js";
import { checkInput, registry } from "../../../src/session/index.js";
import { compareInputs } from "../../../src/session/lts/index.js";
import { compareTerms, ltsOfTerm } from "../../../src/session/chi/congruence.js";

const HEAD = "var x, y: nat(2) = 0; chan a, b: nat(2);";

function program(system: string, head = HEAD): ChiProgram {
  const { program: found, diagnostics } = loadChi("t.chi", `${head} system = ${system};`);
  if (!found) throw new Error(JSON.stringify(diagnostics));
  return found;
}

async function alike(left: string, right: string, relation: Equivalence): Promise<boolean> {
  const [first, second] = [program(left), program(right)];
  const found = await compareTerms(first, first.system, second.system, relation);
  if (!found) throw new Error("not compared");
  return found.isRelated;
}

async function figures(system: string, head = HEAD): Promise<string> {
  const model = chiModel(program(system, head));
  const options = { order: "bfs", checkDeadlock: true, errors: 1000, budget: {}, control: {} } as const;
  const { stats, findings } = await checkExplicit(model, options);
  const isStuck = findings.some(
    ({ property, verdict }) => property.kind === "deadlock" && verdict.kind === "violated",
  );
  return `${stats.states}/${stats.transitions}${isStuck ? " deadlock" : ""}`;
}

test("1: the first argument of an override wins: assignments to globals leave a scope, inner variables hide outer ones", async () => {
  expect(await alike("|[ z: nat(2) = 0 | x := 1 ]|", "x := 1", "congruence")).toBe(true);
  expect(await alike("|[ y: nat(2) = 0 | |[ y: nat(2) = 1 | x := y ]| ]|", "x := 1", "congruence")).toBe(
    true,
  );
});

test("2: an assignment to an undeclared variable is refused", () => {
  const { diagnostics } = loadChi("t.chi", "var x: nat; system = |[ z: nat = 0 | u := 1 ]|; ");
  expect(diagnostics.map(({ code }) => code)).toEqual(["chi/unknown-name"]);
});

test("3: only outer states are compared: values of locals are not", async () => {
  expect(
    await alike("|[ z: nat(2) = 0 | z := 1; x := 1 ]|", "|[ z: nat(2) = 0 | z := 2; x := 1 ]|", "congruence"),
  ).toBe(true);
  expect(await alike("y := 1; x := 1", "y := 2; x := 1", "stuttering")).toBe(false);
});

test("4: a send is not a skip, but without looking at communications it is", async () => {
  expect(await alike("a!0", "skip", "interaction-sensitive")).toBe(false);
  expect(await alike("a!0", "skip", "stuttering")).toBe(true);
  expect(await alike("a!0", "b!0", "stuttering")).toBe(true);
  expect(await alike("a!0", "b!0", "interaction-sensitive")).toBe(false);
  expect(await alike("encap(a!0)", "encap(skip)", "stuttering")).toBe(false);
  expect(await alike("encap(a!0 || a?x)", "encap(b!0 || a?x)", "stuttering")).toBe(false);
  expect(await alike("a!0 || a?x", "b!0 || a?x", "stuttering")).toBe(true);
});

test("5: an endless loop is not a deadlock", async () => {
  expect(await alike("skip*; delta", "delta", "stuttering")).toBe(false);
  expect(await alike("delta", "skip; delta", "interaction-sensitive")).toBe(true);
  expect(await alike("delta", "skip; delta", "rooted-interaction-sensitive")).toBe(false);
  expect(await alike("skip [] delta", "skip [] (skip; delta)", "interaction-sensitive")).toBe(false);
});

test("6: eps [] p both terminates and acts, without a step", async () => {
  expect(await alike("(eps [] x := 1); y := 1", "(x := 1; y := 1) [] y := 1", "congruence")).toBe(true);
  expect(await alike("eps [] x := 1", "skip [] x := 1", "congruence")).toBe(false);
  expect(await figures("(x = 1 :-> eps)")).toBe("1/0 deadlock");
  expect(await figures("(x = 0 :-> eps)")).toBe("1/0");
});

test("7: a congruence under || needs every environment", async () => {
  const [p, q] = ["x := 1; (x = 1 :-> skip)", "x := 1; skip"];
  expect(await alike(p, q, "isolated-congruence")).toBe(true);
  expect(await alike(p, q, "congruence")).toBe(false);
  expect(await figures(`(${p}) || x := 2`)).toBe("8/7 deadlock");
  expect(await figures(`(${q}) || x := 2`)).toBe("8/8");
});

test("a round of a star begins with its locals as declared", async () => {
  expect(
    await alike(
      "|[ z: nat(2) = 0 | x := z; z := 1 ]|*; y := 1",
      "|[ z: nat(2) = 0 | (x := 0; z := 1)* ]|; y := 1",
      "congruence",
    ),
  ).toBe(true);
});

test("a value outside its type is an error, never cut", async () => {
  const model = chiModel(program("x := x + 3"));
  const options = { order: "bfs", checkDeadlock: true, errors: 1, budget: {}, control: {} } as const;
  const { findings } = await checkExplicit(model, options);
  expect(
    findings.some(({ property, verdict }) => property.kind === "runtime" && verdict.kind === "violated"),
  ).toBe(true);
});

const checked = async (system: string, property: string) => {
  const text = `${HEAD} system = ${system}; ${property};`;
  const { report } = await checkInput({ file: "t.chi", text }, {}, registry);
  return report;
};

test.each([
  "AG (x = 0) -> AF (y = 1)",
  "AG ((x = 0 -> AF y = 1) -> y = 0)",
  "AG (x = 0 -> AF y = 1 -> x = 1)",
  "AG (EX x = 1)",
  "AG (F (x = 1))",
  "E[ x = 0 U x = 1 ]",
])("%s is no formula without its quantifiers: refused", async (formula) => {
  const { diagnostics } = await checked("x := 1; y := 1", `check ctl "${formula}"`);
  expect(diagnostics.map(({ code }) => code)).toEqual(["chi/ctl"]);
});

test.each([
  ["AG ('x = 0' -> AF 'x = 1')", "holds"],
  ["AF (x = 1)", "holds"],
  ["AF (x = 2)", "violated"],
  ["AG !(x = 2)", "holds"],
  ["AG (EF y = 1)", "holds"],
  ["AG EF (x = 0)", "violated"],
])("%s: %s", async (formula, verdict) => {
  const { properties } = await checked("x := 1; y := 1", `check ctl "${formula}"`);
  expect(properties.at(-1)?.verdict).toBe(verdict);
});

test("a step has the position of its component, even where another has an equal term", async () => {
  const { properties } = await checked("encap((skip; x := 1) || (skip; delta))", "check deadlock-free");
  const steps = properties[0].trace?.steps ?? [];
  const skips = steps.filter(({ action }) => action === "skip");
  expect(new Set(skips.map(({ sources }) => sources[0]?.start)).size).toBe(2);
});

test("variables are compared by name, whatever their order", async () => {
  const text = (names: string, system: string): string => `var ${names}: nat(2) = 0; system = ${system};`;
  const inputs = (first: string, second: string) =>
    [
      { file: "p.chi", text: text("x, y", first) },
      { file: "q.chi", text: text("y, x", second) },
    ] as const;
  for (const relation of ["congruence", "stuttering"] as const) {
    const same = await compareInputs(inputs("x := 1", "x := 1"), relation, {}, registry);
    expect(same.comparison?.isRelated).toBe(true);
    const other = await compareInputs(inputs("x := 1", "y := 1"), relation, {}, registry);
    expect(other.comparison?.isRelated).toBe(false);
  }
});

test("next-time is refused", async () => {
  const { diagnostics } = await checked("x := 1", `check ltl "X (x = 1)"`);
  expect(diagnostics.map(({ code }) => code)).toEqual(["chi/next"]);
});

test("chains of buffers have the published sizes and 6n + 7 blocks", async () => {
  for (const [n, expected] of [
    [1, "15/19"],
    [2, "31/47"],
    [3, "63/111"],
  ] as const) {
    const { head, system } = chain(n);
    expect(await figures(system, head)).toBe(expected);
    const lts = await ltsOfTerm(program(system, head), program(system, head).system, "interaction-sensitive");
    if (!lts) throw new Error("not explored");
    const slices = partitioning(lts, "interaction-sensitive");
    while (slices.advance(1000));
    expect(slices.result().count).toBe(6 * n + 7);
  }
});

export function chain(n: number): { readonly head: string; readonly system: string } {
  const channels = Array.from({ length: n + 1 }, (_, i) => `a${i}`).join(", ");
  const buffers = Array.from({ length: n }, (_, i) => `|[ b: nat(2) = 0 | (a${i}?b; a${i + 1}!b)* ]|`);
  const parts = ["(a0!x; x := (x + 1) % 3)*", ...buffers, `(a${n}?y)*`];
  return { head: `var x, y: nat(2) = 0; chan ${channels}: nat(2);`, system: `encap(${parts.join(" || ")})` };
}
