/** Temporal formulas of Murphi models, condition by condition. */
import { describe, expect, test } from "vitest";
import { parseSchedule } from "../../src/model/index.js";
import { checkInput, registry, replayInput, type CheckOptions } from "../../src/session/index.js";
import { planSymmetry } from "../../src/transforms/symmetry/index.js";
import { programOf } from "../compile/rules/differential.js";
import { isFair } from "../generators/fair.js";
import { modelOf } from "../languages/murphi/temporal.js";

/** Verdicts of properties without a default name, and the codes of diagnostics. */
async function answers(
  text: string,
  ltl: readonly string[],
  options: CheckOptions = {},
): Promise<Record<string, string>> {
  const { report } = await checkInput({ file: "m.m", text }, { ltl, ...options }, registry);
  const errors = report.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
  if (errors.length > 0) return { error: errors.join() };
  return Object.fromEntries(report.properties.map(({ property, verdict }) => [property.name, verdict]));
}

const COUNTS = "var x: 0..3; startstate x := 0; end; rule x < 3 ==> x := x + 1; end;";
const all = { maxErrors: Infinity } as const;

describe("executions", () => {
  const ends: readonly (readonly [formula: string, verdict: string])[] = [
    ["<> [] x = 3", "holds"],
    ["[] <> x = 0", "violated"],
    ["X X X x = 3", "holds"],
    ["X X X X X x = 3", "holds"],
    ["X X x = 3", "violated"],
    ["[] (x = 3 -> X x = 3)", "holds"],
    ["x = 0 U x = 1", "holds"],
    ["x = 0 U x = 2", "violated"],
    ["x = 3 V x < 3", "violated"],
    ["x = 2 V x < 3", "holds"],
    ["x < 3 W x = 4", "violated"],
    ["x = 1 <-> X x = 2", "holds"],
    ["[] (x = 1 -> (X x = 2 & X X x = 3))", "holds"],
  ];
  for (const [formula, verdict] of ends)
    test(`one that ends stays in its last state: ${formula}`, async () => {
      const { [formula]: found } = await answers(COUNTS, [formula], { ...all, deadlock: "off" });
      expect(found).toBe(verdict);
    });

  test("a rule that changes nothing is a step", async () => {
    const text = `${COUNTS} rule x = 3 ==> x := 3; end;`;
    expect(await answers(text, ["<> [] x = 3", "[] <> x = 0"], { deadlock: "stuck", ...all })).toMatchObject({
      "<> [] x = 3": "holds",
      "[] <> x = 0": "violated",
    });
  });

  test("begin in every start state", async () => {
    const text = `${COUNTS} startstate x := 2; end;`;
    const found = await answers(text, ["x = 0", "x != 1", "<> x = 1"], { ...all, deadlock: "off" });
    expect(found).toMatchObject({ "x = 0": "violated", "x != 1": "holds", "<> x = 1": "violated" });
  });

  test("leave out states that are assumed away, and end where only such follow", async () => {
    const text = `var x: 0..5; startstate x := 0; end; startstate x := 5; end;
      rule x < 5 ==> x := x + 1; end; assume x < 4;`;
    const found = await answers(text, ["[] x < 4", "<> [] x = 3", "<> x = 4"], all);
    expect(found).toMatchObject({ "[] x < 4": "holds", "<> [] x = 3": "holds", "<> x = 4": "violated" });
  });

  test("take no step that fails", async () => {
    const text = `var x: 0..3; startstate x := 0; end; rule x < 2 ==> x := x + 1; end; rule x = 2 ==> error "two"; end;`;
    const found = await answers(text, ["<> [] x = 2", "[] <> x < 2"], { ...all, deadlock: "off" });
    expect(found).toMatchObject({
      "runtime errors": "violated",
      "<> [] x = 2": "holds",
      "[] <> x < 2": "violated",
    });
  });

  test("formulas of the model have names or numbers", async () => {
    const text = `${COUNTS} ltl "late" <> x = 3; ltl [] x < 3; ltl <> x = 2 "behind"`;
    expect(await answers(text, [], { ...all, deadlock: "off" })).toEqual({
      "runtime errors": "holds",
      late: "holds",
      "ltl 2": "violated",
      behind: "holds",
    });
  });
});

