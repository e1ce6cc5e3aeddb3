/** Accesses of rule instances, and the instances that may be explored alone: by hand. */
import { expect, test } from "vitest";
import { loadMurphi } from "../../../src/languages/murphi/index.js";
import { Sources } from "../../../src/model/index.js";
import type { RuleProgram } from "../../../src/model/rules.js";
import {
  conjunctsOf,
  instancesOf,
  observedParts,
  StubbornSets,
} from "../../../src/transforms/reduction/rules/index.js";

const HEAD = `
type p: 0..1; r: record x, y: 0..3; end;
var a: array [p] of 0..3; g: 0..3; s: r; t: array [p] of r; bag: multiset [2] of 0..3;
procedure set(var z: 0..3; v: 0..3); begin z := v; end;
function got(v: p): 0..3; begin return a[v]; end;
function deep(v: 0..3): 0..3; begin if v = 0 then return g; end; return deep(v - 1); end;
startstate for i: p do a[i] := 0; t[i].x := 0; t[i].y := 0; end; g := 0; s.x := 0; s.y := 0; end;
`;

// Parts: a is 0 and 1, g is 2, s is 3 and 4, t[0] is 5 and 6, t[1] is 7 and 8, bag is 9.
const EVERYTHING = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

function programOf(rules: string): RuleProgram {
  const loaded = loadMurphi({
    file: "m.m",
    text: HEAD + rules,
    sources: new Sources(),
    defines: [],
    invariants: [],
    formulas: [],
  });
  expect(loaded.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return loaded.program!;
}

const partsIn = (regions: readonly { readonly first: number; readonly count: number }[]): number[] =>
  [
    ...new Set(regions.flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i))),
  ].sort((x, y) => x - y);

test.each([
  ["an element by its parameter", "ruleset i: p do rule a[i] = 0 ==> begin a[i] := 1; end; end;", [1], [1]],
  ["a variable that is copied", "rule true ==> begin g := s.y; end;", [4], [2]],
  ["a record as a whole", "rule true ==> begin s := t[1]; end;", [7, 8], [3, 4]],
  ["an index that is read", "rule true ==> begin a[s.x % 2] := 1; end;", [3], [0, 1]],
  ["a field behind such an index", "rule true ==> begin t[g % 2].y := 1; end;", [2], [5, 6, 7, 8]],
  ["a computed constant", "ruleset i: p do rule true ==> begin a[1 - i] := g; end; end;", [2], [0]],
  ["an index of a loop", "rule true ==> begin for i: p do a[i] := 1; end; end;", [], [0, 1]],
  ["a quantifier", "rule exists i: p do a[i] = 1 end ==> begin g := 0; end;", [0, 1], [2]],
  ["an alias", "rule true ==> begin alias z: t[1].x do z := g; end; end;", [2], [7]],
  ["an alias of an array", "rule true ==> begin alias z: t[g % 2] do z.x := 1; end; end;", [2], [5, 6, 7, 8]],
  ["an alias of a value", "rule true ==> begin alias z: g + 1 do a[0] := z; end; end;", [2], [0]],
  ["an argument by reference", "rule true ==> begin set(a[1], g); end;", [2], [1]],
  ["a function of a constant", "rule got(1) = 0 ==> begin g := 1; end;", [1], [2]],
  ["a function that calls itself", "rule deep(2) = 0 ==> begin s.x := 1; end;", EVERYTHING, [3]],
  ["a branch", "rule true ==> begin if g = 0 then a[0] := 1; else a[1] := 1; end; end;", [2], [0, 1]],
  ["a while loop", "rule true ==> begin while g < 2 do g := g + 1; end; end;", [2], [2]],
  ["a local variable", "rule true ==> var z: 0..3; begin z := g; a[0] := z; end;", [2], [0]],
  ["what is cleared and undefined", "rule true ==> begin clear s; undefine a[1]; end;", [], [1, 3, 4]],
  ["an assertion", "rule true ==> begin assert s.y = 0; end;", [4], []],
  ["an addition to a multiset", "rule true ==> begin multisetadd(g, bag); end;", [2, 9], [9]],
  [
    "an element of a multiset",
    "choose e: bag do rule bag[e] = 1 ==> begin multisetremove(e, bag); end; end;",
    [9],
    [9],
  ],
  [
    "elements that are counted",
    "rule multisetcount(e: bag, bag[e] = g) = 1 ==> begin g := 0; end;",
    [2, 9],
    [2],
  ],
  [
    "elements that are removed",
    "rule true ==> begin multisetremovepred(e: bag, bag[e] = g); end;",
    [2, 9],
    [9],
  ],
  ["what is printed", "rule true ==> begin put g; end;", [2], []],
  ["a test for undefined", "rule isundefined(s.x) ==> begin g := 0; end;", [3], [2]],
] as const)("%s", (_, rule, reads, writes) => {
  const last = instancesOf(programOf(rule)).at(-1)!;
  expect(partsIn(last.reads)).toEqual(reads);
  expect(partsIn(last.writes)).toEqual(writes);
});

