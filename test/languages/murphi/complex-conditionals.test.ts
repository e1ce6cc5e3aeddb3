/** `c ? a : b` between records and arrays. The counts are Rumur's. */
import { expect, test } from "vitest";
import { checkInput, registry } from "../../../src/session/index.js";

const check = async (text: string) => {
  const { report } = await checkInput({ file: "m.m", text }, { isPlain: true }, registry);
  const codes = report.diagnostics.map(({ code }) => code);
  return codes.length > 0 ? codes : [report.stats.states, report.stats.transitions];
};

test("records: assigned, passed, compared and returned", async () => {
  const text = `type R: record a: 0..3; b: boolean; end;
var g: array[0..2] of R; c: boolean; x: 0..3; h: R;
function f(r: R): boolean; begin return r.a = 1; end;
function pick(k: boolean; s: array[0..2] of R): R; begin return k ? s[0] : s[1]; end;
procedure put3(r: R; i: 0..2); begin g[i] := r; end;
startstate begin for i: 0..2 do g[i].a := i; g[i].b := false; end; c := true; x := 0; undefine h; end;
rule "flip" true ==> begin c := !c; end;
rule "copy" x < 3 ==> begin h := c ? g[0] : (x = 1 ? g[1] : g[2]); x := x + 1; end;
rule "call" f(c ? g[0] : g[1]) ==> begin put3(c ? g[1] : g[0], 2); end;
rule "eq" (c ? g[2] : g[1]) = g[1] ==> begin h := pick(c, g); end;
rule "eq2" g[0] != (c ? g[2] : h) ==> begin g[0].b := true; end;
invariant "i" true;`;
  expect(await check(text)).toEqual([116, 390]);
});

test("arrays", async () => {
  const text = `var a: array[0..1] of array[0..2] of 0..3; c: boolean; t: array[0..2] of 0..3;
startstate begin for i: 0..1 do for j: 0..2 do a[i][j] := j; end; end; for j: 0..2 do t[j] := 0; end; c := true; end;
rule "flip" true ==> begin c := !c; end;
rule "w" t[1] < 3 ==> begin t[1] := t[1] + 1; end;
rule "swap" true ==> begin a[c ? 0 : 1] := c ? t : a[0]; end;
invariant "i" (c ? a[0] : t) = (c ? a[0] : t);`;
  expect(await check(text)).toEqual([68, 174]);
});

const effectful = (call: string): string => `type R: record a: 0..3; end;
var g: array[0..1] of R; c: boolean; n: 0..3;
function flip(): boolean; begin c := !c; return c; end;
procedure p(k: boolean; r: R); begin n := r.a; end;
startstate begin g[0].a := 0; g[1].a := 1; c := true; n := 0; end;
rule "r" n = 0 ==> begin ${call}; end;
rule "s" n != 0 ==> begin n := n; end;`;

test("an effect in front of the condition stays there, or is refused", async () => {
  expect(await check(effectful("p(flip(), c ? g[0] : g[1])"))).toEqual([
    "murphi/not-simple",
    "murphi/not-simple",
  ]);
  expect(await check(effectful("p(true, flip() ? g[0] : g[1])"))).toEqual([
    "murphi/not-simple",
    "murphi/not-simple",
  ]);
  expect(await check(effectful("p(!c, c ? g[0] : g[1])"))).toEqual([1, 1]);
});