describe("words of formulas are names where no operator can stand", () => {
  const text = `type ltl: 0..1; var X, U, until: ltl; next: array [ltl] of ltl;
    startstate X := 0; U := 1; until := 0; next[0] := 0; next[1] := 1; end;
    rule X = 0 & until = 0 ==> X := 1; end; rule X = 1 ==> until := 1; X := 0; end;`;
  const formulas: readonly (readonly [formula: string, meaning: string, verdict: string])[] = [
    ["X = 0", "X = 0", "holds"],
    ["X X = 1", "X (X = 1)", "holds"],
    ["X U = 1", "X (U = 1)", "holds"],
    ["X = 0 U X = 1", "(X = 0) U (X = 1)", "holds"],
    ["X = 0 until until = 1", "(X = 0) U (until = 1)", "violated"],
    ["<> next[X] = 1", "<> (next[X] = 1)", "holds"],
    ["next next[0] = 0", "X (next[0] = 0)", "holds"],
    ["eventually always until = 1", "<> [] (until = 1)", "holds"],
    ["X + U = 1 && X X X (until = 1)", "(X + U = 1) & (X X (X (until = 1)))", "holds"],
    ["!X = 1 -> X !X = 1", "(!(X = 1)) -> (X (!(X = 1)))", "violated"],
    ["<> until = 1 & X = 0", "(<> (until = 1)) & (X = 0)", "holds"],
    ["X = 1 | X = 0 U X = 1 & U = 1", "(X = 1) | (((X = 0) U (X = 1)) & (U = 1))", "holds"],
    ["<> X = 1 <-> <> X = 1 | U = 0", "(<> (X = 1)) <-> ((<> (X = 1)) | (U = 0))", "holds"],
  ];
  test.each(formulas)("%s", async (formula, meaning, verdict) => {
    const found = await answers(text, [formula, meaning], { ...all, deadlock: "off" });
    expect([found[formula], found[meaning]]).toEqual([verdict, verdict]);
  });
});

describe("conditions without a value", () => {
  const text =
    "var x: 0..3; y: 0..1; startstate x := 0; end; rule x < 3 ==> x := x + 1; end; rule x = 3 ==> x := 0; end;";

  test("are run-time errors, and the formula stays open", async () => {
    const found = await answers(text, ["[] !(y = 1)", "<> y = 1", "[] <> x = 3"], all);
    expect(found).toEqual({
      "runtime errors": "violated",
      deadlock: "holds",
      "[] !(y = 1)": "unknown",
      "<> y = 1": "unknown",
      "[] <> x = 3": "holds",
    });
  });

  test("leave the formula open when it is asked alone", async () => {
    expect(await answers(text, ["[] !(y = 1)"], { properties: ["[] !(y = 1)"] })).toEqual({
      "[] !(y = 1)": "unknown",
    });
  });

  test("are none where an operator of Murphi stops before them", async () => {
    const formula = "[] (!isundefined(y) -> y = 1)";
    expect(await answers(text, [formula])).toMatchObject({ [formula]: "holds", "runtime errors": "holds" });
    const temporal = "[] (!isundefined(y) -> <> y = 1)";
    expect(await answers(text, [temporal])).toMatchObject({ "runtime errors": "violated" });
  });

  test("a violation before them counts", async () => {
    const formula = "[] (x < 2) & [] (isundefined(y) | y = 1)";
    expect(await answers(text, [formula])).toMatchObject({ [formula]: "violated" });
  });

  test("a function that assumes what is false leaves the formula open", async () => {
    const assuming = `var x: 0..1; function f(): boolean; begin assume x = 0; return true; end;
      startstate x := 0; end; rule x := 1 - x; end;`;
    expect(await answers(assuming, ["[] f()"])).toMatchObject({ "[] f()": "unknown" });
  });
});

