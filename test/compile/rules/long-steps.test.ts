/** Gives up steps longer than any budget, and rejects sizes that cannot be searched. */
import { describe, expect, test } from "vitest";
import { patience, ROUNDS_BETWEEN_LOOKS, StepTooLong, withDeadline } from "../../../src/model/index.js";
import { check } from "../../languages/murphi/fixtures.js";

const chain = Array.from(
  { length: 59 },
  (_, i) => `function f${i + 1}(): 0..3; begin return (f${i}() + f${i}()) % 4; end;`,
).join("\n");

const LONG: Readonly<Record<string, string>> = {
  "a loop":
    "var x: 0..3; startstate x := 0; end; rule x < 3 ==> begin for i := 0 to 100000000000 do x := i % 3; end; end;",
  "a loop in a start state":
    "var x: 0..3; startstate for i := 0 to 100000000000 do x := i % 3; end; end; rule begin x := 0; end;",
  recursion: `var x: 0..3; function f(n: 0..60): 0..3; begin if n < 2 then return 1; end; return (f(n - 1) + f(n - 2)) % 4; end;
    startstate x := 0; end; rule begin x := f(60); end;`,
  "calls that double": `var x: 0..3; function f0(): 0..3; begin return x; end; ${chain} startstate x := 1; end; rule begin x := f59(); end;`,
  "a quantifier":
    "var x: 0..3; startstate x := 0; end; rule x < 3 & forall i: 0..2000000000 do i >= x end ==> begin x := 3; end;",
  "an invariant": `var x: 0..3; startstate x := 0; end; rule begin x := 3 - x; end; invariant "i" forall i: 0..2000000000 do i + x >= 0 end;`,
  "a while loop":
    "var x: 0..3; startstate x := 0; end; rule begin while x < 3 do for i := 0 to 1000000 do x := 1; end; end; end;",
  "a ruleset":
    "var x: 0..3; startstate x := 0; end; ruleset i: 0..90000000 do rule forall j: 0..1000 do i + j != x end ==> begin x := 1; end; end;",
  representatives: `type S: scalarset(100); var a: array [S] of array [S] of boolean;
    startstate for i: S do for j: S do a[i][j] := false; end; end; end; ruleset i: S; j: S do rule begin a[i][j] := !a[i][j]; end; end;`,
};

describe("a step that outlasts the time", () => {
  for (const [name, text] of Object.entries(LONG))
    for (const isPlain of name === "representatives" ? [false] : [false, true])
      test(`${name}${isPlain ? ", plainly" : ""}`, { timeout: 240_000 }, async () => {
        const reductions = isPlain ? [] : (["symmetry"] as const);
        const { properties } = await check("m.m", text, { budget: { timeMs: 300 }, isPlain, reductions });
        expect(new Set(properties.map(({ verdict }) => verdict))).toEqual(new Set(["unknown"]));
        expect(properties[0]!.reason).toMatch(/^the time ran out/);
      });
});

test("rounds are limited without a time limit", () => {
  expect(patience(5)).toBe(5 + ROUNDS_BETWEEN_LOOKS);
  expect(() => patience(1e9 + 1)).toThrow(StepTooLong);
  expect(() => withDeadline(performance.now() - 1, () => patience(5))).toThrow(StepTooLong);
});

describe("sizes that cannot be searched", () => {
  const model = (ruleset: string): string => `type S: scalarset(1000000000); var x: 0..3; s: S;
    startstate x := 0; end; ${ruleset}`;
  for (const [name, text] of Object.entries({
    "a ruleset of a large range": "ruleset i: 0..1000000000 do rule begin x := i % 4; end; end;",
    "a ruleset of two large ranges":
      "ruleset i: 0..1000000; j: 0..1000000 do rule i = j ==> begin x := i % 4; end; end;",
    "a ruleset of a large scalarset": "ruleset i: S do rule begin s := i; end; end;",
    "start states": "rule begin x := 1; end; ruleset i: S do startstate s := i; x := 0; end; end;",
    "liveness of each element": `rule begin x := 1; end; ruleset i: S do liveness "l" isundefined(s); end;`,
    "an array": "rule begin x := 1; end; rule var a: array [S] of boolean; begin undefine a; end;",
  }))
    test(name, async () => {
      const { diagnostics } = await check("m.m", model(text));
      expect(diagnostics.map(({ code, severity }) => `${code} ${severity}`)).toEqual([
        "compile/not-supported error",
      ]);
    });

  test("elements of a scalarset that need not be renamed", async () => {
    const text = model("rule begin x := isundefined(s) ? 1 : 2; end;");
    const { properties } = await check("m.m", text, { reductions: ["symmetry"] });
    expect(properties.map(({ property, verdict }) => `${property.kind} ${verdict}`)).toEqual([
      "deadlock violated",
    ]);
  });
});
