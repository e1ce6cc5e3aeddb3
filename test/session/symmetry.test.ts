/** Symmetry reduction in a session: on if sound, off with a reason otherwise, traces of the unreduced model. */
import { expect, test } from "vitest";
import { checkInput, registry, type CheckOptions } from "../../src/session/index.js";
import type { CheckReport } from "../../src/report/index.js";

async function check(text: string, options: CheckOptions = {}): Promise<CheckReport> {
  const { report } = await checkInput({ file: "model.m", text }, options, registry);
  expect(report.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return report;
}

const forced: CheckOptions = { reductions: ["symmetry"] };

const verdicts = ({ properties }: CheckReport): Record<string, string> =>
  Object.fromEntries(properties.map((p) => [p.property.name, p.verdict]));

const notes = ({ diagnostics }: CheckReport): string[] => diagnostics.map((d) => d.message);

const lock = (guard: string): string => `
  type proc: scalarset(3); var owner: proc; st: array [proc] of enum { idle, crit };
  startstate undefine owner; for p: proc do st[p] := idle; end; end;
  ruleset p: proc do
    rule "enter" st[p] = idle ${guard} ==> begin st[p] := crit; owner := p; end;
    rule "leave" st[p] = crit ==> begin st[p] := idle; undefine owner; end;
  end;
  invariant "mutex" forall p: proc do forall q: proc do st[p] = crit & st[q] = crit -> p = q end end;`;

test("orbits are counted, and a trace keeps the names of elements", async () => {
  const right = await check(lock("& isundefined(owner)"), forced);
  expect(right.stats.states).toBe(2);
  expect(right.runs[0]!.reductions).toEqual(["symmetry"]);
  const wrong = await check(lock(""), forced);
  const { trace } = wrong.properties.find((p) => p.property.name === "mutex")!;
  expect(verdicts(wrong)["mutex"]).toBe("violated");
  // Two different processes enter: a run of representatives could name the same one twice.
  const entered = trace!.steps.map(({ action }) => action).filter((a) => a.includes("enter"));
  expect(new Set(entered).size).toBe(2);
});

test("a normal form gives traces where elements name each other", async () => {
  // Three elements that point to each other: the normal form of a state depends on their order.
  const text = `type s: scalarset(3); var p: array[s] of s; startstate undefine p; end;
    ruleset i: s; j: s do rule isundefined(p[i]) & i != j ==> p[i] := j; end; end;
    invariant "open" !(forall i: s do !isundefined(p[i]) & (forall j: s do i = j | isundefined(p[j]) | p[i] != p[j] end) end);`;
  for (const symmetry of ["exact", "heuristic"] as const)
    expect(verdicts(await check(text, { ...forced, symmetry }))["open"]).toBe("violated");
});

test("SYMTRAP: a quantifier that could stop early meets the error in every order", async () => {
  const text = `type s: scalarset(2); var a: array[s] of 0..1; x: 0..3; startstate undefine a; x := 0; end;
    ruleset i: s do rule x = 0 ==> a[i] := 1; x := 1; end; end;
    rule x = 1 & exists i: s do a[i] = 1 end ==> x := 2; end; rule x = 2 ==> x := 0; undefine a; end;`;
  for (const reductions of [["symmetry"], []] as const)
    expect(verdicts(await check(text, { reductions }))["runtime errors"]).toBe("violated");
});

test("LIVESYM: what is asked of one element is asked of all states", async () => {
  const text = `type s: scalarset(2); var lead: s; a: array[s] of boolean; c: array[s] of 0..1;
    startstate undefine lead; for i: s do a[i] := false; c[i] := 0; end; end;
    ruleset i: s do rule isundefined(lead) ==> lead := i; end;
      rule !isundefined(lead) & lead = i ==> a[i] := !a[i]; end; rule begin c[i] := 1 - c[i]; end;
      liveness "raised" a[i]; end;
    liveness "some" exists i: s do a[i] end;`;
  const report = await check(text, forced);
  expect(verdicts(report)).toMatchObject({
    "raised (i: 0)": "violated",
    "raised (i: 1)": "violated",
    some: "holds",
  });
  expect(report.runs.map((run) => [run.properties, run.reductions, run.stats.states])).toContainEqual([
    ["deadlock", "runtime errors", "some"],
    ["symmetry"],
    11,
  ]);
  expect(notes(report).join()).toContain("'raised (i: 0)' needs all states, since it speaks of one element");
});

/** The last element that is up wins, so the loop depends on its order. */
const ordered = `type s: scalarset(2); var up: array[s] of boolean; last: s;
  startstate for i: s do up[i] := true; end; undefine last; end;
  rule begin for i: s do if up[i] then last := i; end; end; end;
  ruleset i: s do rule begin up[i] := !up[i]; end; end;`;

test("a loop whose order matters switches symmetry off, and says so", async () => {
  const report = await check(ordered);
  expect(report.runs[0]!.reductions).toEqual([]);
  expect(notes(report).join()).toContain(
    "reduction 'symmetry' is off: of 's' elements are not interchangeable: the order of a loop over it matters",
  );
});

test("symmetry that need not be forced proves as much as ever", async () => {
  const report = await check(lock("& isundefined(owner)"), { ...forced, symmetry: "force" });
  expect(verdicts(report)["mutex"]).toBe("holds");
});

test("forced symmetry proves nothing", async () => {
  const report = await check(ordered, { ...forced, symmetry: "force" });
  expect(new Set(Object.values(verdicts(report)))).toEqual(new Set(["unknown"]));
  expect(report.properties[0]!.reason).toContain("symmetry was forced");
});

test.each([
  ["counting", "n := 0; for i: s do if up[i] then n := n + 1; end; end;", true],
  ["the same constant", "for i: s do if up[i] then n := 1; end; end;", true],
  ["different constants", "for i: s do if up[i] then n := 1; else n := 0; end; end;", false],
  ["its own element", "for i: s do up[i] := !up[i]; end;", true],
  ["another's element", "for i: s do up[i] := up[who]; end;", false],
  ["a local of the round", "for i: s do t := i; if up[i] then n := 1; end; end;", true],
  ["a local of all rounds", "for i: s do if up[i] then t := i; end; end;", false],
  ["clear", "clear who;", false],
  ["a call", "for i: s do flip(up[i]); end;", true],
  ["return", "for i: s do if up[i] then return; end; end;", false],
])("%s in a loop", async (_, body, isSymmetric) => {
  const report = await check(
    `type s: scalarset(2); var up: array[s] of boolean; n: 0..2; who: s;
     procedure flip(var b: boolean); begin b := !b; end;
     startstate for i: s do up[i] := true; end; n := 0; undefine who; end;
     rule var t: s; begin ${body} end; ruleset i: s do rule begin who := i; up[i] := !up[i]; end; end;`,
    forced,
  );
  expect(report.runs[0]!.reductions).toEqual(isSymmetric ? ["symmetry"] : []);
});

test("--check-reduction compares", async () => {
  const report = await check(lock("& isundefined(owner)"), { checksReduction: true });
  expect(notes(report).join()).toContain("reduced and full search agree: 2 states");
});