describe("fairness", () => {
  const idle = `var x: 0..3; startstate x := 0; end; rule "idle" true ==> x := x; end;`;

  test("is asked of every instance of a rule", async () => {
    const text = `${idle} ruleset i: 0..2 do rule x = i ==> x := x + 1; end; end;`;
    const found = async (fairness: CheckOptions["fairness"]): Promise<string | undefined> =>
      (await answers(text, ["<> x = 3"], { fairness: fairness! }))["<> x = 3"];
    expect([await found("none"), await found("weak"), await found("strong")]).toEqual([
      "violated",
      "holds",
      "holds",
    ]);
    // A step of one instance does not count as a step of the other.
    const two = `var x: 0..1; y: boolean; startstate x := 0; y := false; end;
      ruleset i: 0..1 do rule "go" i = 0 | !y ==> if i = 0 then x := 1 - x; else y := true; end; end; end;`;
    expect(await answers(two, ["<> y"], { fairness: "weak" })).toMatchObject({ "<> y": "holds" });
  });

  test("tells weak from strong", async () => {
    const text = `var x: 0..1; y: boolean; startstate x := 0; y := false; end;
      rule "turn" true ==> x := 1 - x; end; rule "leave" x = 1 ==> y := true; end;`;
    expect(await answers(text, ["<> y"], { fairness: "weak" })).toMatchObject({ "<> y": "violated" });
    expect(await answers(text, ["<> y"], { fairness: "strong" })).toMatchObject({ "<> y": "holds" });
  });

  test("takes all elements of a multiset for one instance", async () => {
    const text = `type m: record k: 0..1; end; var net: multiset [2] of m; got: 0..2; startstate undefine net; got := 0; end;
      rule "send" multisetcount(e: net, true) < 2 & got < 2 ==> var e: m; begin e.k := 0; multisetadd(e, net); end;
      rule "idle" true ==> got := got; end;
      choose e: net do rule "take" got < 2 ==> multisetremove(e, net); got := got + 1; end; end;`;
    expect(await answers(text, ["<> got = 2"])).toMatchObject({ "<> got = 2": "violated" });
    expect(await answers(text, ["<> got = 2"], { fairness: "weak" })).toMatchObject({
      "<> got = 2": "holds",
    });
  });

  test("does not ask for a step that is assumed away or fails", async () => {
    const assumed = `${idle} rule "out" true ==> x := 3; end; assume x < 3;`;
    expect(await answers(assumed, ["<> x = 3"], { fairness: "strong" })).toMatchObject({
      "<> x = 3": "violated",
    });
    const failing = `${idle} rule "fails" true ==> x := 3; error "no"; end;`;
    const found = await answers(failing, ["<> x = 3"], { fairness: "strong", ...all });
    expect(found).toMatchObject({ "<> x = 3": "violated" });
  });

  test("is refused beyond 31 instances, and where nothing is asked of executions", async () => {
    const many = (count: number): string =>
      `${idle} ruleset i: 1..${count - 1} do rule x < 3 ==> x := x + 1; end; end;`;
    expect(await answers(many(32), ["<> x = 3"], { fairness: "weak" })).toEqual({
      error: "murphi/too-many-instances",
    });
    expect(await answers(many(32), ["<> x = 3"])).toMatchObject({ "<> x = 3": "violated" });
    expect(await answers(many(31), ["[] <> x = 3"], { fairness: "weak" })).toMatchObject({
      "[] <> x = 3": "unknown",
    });
    expect(await answers(many(30), ["[] <> x = 3"], { fairness: "weak" })).toMatchObject({
      "[] <> x = 3": "holds",
    });
    expect(await answers(many(2), [], { fairness: "weak" })).toEqual({ error: "session/option-not-taken" });
    expect(await answers(many(32), [], { fairness: "weak" })).toEqual({ error: "session/option-not-taken" });
    expect(await answers(many(2), [], { emptiness: "cou99" })).toEqual({ error: "session/option-not-taken" });
  });

  test("shows in the loop of a trace", async () => {
    const text = `var x: 0..3; startstate x := 0; end; rule "a" true ==> x := x; end; rule "b" true ==> x := x; end;
      ruleset i: 0..2 do rule "c" true ==> x := 0; end; end;`;
    for (const fairness of ["weak", "strong"] as const) {
      const { report } = await checkInput({ file: "m.m", text }, { ltl: ["<> x = 3"], fairness }, registry);
      const { schedule } = report.properties.find(({ verdict }) => verdict === "violated")!.trace!;
      expect(isFair(modelOf(text), parseSchedule(schedule)!, fairness), schedule).toBe(true);
    }
  });
});