test("conjuncts of a guard are read one after the other", () => {
  const program = programOf(
    "ruleset i: p do rule a[i] = 0 & (g = 1 | s.x = 0) & s.y = 1 ==> begin end; end;",
  );
  expect(instancesOf(program)[1]!.prefixes.map(partsIn)).toEqual([[1], [1, 2, 3], [1, 2, 3, 4]]);
  const chosen = programOf("choose e: bag do rule g = 1 & s.x = 0 ==> begin end; end;");
  expect(conjunctsOf(chosen.rules[0]!)).toHaveLength(1);
});

test("covers, liveness and formulas are observed, beside what is asked", () => {
  const program = programOf(
    'rule true ==> begin end; cover "c" g = 1; liveness "l" s.x = 1; invariant "i" forall i: p do a[i] < 3 end;',
  );
  expect(partsIn(observedParts(program, []))).toEqual([2, 3]);
  expect(partsIn(observedParts(program, program.invariants))).toEqual([0, 1, 2, 3]);
});

/** Instances in order; the enabled ones by number, and the first false conjunct of all others. */
const around = (rules: string, seed: number, enabled: readonly number[], conjunct = 0, observed = "") => {
  const program = programOf(rules + observed);
  const instances = instancesOf(program);
  const sets = new StubbornSets(instances, observedParts(program, program.invariants));
  const isEnabled = Uint8Array.from(instances, (_, i) => (enabled.includes(i) ? 1 : 0));
  return sets.around(seed, isEnabled, () => conjunct);
};

const rule = (guard: string, body: string): string => `rule ${guard} ==> begin ${body} end;`;

test.each([
  [
    "independent instances stay outside",
    rule("a[0] = 0", "a[0] := 1;") + rule("a[1] = 0", "a[1] := 1;"),
    [0],
  ],
  ["a reader of what is written", rule("a[0] = 0", "a[0] := 1;") + rule("g = 0", "g := a[0];"), [0, 1]],
  ["a writer of what is read", rule("a[0] = 0", "s.x := 1;") + rule("g = 0", "a[0] := 1;"), [0, 1]],
  ["two writers", rule("true", "a[0] := 1;") + rule("true", "a[0] := 2;"), [0, 1]],
])("%s", (_, rules, expected) => {
  expect(around(rules, 0, [0, 1])).toEqual(expected);
});

test("an instance that may enable a dependent one is in the set", () => {
  const rules =
    rule("true", "a[0] := 1;") +
    rule("g = 1 & s.x = 1", "a[0] := 2;") +
    rule("true", "g := 1;") +
    rule("true", "s.x := 1;");
  expect(around(rules, 0, [0, 2, 3], 0)).toEqual([0, 2]);
  // The second conjunct is false: an instance that makes the first one fail also counts.
  expect(around(rules, 0, [0, 2, 3], 1)).toEqual([0, 2, 3]);
  // The guard holds, and the body rejects the step.
  const rejecting =
    rule("true", "a[0] := 1;") + rule("s.x = 0", "assume g = 1; a[0] := 2;") + rule("true", "g := 1;");
  expect(around(rejecting, 0, [0, 2], 1)).toEqual([0, 2]);
  expect(around(rejecting, 0, [0, 2], 0)).toEqual([0]);
});

test("an instance that changes what a property reads is not explored alone", () => {
  const rules = rule("true", "a[0] := 1;") + rule("true", "g := 1;");
  expect(around(rules, 0, [0, 1], 0, 'invariant "i" g < 3;')).toEqual([0]);
  expect(around(rules, 1, [0, 1], 0, 'invariant "i" g < 3;')).toBeUndefined();
});
