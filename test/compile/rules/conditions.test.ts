/** Generated code beside the interpreter, one difficulty after the other, on programs of a few states. */
import { describe, expect, test } from "vitest";
import { difference, programOf } from "./differential.js";

describe("generated code does what the interpreter does", () => {
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
    "arrays passed by value beside calls that change them": `
      type row: array [0..1] of 0..3; var a: row; x: 0..15; n: 0..3;
      function bump(): 0..3; begin a[0] := (a[0] + 1) % 4; return 1; end;
      procedure take(r: row; k: 0..3; q: row); begin x := 4 * r[0] + q[0]; end;
      function sum(r: row; k: 0..3): 0..15; begin return k = 0 ? r[0] : (r[0] + sum(a, sum(a, k - 1) % k + bump() - 1)) % 16; end;
      procedure turn(l: row); var m: row; begin m := l; take(m, bump(), m); end;
      startstate a[0] := 0; a[1] := 0; x := 0; n := 0; end;
      rule n < 3 ==> begin take(a, bump(), a); n := n + 1; end; rule n < 3 ==> begin x := sum(a, 3); n := n + 1; end;
      rule n = 3 ==> begin turn(a); n := 0; end;`,
    "copies to places whose indices are calls that change the source": `
      type row: array [0..1] of 0..3; msg: record k: 0..3; end; var a: row; b: array [0..1] of row; m: msg; nets: array [0..1] of multiset [3] of msg; n: 0..3;
      function bump(): 0..1; begin a[0] := (a[0] + 1) % 4; m.k := (m.k + 1) % 4; return 1; end;
      startstate a[0] := 0; a[1] := 0; b[0] := a; b[1] := a; m.k := 0; undefine nets; n := 0; end;
      rule n < 3 ==> begin b[bump()] := a; n := n + 1; end; rule n < 3 ==> begin multisetadd(m, nets[bump()]); n := n + 1; end;`,
    "a condition that removes elements and comes to itself": `
      type msg: record k: 0..3; end; var net: multiset [3] of msg; n: 0..3;
      function f(k: 0..3): boolean; begin multisetremovepred(i: net, k = 2 & (net[i].k = 3 | f(1))); return false; end;
      startstate var m: msg; begin undefine net; for i := 1 to 3 do m.k := i; multisetadd(m, net); end; n := 3; end;
      rule n > 0 ==> var b: boolean; begin b := f(2); n := n - 1; end;`,
    "multisets of more than a thousand elements": `
      type msg: record k: 0..3; end; var net: multiset [1030] of msg; n: 0..1;
      startstate var m: msg; begin undefine net; for i := 0 to 1029 do m.k := i % 4; multisetadd(m, net); end; n := 0; end;
      rule n = 0 ==> begin n := 1; end; invariant "all" multisetcount(i: net, net[i].k < 4) = 1030;`,
    "aliases that fail before a ruleset": `
      var arr: array [0..2] of 0..1; x: 0..3; startstate for i: 0..2 do arr[i] := 0; end; x := 0; end;
      rule x < 3 ==> begin x := x + 1; end; alias a: arr[x] do ruleset j: 0..3 do rule a = 0 & j < 2 ==> begin a := 1; end; end; end;
      ruleset i: 0..2 do alias a: arr[x - i] do ruleset j: 0..1 do rule a = j ==> begin a := 1 - j; end; end; end; end;
      rule x = 3 ==> begin x := 0; end;`,
    "multisets that are chosen from at a place that fails": `
      var nets: array [0..1] of multiset [2] of 0..1; x: 0..2; startstate var k: 0..1; begin k := 0; undefine nets; multisetadd(k, nets[0]); x := 0; end;
      rule x < 2 ==> begin x := x + 1; end; choose m: nets[x] do rule begin multisetremove(m, nets[x]); end; end; rule x = 2 ==> begin x := 0; end;`,
    "assumptions in guards and invariants": `
      var x: 0..3; function ok(k: 0..3): boolean; begin assume k < 2; return true; end;
      startstate x := 0; end; rule x < 3 & ok(x) ==> begin x := x + 1; end; rule begin x := 3; end; invariant "i" ok(x);`,
    "calls that fail in more instances than calls may be deep": `
      var x, y: 0..1; function f(k: 0..1; d: 0..3): 0..1; begin if d > 0 then return f(k, d - 1); end; return y; end;
      startstate x := 0; end; ruleset i: 0..400 do rule x = 0 & f(i % 2, 3) = 0 ==> begin x := 1; end; end; rule x = 0 ==> begin y := 0; x := 1; end;`,
  }))
    test(`on ${what}`, () => {
      const { maxRounds, ...program } = programOf(text);
      expect(difference({ ...program, maxRounds: Math.min(maxRounds, 1000) }, 200)).toBeUndefined();
    });
});