describe("symmetry", () => {
  const passing = `type s: scalarset(2); var t: s; n: 0..1;
    ruleset i: s do
      startstate t := i; n := 0; end;
      rule "pass" t != i & n = 0 ==> t := i; end;
    end;`;

  test("is off for formulas, and the loop closes", async () => {
    const input = { file: "m.m", text: passing };
    const { report } = await checkInput(input, { ltl: ["<> n = 1"], reductions: ["symmetry"] }, registry);
    const ltl = report.properties.find(({ property }) => property.kind === "ltl")!;
    expect(ltl.verdict).toBe("violated");
    expect(ltl.trace!.schedule).toMatch(/\(/);
    const run = report.runs.find(({ properties }) => properties.includes("<> n = 1"))!;
    expect(run.reductions).toEqual([]);
    expect(report.runs.some(({ reductions }) => reductions.includes("symmetry"))).toBe(true);
    const notes = report.diagnostics.filter(({ code }) => code === "session/reduction-off");
    expect(notes.map(({ message }) => message)).toEqual([
      expect.stringMatching(/'<> n = 1' needs all states/),
    ]);
  });

  test("is off where the order of elements decides what is wrong with a condition", () => {
    const text = (formula: string): string => `type s: scalarset(2); var a: array [s] of 0..1; x: 0..1;
      function f(i: s): boolean; begin if !isundefined(a[i]) then assert a[i] = 0; end; return a[i] = 0; end;
      startstate x := 0; undefine a; end; rule x := 1 - x; end; ${formula}`;
    expect(planSymmetry(programOf(text(""))).refused).toEqual([]);
    expect(planSymmetry(programOf(text('ltl "f" [] forall i: s do f(i) end'))).refused).toHaveLength(1);
  });
});

describe("what can be chosen", () => {
  const text = `${COUNTS} rule x = 3 ==> x := 0; end;`;
  const formulas = { "[] <> x = 3": "holds", "<> [] x = 3": "violated", "[] x < 3": "violated" };

  for (const store of ["exact", "tree", "delta"] as const)
    test(`--store ${store}`, async () => {
      expect(await answers(text, Object.keys(formulas), { store, ...all })).toMatchObject(formulas);
    });

  for (const store of ["compact", "bitstate"] as const)
    test(`--store ${store} proves nothing`, async () => {
      const found = await answers(text, Object.keys(formulas), { store, ...all });
      expect(found).toMatchObject({ ...formulas, "[] <> x = 3": "unknown" });
    });

  for (const emptiness of [
    "cou99",
    "cou99-norem",
    "cou99-lazy",
    "cou99-shy-",
    "cou99-shy",
    "gv04",
    "cvwy90",
    "se05",
    "tau03opt",
  ])
    test(`--emptiness ${emptiness}`, async () => {
      expect(await answers(text, Object.keys(formulas), { emptiness, ...all })).toMatchObject(formulas);
      const fair = await answers(text, Object.keys(formulas), { emptiness, fairness: "weak", ...all });
      expect(fair).toMatchObject(formulas);
    });

  test("orders, plain searches and budgets", async () => {
    expect(await answers(text, Object.keys(formulas), { search: "dfs", ...all })).toMatchObject(formulas);
    expect(await answers(text, Object.keys(formulas), { isPlain: true, ...all })).toMatchObject(formulas);
    expect(await answers(text, ["[] <> x = 3"], { search: "random" })).toEqual({
      error: "session/option-not-taken",
    });
    const few = { budget: { maxStates: 2 }, properties: ["[] <> x = 3"] };
    expect(await answers(text, ["[] <> x = 3"], few)).toEqual({ "[] <> x = 3": "unknown" });
  });
});

describe("traces", () => {
  const replayed = async (text: string, formula: string): Promise<string> => {
    const input = { file: "m.m", text };
    const { report } = await checkInput(input, { ltl: [formula], properties: [formula] }, registry);
    const { schedule } = report.properties[0]!.trace!;
    const { outcome, property } = await replayInput(input, { schedule }, { ltl: [formula] }, registry);
    return `${schedule} ${outcome} ${property?.name}`;
  };

  test("replay a loop, an end, and a violation that nothing mends", async () => {
    const round = `${COUNTS} rule x = 3 ==> x := 0; end;`;
    expect(await replayed(round, "<> [] x = 3")).toBe("0(0*4) failed <> [] x = 3");
    expect(await replayed(COUNTS, "[] <> x = 0")).toBe("0*4() failed [] <> x = 0");
    expect(await replayed(COUNTS, "[] x < 2")).toBe("0*3 failed [] x < 2");
  });

  test("a step that changes nothing is none that is left out", async () => {
    const idle = "var x: 0..1; startstate x := 0; end; rule x := x; end;";
    expect(await replayed(idle, "!(x = 0 & X x = 0)")).toBe("0*2 failed !(x = 0 & X x = 0)");
  });

  test("an end that is looked at again is a loop of no steps", async () => {
    const stuck = "var x: 0..1; startstate x := 1; end; rule x = 0 ==> x := 1; end;";
    expect(await replayed(stuck, "!(x = 1 U X x = 1)")).toBe("0() failed !(x = 1 U X x = 1)");
  });
});
