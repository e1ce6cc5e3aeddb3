/** Generated code beside the interpreter: the same entries in the same order, the same answers about states. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { symmetricModel } from "../../generators/murphi-symmetric.js";
import { inRepository } from "../../repository.js";
import { difference, explore, programOf, systemOf } from "./differential.js";

const benchModels = {
  agrawala: { C: "1" },
  filter: { N: "3" },
  german: { N: "2" },
  lock: { N: "3" },
  mesi: { N: "2" },
  philosophers: { N: "4" },
  twophase: { N: "2" },
} as const;

describe("generated code does what the interpreter does", () => {
  for (const [name, defines] of Object.entries(benchModels))
    test(`on ${name}`, () => {
      const text = readFileSync(inRepository(`bench/models/murphi/${name}.m`), "utf8");
      expect(difference(programOf(text, defines), 120)).toBeUndefined();
    });

  test("on random models", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), (seed) => {
        const text = symmetricModel(seed);
        expect(difference(programOf(text), 60), text).toBeUndefined();
      }),
      { numRuns: 100, seed: 33 },
    );
  });

  for (const [what, text] of Object.entries({
    "recursion, and its depth": `
      var n: 0..20; startstate n := 0; end;
      function sum(k: 0..20): 0..20; begin if k = 0 then return 0; else return k + sum(k - 1); end; end;
      rule n < 20 ==> begin n := sum(n) + 1; end; rule n >= 5 ==> begin n := 0; end;`,
    "calls that change the word their result goes to": `
      type S: scalarset(3); var top: array [0..1] of 0..3; x: 0..3;
      function bump(): 0..3; begin top[1] := (top[1] + 1) % 4; return top[1]; end;
      startstate top[0] := 0; top[1] := 0; x := 0; end;
      rule begin top[0] := bump(); end; rule begin x := bump(); end;`,
    "calls that change other arguments": `
      var a: array [0..1] of 0..3; at: 0..1;
      function flip(): 0..3; begin at := 1 - at; return at; end;
      procedure put_(k: 0..3; var x: 0..3; y: 0..3); begin x := (k + y + 1) % 4; end;
      startstate a[0] := 0; a[1] := 0; at := 0; end;
      rule begin put_(flip(), a[at], a[at]); end; rule begin put_(a[at], a[at], flip()); end;`,
    "a multiset whose elements are judged by deep calls": `
      type msg: record k: 0..3; end; big: array [0..60] of 0..3; var net: multiset [3] of msg; n: 0..3;
      function deep(k: 0..40): boolean; var b: big; begin b[k] := 1; if k = 0 then return true; end; return deep(k - 1); end;
      startstate undefine net; n := 0; end;
      rule n < 3 ==> var m: msg; begin m.k := n; multisetadd(m, net); n := n + 1; end;
      rule n = 3 ==> begin multisetremovepred(i: net, net[i].k < 2 & deep(40)); n := 0; end;`,
    "local arrays, by reference and by copy": `
      type row: array [0..2] of 0..3; var a: array [0..1] of row; x: 0..3;
      procedure turn(var r: row; k: 0..2); var t: row; begin t := r; for i: 0..2 do r[i] := t[(i + k) % 3]; end; end;
      function least(r: row): 0..3; var m: 0..3; begin m := 3; for i: 0..2 do if r[i] < m then m := r[i]; end; end; return m; end;
      startstate for i: 0..1 do for j: 0..2 do a[i][j] := j; end; end; x := 0; end;
      ruleset i: 0..1; k: 1..2 do rule begin turn(a[i], k); x := least(a[i]); end; end;
      rule x = 0 ==> var l: row; begin l := a[0]; turn(l, 1); a[1] := l; x := 1; end;`,
    "arrays over several words": `
      type id: 0..40; var seen: array [id] of 0..4; at: id;
      startstate for i: id do seen[i] := 0; end; at := 0; end;
      rule seen[at] < 4 ==> begin seen[at] := seen[at] + 1; at := (at + 7) % 41; end;
      ruleset i: id do rule i = at & seen[i] > 0 ==> begin undefine seen[i]; end; end;`,
    "wide values, copied and compared": `
      type wide: -1000000000..1000000000; pair: record a, b: wide; end; var p, q: pair; n: 0..2;
      startstate p.a := -1000000000; p.b := 1000000000; n := 0; end;
      rule p != q ==> begin q := p; end; rule p = q ==> begin q.a := q.a / 3; n := (n + 1) % 3; end;
      rule n = 1 ==> begin undefine p.b; end;`,
    "loops with a step, and one too many": `
      var x: 0..9; startstate x := 1; end;
      rule begin for i := 0 to x by 2 do x := (x + i) % 10; end; end;
      rule x = 4 ==> begin while x < 9 do x := x + 1; end; end; rule x = 9 ==> begin while true do x := 9; end; end;`,
  }))
    test(`on ${what}`, () => {
      const { maxRounds, ...program } = programOf(text);
      expect(difference({ ...program, maxRounds: Math.min(maxRounds, 1000) }, 200)).toBeUndefined();
    });

  test("rules with many instances are loops, and the same", () => {
    const text = `const N: 300; type id: 0..N; var a: array [id] of boolean; n: id;
      startstate for i: id do a[i] := false; end; n := 0; end;
      ruleset i: id; j: 0..9 do rule i = n + j & n < 3 ==> begin a[i] := !a[i]; n := n + 1; end; end;
      rule n = 3 ==> begin n := 0; end;`;
    const program = programOf(text);
    expect(systemOf(program).code).toMatch(/for \(x\d+ = 0; x\d+ <= 300/);
    expect(difference(program, 30)).toBeUndefined();
    expect(explore(program, systemOf(program), 200).states.length).toBeGreaterThan(200);
  });
});
