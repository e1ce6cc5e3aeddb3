/** Generated code against the interpreter, one difficulty after the other, on programs of a few states. */
import { describe, expect, test } from "vitest";
import { interpretRules } from "../../../src/compile/rules/interpreter/index.js";
import { layOutRules, TooLarge } from "../../../src/compile/rules/layout.js";
import { Successors, type Words } from "../../../src/model/index.js";
import type { RuleProgram } from "../../../src/model/rules.js";
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
    "of two arguments that fail the first one does": `
      type s: 0..1; var p: s; next: array [s] of s; q: s;
      function first(k: s; var r: s): s; begin q := p; return r; end;
      startstate p := 0; q := 0; undefine next; end;
      alias a: next[p] do rule true ==> begin q := first(a, next[a]); end; end;`,
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
    "values at both ends of ranges": `
      var x: 2..5; y: 0..9; a: array [1..3] of -1..2; startstate x := 2; y := 0; for i: 1..3 do a[i] := 0; end; end;
      ruleset i: 0..7 do rule begin x := i; end; rule i < 5 ==> begin a[i] := i - 2; end; rule begin y := a[i]; end; rule a[i] = 1 ==> begin y := i; end; end;
      rule begin x := x + 1; end; rule begin x := x - 1; end; rule begin a[x] := a[x - 1]; end; rule begin a[y] := x - 3; end; rule begin y := a[2] + x; end;`,
    "what is undefined": `
      var x: 0..2; b: boolean; a: array [0..2] of 0..1; n: 0..2; startstate n := 0; end;
      rule isundefined(x) ==> begin x := n; end; rule !isundefined(x) ==> begin undefine x; end; rule x = 1 ==> begin b := true; end; rule x != 1 ==> begin b := false; end;
      rule b ==> begin undefine b; end; rule !b ==> begin n := (n + 1) % 3; end; rule begin n := x; end; rule begin a[n] := x; end; rule begin a[x] := 0; end;
      rule a[n] = 3 ==> begin end; rule a[n] != 3 ==> begin undefine a; end; rule x = 7 | b ==> begin n := 2; end; rule x < n & b ==> begin n := 0; end;
      rule begin b := isundefined(a[0]) -> a[1] = 1; end; rule n = 2 ==> begin clear a; clear x; clear b; end;
      invariant "started" !isundefined(n); cover "undefined" isundefined(x); cover "failing" b; liveness "failing, too" a[n] = 1;`,
    quantifiers: `
      type wide: 0..11; var a: array [0..2] of 0..1; w: array [wide] of 0..1; n: 0..3; b: boolean; startstate for i: wide do w[i] := i % 2; end; n := 0; end;
      rule n < 3 ==> begin a[n] := n % 2; n := n + 1; end; rule n = 3 ==> begin undefine a; n := 0; end; rule begin undefine w[n]; end; rule begin w[n * 3] := 1; end;
      rule forall i: 0..2 do a[i] = 0 end ==> begin n := 1; end; rule exists i: 0..2 do a[i] = 1 end ==> begin n := 2; end; rule exists i: wide do w[i] = 1 & i > n end ==> begin n := 0; end;
      rule forall i: wide do w[i] = 1 | i >= 2 end ==> begin n := 0; end; rule forall i: 0..2 do i < 3 end ==> begin b := exists i: 0..2 do i = n end; end; rule forall i: 0..2 do i < n end ==> begin b := exists i: 0..1 do i = 5 end; end;
      invariant "some" exists i: wide do w[i] = 1 end; invariant "all" forall i: 0..2 do isundefined(a[i]) | a[i] = 0 end;
      ruleset i: 0..2 do invariant "each" isundefined(a[i]) | a[i] = i % 2; cover "met" a[i] = 1; liveness "live" a[i] = 1; end; ruleset i: wide do invariant "wide" forall j: wide do w[i] + w[j] + i < 13 end; end;`,
    arithmetic: `
      type big: -1000000000..1000000000; var x: big; n: -9..9; startstate x := -7; n := 2; end;
      rule begin x := x / n; end; rule begin x := x % n; end; rule begin x := x * x * 3; end; rule begin n := n - 1; end; rule begin x := x & 12; end; rule begin x := x | 3; end; rule begin x := x ^ 5; end;
      rule begin x := ~x; end; rule begin x := -x; end; rule begin x := x << n; end; rule begin x := x >> n; end; rule begin x := x * x * x * x * x; end; rule begin x := (x * 4) & (x * 8 + 3); end; rule begin x := (x * 4) | 1; end;
      rule x < n ==> begin x := 999999999; end; rule x <= n ==> begin n := 0; end; rule x > n & x >= 3 ==> begin n := 3; end; ruleset i: -1..1 do rule begin x := -i * 5; end; rule begin x := ~i; end; rule begin x := 7 / i; end; rule begin x := 7 % i; end; rule i < 1 & i <= 0 & i >= -1 & i > -2 & i != 1 ==> begin x := 7 * i + i - 1; end; end;`,
    "conditions of which one side is known": `
      var x: 0..2; n: 0..30; startstate x := 0; n := 0; end; rule begin x := (x + 1) % 3; end;
      ruleset i: 0..1 do rule i = 1 | x = 0 ==> begin n := 1 + i; end; rule i = 1 & x = 0 ==> begin n := 3 + i; end; rule i = 1 -> x = 0 ==> begin n := 5 + i; end;
      rule begin n := (i = 1 | x = 1 ? 7 : 9) + i; end; rule begin n := (i = 1 & x = 1 ? 11 : 13) + i; end; rule begin n := (i = 1 -> x = 1 ? 15 : 17) + i; end; rule !(i = 1 | x = 2) ==> begin n := 20 + i; end; rule !(i = 0 -> x = 2) ==> begin n := 22 + i; end; end;`,
    "indices below an array, and members of unions": `
      type s: scalarset(2); u: union { enum { none }, s, enum { off, on } }; var a: array [2..5] of 0..3; z: 0..3; v: u; n: 0..3; startstate for i: 2..5 do a[i] := 0; end; z := 0; n := 0; undefine v; end;
      rule begin z := (z + 1) % 4; end; rule begin n := a[z]; end; rule begin a[z] := n; end; rule begin a[z + 2] := z; end; rule begin a[z + 3] := n; end; rule ismember(v, s) ==> begin n := 1; end; rule !ismember(v, s) ==> begin n := 2; end;
      ruleset i: s do rule begin v := i; end; end; rule begin v := none; end; rule begin v := off; end; rule begin v := on; end; rule begin undefine v; end;`,
    "results that are no safe integers": `
      type big: -1000000000..1000000000; var x: big; n: 0..70; startstate x := 16807; n := 0; end; rule begin x := x * x * x * x % 7; end; rule begin x := (x * x * 1000000 + 1) % 10; end;
      rule begin x := (x << n) % 9; end; rule begin x := (x << n) >> n; end; rule n < 70 ==> begin n := n + 1; end; rule begin x := x * 65537 % 100000; end; rule begin x := ((x << 30) & (x << 29)) % 1000 + ((x * 65536) | 1) % 100; end; rule begin x := (1 | (x * 65536)) % 1000; end;
      rule begin x := (9007199254740991 - n) % 1000; end; rule begin x := (9007199254740990 + n) % 1000; end; rule begin x := (-9007199254740990 - n) % 1000; end;`,
    "records whose ranges differ": `
      type p: record a: 0..3; b: -1..1; end; q: record a: 1..2; b: -2..1; end; var x: p; y: q; z: array [0..1] of p; n: 0..3; startstate x.a := 0; n := 0; end;
      rule begin x.a := n; end; rule begin x.b := n - 1; end; rule begin n := (n + 1) % 4; end; rule begin z[0] := x; end; rule z[0] = x ==> begin z[1] := z[0]; end; rule z[0] != z[1] ==> begin undefine z; end; rule begin clear x; end;
      rule n = 1 ==> begin y.a := x.a; end; rule begin y.b := x.b; end; rule y.b = x.b ==> begin x.b := y.b; end;`,
    "many parts at once": `
      type row: array [0..59] of 0..2; var a, b: row; n: 0..2; startstate for i: 0..59 do a[i] := i % 3; end; n := 0; end;
      rule a != b ==> begin b := a; end; rule a = b ==> begin a[7] := n; n := (n + 1) % 3; end; rule begin undefine a; end; rule begin clear b; end;
      rule begin undefine b[59]; end; rule isundefined(a[3]) ==> var l: row; begin for i: 0..59 do l[i] := n; end; a := l; clear l; b := l; end;`,
    "multisets that are full, and removing twice": `
      type msg: record k: 0..2; w: 0..1; end; var net: multiset [2] of msg; box: array [0..1] of multiset [2] of 0..2; n: 0..3; startstate undefine net; undefine box; n := 0; end;
      ruleset i: 0..2 do rule var m: msg; begin m.k := i; multisetadd(m, net); end; end; choose m: net do rule begin multisetremove(m, net); end; rule net[m].k = 1 ==> begin multisetremove(m, net); multisetremove(m, net); end; rule begin n := multisetcount(i: net, net[i].k = net[m].k); multisetremove(m, net); n := net[m].k; end; end;
      rule begin n := multisetcount(i: net, net[i].k < 2); end; rule begin multisetremovepred(i: net, net[i].k = 0 | net[i].w = 1); end; rule var k: 0..2; begin k := n; multisetadd(k, box[n]); end; rule var k: 0..2; begin multisetadd(k, box[0]); end;
      rule begin clear box; end; rule begin box[1] := box[0]; end; ruleset i: 0..1 do choose m: box[i] do rule box[i][m] = 1 ==> begin n := i; end; end; end;
      choose m: net do invariant "i" net[m].k < 2; end;`,
    "multisets of more than a word": `
      type msg: record a: 0..1000000; b: 0..1000000; end; big: record m: multiset [2] of 0..1; r: 0..1; end; var net: multiset [3] of msg; bags: multiset [2] of big; n: 0..3; startstate undefine net; undefine bags; n := 0; end;
      ruleset i: 0..1; j: 0..1 do rule n < 3 ==> var m: msg; begin m.a := i * 900000; m.b := j * 70000; multisetadd(m, net); n := n + 1; end; end; choose m: net do rule net[m].a > 5 ==> begin multisetremove(m, net); end; end;
      ruleset i: 0..1 do rule n = 3 ==> var g: big; k: 0..1; begin undefine g; k := i; g.r := 1 - i; multisetadd(k, g.m); k := 0; multisetadd(k, g.m); multisetadd(g, bags); end; end; rule begin multisetremovepred(i: bags, multisetcount(j: bags[i].m, bags[i].m[j] = 1) = 1); end;`,
    "results and arguments out of range": `
      var x: 0..3; y: 2..3; a: array [0..1] of 0..3; function up(k: 0..2): 1..2; begin return k + 1; end; function none(k: 0..3): 0..3; begin if k > 1 then return k; end; end;
      procedure both(var p: 0..3; q: 2..3); begin p := q; if q = 3 then return; end; p := 1; end; procedure deep(k: 0..3); begin deep(k); end;
      startstate x := 0; y := 2; end; rule begin x := up(x); end; rule begin x := none(x); end; rule begin both(x, x + 1); end; rule begin both(a[x % 2], y); end; rule begin both(x, a[0]); end; rule begin y := x; end; rule begin x := 3; end; rule x = 1 ==> begin deep(x); end; rule begin x := x = 3 ? 0 : x + 1; end;`,
    "assumptions, assertions and errors": `
      var x: 0..5; startstate x := 0; end; ruleset i: 0..2 do startstate x := i; assume i != 1; end; end; procedure sure(k: 0..5); begin assume k < 4; end;
      rule x < 5 ==> begin x := x + 1; end; rule begin x := 0; assume x = 1; end; rule begin sure(x); x := 1; end; rule begin assert x != 3 "three"; x := 2; end; rule x = 4 ==> begin error "four"; end; assume "small" x < 5; rule begin cover x = 2; x := x; end;
      rule begin if x = 0 then x := 4; elsif x = 1 then x := 3; else if x = 2 then return; end; x := 0; end; x := 5 - x; end; rule begin switch x case 0, 1: x := 2; case 2: x := 1; else x := 3; end; end;`,
    "values that take a whole word": `
      type a: scalarset(2000000000); b: scalarset(2000000000); u: union { a, b, enum { last } }; var x, y: u; n: 0..2; startstate n := 0; end; rule begin x := last; end; rule begin y := x; end; rule begin undefine x; end;
      rule x = y ==> begin n := 1; end; rule x != y ==> begin n := 2; end; rule ismember(x, a) ==> begin n := 0; end; rule x = last ==> begin undefine y; end;`,
    "arrays whose ranges differ, of few and of many parts": `
      type few: array [0..1] of 0..3; wide: array [0..1] of 0..4; off_: array [0..1] of 1..4; many: array [0..49] of 0..3; far: array [0..49] of 1..4; broad: array [0..49] of 0..4; var a: few; w: wide; b: off_; l: many; m: far; k: broad; n: 0..4;
      startstate undefine a; undefine w; undefine b; undefine l; undefine m; undefine k; n := 0; end; rule n < 4 ==> begin n := n + 1; end; rule n = 4 ==> begin n := 0; end; rule begin a[0] := n; end; rule begin w[0] := n; end; rule begin b[0] := n; end; rule begin b := a; end; rule begin a := b; end; rule begin w := a; end; rule begin a := w; end;
      rule begin l[49] := n; end; rule begin m[49] := n; end; rule begin k[49] := n; end; rule begin m := l; end; rule begin l := m; end; rule begin k := l; end; rule begin l := k; end; rule a = b ==> begin n := 1; end; rule a != b ==> begin n := 2; end; rule a = w ==> begin n := 3; end; rule l = m ==> begin n := 4; end; rule l != k ==> begin n := 0; end;`,
    "quantifiers over elements of which one may fail": `
      type s: scalarset(3); t: scalarset(12); var a: array [s] of boolean; b: array [t] of boolean; n: 0..4; startstate n := 0; end; ruleset i: s do rule begin a[i] := false; end; rule begin a[i] := true; end; rule begin undefine a[i]; end; end;
      ruleset i: t do rule n = 4 ==> begin b[i] := true; end; end; rule begin for i: t do b[i] := n = 0; end; end; rule exists i: s do a[i] end ==> begin n := 1; end; rule forall i: s do a[i] end ==> begin n := 2; end; rule exists i: t do b[i] end ==> begin n := 3; end; rule forall i: t do b[i] end ==> begin n := 4; end;
      rule exists i: t do isundefined(b[i]) end ==> begin n := 0; end; rule exists i: s do true end & forall i: s do true end ==> begin n := n; end;`,
    "truth values that are chosen in loops": `
      var a: array [0..1] of boolean; x: 0..2; startstate a[0] := false; a[1] := false; x := 0; end; rule begin x := (x + 1) % 3; end; alias y: a[x] do ruleset b: boolean do rule y != b ==> begin y := b; end; rule b & !y ==> begin x := 0; end; end; end;`,
    "members that are taken out of unions": `
      type s: scalarset(2); t: scalarset(2); kind: enum { none, off }; u: union { s, kind, t }; var x: u; y: s; z: t; e: kind; a: array [u] of 0..1; n: 0..2; startstate undefine x; undefine y; undefine z; e := off; for i: u do a[i] := 0; end; n := 0; end; ruleset i: s do rule begin x := i; end; rule x = i ==> begin n := 1; end; end;
      ruleset i: t do rule begin x := i; end; rule x != i ==> begin n := 2; end; end; rule begin x := e; end; rule begin x := none; end; rule begin y := x; end; rule begin z := x; end; rule begin e := x; end; rule begin x := y; end; rule begin x := z; end; rule x = y ==> begin n := 0; end; rule z != x ==> begin a[x] := 1; end; rule begin a[y] := 1; end; rule begin n := a[z]; end; rule begin undefine x; end;`,
    "rulesets that go down, one by one and in loops": `
      var a: array [0..2] of 0..5; x: 0..3; startstate for i: 0..2 do a[i] := 0; end; x := 0; end; ruleset i := 5 to 1 by -2 do rule a[0] < i ==> begin a[0] := i; end; end; ruleset i := 0 to 5 by 2 do rule a[1] = i ==> begin a[1] := (i + 1) % 6; end; end; rule begin x := (x + 1) % 4; end;
      alias y: a[x] do ruleset i := 4 to 0 by -2 do rule y != i ==> begin y := i; end; end; end; alias y: a[x] do ruleset i := 1 to 5 by 2 do rule y = i ==> begin y := i - 1; end; end; end;`,
    "multisets of which all elements are tried after what may fail": `
      var full: multiset [2] of 0..3; next: multiset [2] of 0..3; a: array [0..1] of 0..3; x: 0..2; startstate var k: 0..3; begin undefine full; undefine next; k := 3; for i: 0..1 do multisetadd(k, full); multisetadd(k, next); a[i] := 0; end; x := 0; end;
      rule x < 2 ==> begin x := x + 1; end; alias y: a[x] do choose m: full do rule y < 3 ==> begin y := full[m]; end; end; end; alias y: a[x] do choose m: next do rule begin y := 1; multisetremove(m, next); end; end; end;
      alias y: a[x] do choose m: next do choose l: full do rule y = 1 ==> begin y := next[m]; multisetremove(l, full); end; end; end; end;`,
    "records with multisets, cleared and undefined": `
      type r: record k: 1..2; m: multiset [2] of 0..1; l: array [0..1] of 0..1; end; var x: r; xs: array [0..1] of r; n: 0..2; startstate undefine x; undefine xs; n := 0; end; rule var k: 0..1; begin k := n % 2; multisetadd(k, x.m); end; rule begin x.k := n; end; rule n < 2 ==> begin n := n + 1; end;
      rule begin clear x; end; rule begin clear xs; end; rule begin undefine x; end; rule begin xs[0] := x; end; rule begin xs[1] := xs[0]; end; rule begin undefine xs[0]; end; rule begin clear x.m; end; rule begin n := 0; clear x.l; end; rule var l: r; begin clear l; x := l; end;`,
    "loops in steps and the wrong way": `
      var x: 0..9; s: -2..2; startstate x := 5; s := 0; end; rule begin for i := 1 to x by s do x := i % 10; end; end; rule begin for i := x to 1 by s do x := (x + i) % 10; end; end; rule begin s := s = 2 ? -2 : s + 1; end; rule begin for i: 0..9 do if i = x then x := 9 - i; end; end; end; rule begin while x > 3 do x := x - 1; end; end;`,
    "local variables that are handed on as references": `
      type row: array [0..2] of 0..3; var a: row; x: 0..3; procedure inc(var k: 0..3); begin k := (k + 1) % 4; end; procedure put_(var r: row; k: 0..3; v: 0..3); begin r[k] := v; if k > 0 then r[k - 1] := r[k]; end; end;
      procedure both(var r: row); begin put_(r, 1, 2); end; startstate for i: 0..2 do a[i] := 0; end; x := 0; end; rule var l: 0..3; begin l := x; inc(l); x := l; end; rule var l: 0..3; begin l := 1; alias y: l do inc(y); x := y; end; end;
      rule begin put_(a, x, (x + 1) % 4); end; rule var l: row; begin l := a; put_(l, x, 3); a := l; end; rule var l: row; begin clear l; both(l); put_(l, 0, x); both(a); a[2] := l[0]; end; rule var l: 0..3; begin alias y: l do y := x; inc(l); x := y; end; end;`,
    "arrays passed by value to what changes them": `
      type row: array [0..1] of 0..3; up: array [0..1] of 1..4; var a: row; u: up; x: 0..3; procedure take(r: row; k: 0..3); begin a[0] := (r[0] + k) % 4; x := r[0]; end; procedure high(r: up); begin x := r[0] - 1; end; procedure twice(r: row); begin take(r, 1); take(r, 2); a[1] := r[1]; end;
      startstate a[0] := 0; a[1] := 1; u[0] := 1; u[1] := 1; x := 0; end; rule begin take(a, 1); end; rule begin high(a); end; rule begin high(u); end; rule begin twice(a); end; rule var l: row; begin l := a; l[1] := x; twice(l); end; rule begin u[0] := 4; u[1] := 1; twice(u); end; rule begin take(u, 1); end;`,
    "arguments that are undefined": `
      type row: array [0..1] of 0..2; var x: 0..2; procedure p(k: 0..2; r: row); begin if isundefined(k) & isundefined(r[0]) then x := 2; else if isundefined(r[1]) then x := 0; else x := r[1]; end; end; end;
      var a: row; startstate x := 0; a[0] := 1; a[1] := 1; end; rule begin p(undefined, undefined); end; rule begin p(x, undefined); end; rule begin p(undefined, a); end; rule begin p(1, a); end;`,
    "aliases of parts of parameters that are looked at in loops": `
      type row: array [0..11] of 0..1; rows: array [0..1] of row; var a: rows; x: 0..1; procedure look(var r: rows; k: 0..1); begin alias y: r[k] do if exists i: 0..11 do y[i] = 1 end then x := 1 - x; else y[3] := 1; end; end; end;
      startstate clear a; x := 0; end; rule begin look(a, x); end; rule begin look(a, 1 - x); end; rule var l: rows; begin l := a; look(l, x); a[1] := l[x]; end;`,
    "many parts by reference": `
      type row: array [0..59] of 0..1; var a, b: row; x: 0..1; procedure move(var r: row; var q: row); begin r := q; undefine q; end; procedure wipe(var r: row); begin clear r; end; startstate clear a; undefine b; x := 0; end;
      rule begin move(b, a); end; rule begin move(a, b); end; rule begin wipe(a); a[7] := 1; end; rule var l: row; begin l := a; wipe(a); move(b, l); end; rule var l: row; begin move(l, b); l[1] := x; a := l; end; rule begin x := 1 - x; end;`,
    "many parts of ranges with one end in common": `
      type one: array [0..49] of 1..4; zero: array [0..49] of 0..4; less: array [0..49] of 0..3; var a: one; b: zero; c: less; n: 0..4; startstate undefine a; undefine b; undefine c; n := 0; end; rule n < 4 ==> begin n := n + 4; end; rule n = 4 ==> begin n := 0; end;
      rule begin b[0] := n; end; rule begin a := b; end; rule begin b := a; end; rule begin c := b; end; rule begin b := c; end; rule begin a := c; end;`,
    "few parts of ranges with one end in common": `
      type one: record k: 1..4; l: 0..1; end; zero: record k: 0..4; l: 0..1; end; less: record k: 0..3; l: 0..1; end; var a: one; b: zero; c: less; n: 0..4; startstate undefine a; undefine b; undefine c; n := 0; end; rule n < 4 ==> begin n := n + 4; end; rule n = 4 ==> begin n := 0; end;
      rule begin b.k := n; end; rule begin a.k := b.k; end; rule begin b.k := a.k; end; rule begin c.k := b.k; end; rule begin a.k := c.k; end; rule begin a := b; end; rule begin b := a; end; rule begin c := b; end; rule begin b := c; end; rule begin a := c; end;`,
    "elements of computed places, and records of multisets alone": `
      type msg: record k: 0..1; end; bags: record m: multiset [2] of 0..1; end; var from: array [0..1] of msg; nets: array [0..1] of multiset [2] of msg; b: bags; n: 0..3; startstate from[0].k := 0; from[1].k := 1; undefine nets; undefine b; n := 0; end; rule begin n := (n + 1) % 4; end;
      rule begin multisetadd(from[(n + 1) % 2], nets[n / 2]); end; rule var k: 0..1; begin k := n % 2; multisetadd(k, b.m); end; rule begin clear b; end; rule begin clear nets; end;`,
    "elements that a condition has removed": `
      type msg: record k: 0..1; end; var net: multiset [2] of msg; n: 0..1; startstate undefine net; n := 0; end; rule var m: msg; begin m.k := n; multisetadd(m, net); end; rule begin n := 1 - n; end;
      choose m: net do rule begin multisetremovepred(i: net, net[i].k = 1); multisetremove(m, net); end; rule begin multisetremovepred(i: net, net[i].k = 1); n := net[m].k; end; end;`,
    "multisets that are copied": `
      type msg: record k: 1..2; end; high: multiset [2] of 1..2; var nets: array [0..1] of multiset [2] of msg; a, b: high; n: 1..2; startstate undefine nets; undefine a; undefine b; n := 1; end; rule begin n := 3 - n; end;
      rule var m: msg; begin m.k := n; multisetadd(m, nets[0]); end; rule begin nets[1] := nets[0]; end; rule var k: 1..2; begin k := n; multisetadd(k, a); end; rule begin b := a; end;`,
    "assumptions of several instances": `
      var x: 0..4; ruleset i: 0..4 do startstate x := i; end; end; rule x < 4 ==> begin x := x + 1; end; rule x = 2 ==> begin x := 4; end; ruleset i: 0..1 do assume "far" x != i + 2; end;`,
    "covers that fail above an array": `
      var b: array [0..2] of 0..1; x: 0..1; startstate undefine b; x := 0; end; rule begin x := 1 - x; end; rule begin b[1] := x; end; ruleset i: 1..3 do cover "above" isundefined(b[i]); end;`,
    "covers that fail below an array": `
      var b: array [1..3] of 0..1; x: 0..1; startstate undefine b; x := 0; end; rule begin x := 1 - x; end; rule begin b[1] := x; end; ruleset i: 0..2 do cover "below" isundefined(b[i]); end;`,
    "arrays in multisets": `
      type msg: record a: array [0..1] of 0..2; k: 0..1; end; var net: multiset [2] of msg; n: 0..2; startstate undefine net; n := 0; end; rule begin n := (n + 1) % 3; end; rule var m: msg; begin m.a[0] := n; m.a[1] := 2 - n; m.k := n / 2; multisetadd(m, net); end;
      choose m: net do rule net[m].a[1] = n ==> begin multisetremove(m, net); end; rule begin n := net[m].a[0]; end; end; choose m: net do invariant "sum" net[m].a[0] + net[m].a[1] = 2; end;`,
    "multisets of arrays": `
      type row: array [0..1] of 0..2; var net: multiset [2] of row; n: 0..2; startstate undefine net; n := 0; end; rule begin n := (n + 1) % 3; end; rule var r: row; begin r[0] := n; r[1] := 2 - n; multisetadd(r, net); end;
      choose m: net do rule net[m][1] = n ==> begin multisetremove(m, net); end; rule begin n := net[m][0]; end; end;`,
    "quantifiers of which instances are known": `
      var x: 0..3; y: 0..9; startstate x := 0; y := 0; end; rule x < 3 ==> begin x := x + 1; end; ${[
        "exists i: 0..2 do i = 1 end",
        "exists i: 0..2 do i > 2 end",
        "exists i: 0..2 do i = 1 | x = i end",
        "exists i: 0..2 do i = 1 & x = i end",
        "forall i: 0..2 do i < 3 end",
        "forall i: 0..2 do i != 1 end",
        "forall i: 0..2 do i = 1 | x = i end",
        "forall i: 1..2 do i = 1 -> x = i end",
        "forall i: 0..2 do i != 1 & x = i end",
      ]
        .map((condition, n) => `rule ${condition} ==> begin y := ${n + 1}; end;`)
        .join(" ")}
      ${["<", "<=", ">", ">=", "=", "!="].map((op) => `ruleset i: 0..2 do rule i ${op} 1 ==> begin y := 5 + i; end; end;`).join(" ")}
      ruleset i: 0..1 do rule begin y := (9007199254740991 + i) % 10; end; rule begin y := 5 + (-9007199254740991 - i) % 5; end; end;`,
    "quantifiers in loops of which one may fail": `
      type t: scalarset(12); var b: array [t] of boolean; n: 0..1; startstate for i: t do b[i] := true; end; n := 0; end; ruleset i: t do rule n = 0 ==> begin undefine b[i]; n := 1; end; end;
      rule exists i: t do b[i] end ==> begin n := 0; end; rule forall i: t do !b[i] end ==> begin n := 1; end; rule begin for i: t do b[i] := false; end; end;`,
    "quantifiers that may fail, but are known": `
      type s: scalarset(2); var b: array [s] of boolean; x: 0..2; startstate x := 0; end; rule forall i: s do i = i | b[i] end ==> begin x := 1; end; rule exists i: s do i != i & b[i] end ==> begin x := 2; end; rule begin x := 0; end;`,
    "arrays of other ranges that are compared": `
      type few: array [0..1] of 0..3; off_: array [0..1] of 1..4; var a: few; b: off_; n: 1..3; m: 0..2; startstate undefine a; undefine b; n := 1; m := 0; end; rule begin a[0] := n; end; rule begin b[0] := n; end; rule n < 3 ==> begin n := n + 1; end; rule a = b ==> begin m := 1; end; rule a != b ==> begin m := 2; end;`,
    "records that are compared at computed places": `
      type p: record a, b: 0..2; end; var z: array [0..1] of p; n: 0..3; startstate undefine z; n := 0; end; rule begin n := (n + 1) % 4; end; rule begin z[n % 2].a := n % 3; end; rule begin z[(n + 1) % 2].b := 1; end;
      rule z[(n + 1) % 2] = z[n / 2] ==> begin n := 0; end; rule z[n % 2] != z[(n + 3) % 2] ==> begin n := 1; end;`,
    "numbers of just more than 32 bits": `
      var x: 0..3; y: -9..9; startstate x := 0; y := 0; end; rule begin x := (x + 1) % 4; end; rule begin y := (x | 2147483648) % 7; end; rule begin y := (2147483648 | x) % 7; end; rule begin y := (x | 2147483647) % 7; end;
      rule begin y := (x | -2147483649) % 7; end; rule begin y := (-2147483649 | x) % 7; end; rule begin y := (x | -2147483648) % 7; end; rule begin y := ((0 - x) >> 64) + x; end; rule begin y := ((0 - x) >> 63) + x; end; rule begin y := (x << 64) + 1; end;
      rule begin y := (x | 2147483649) % 7; end; rule begin y := (x ^ 2147483649) % 7; end; rule begin y := (x & 2147483649) % 7; end;`,
    "procedures without parameters that call themselves": `
      var x: 0..1; procedure on_(); begin on_(); end; startstate x := 0; end; rule begin x := 1; end; rule x = 1 ==> begin on_(); end;`,
    "local arrays of procedures that call themselves": `
      type row: array [0..2] of 0..3; var x: 0..3; procedure first(k: 0..3); var r: row; begin r[0] := k; r[1] := k; x := r[1]; end;
      function deep(k: 0..3): 0..3; var l: row; r: row; begin if !isundefined(r[0]) | !isundefined(l[2]) then return 3; end; r[0] := k; l[2] := k; if k > 0 then r[1] := deep(k - 1); first(r[1]); r[2] := deep(k - 1); end; first(r[0]); return (r[0] + l[2]) % 3; end;
      startstate x := 0; end; rule begin first((x + 1) % 4); end; rule begin x := deep(x); end; rule begin first(3); x := deep(2); end;`,
    "covers and liveness properties that fail in calls and at indices": `
      var x: 0..3; a: array [1..2] of boolean; z: 0..1; function bad(): boolean; begin assert x != 2; return x = 1; end; startstate x := 0; z := 0; for i: 1..2 do a[i] := false; end; end; rule x < 3 ==> begin x := x + 1; end; rule begin z := 1 - z; end;
      cover "call" bad(); cover "above" x > 0 & a[x]; cover "below" x < 3 & a[x]; liveness "calls" bad(); cover "never" x = 3;`,
    "multisets of several lengths and of elements of two parts": `
      type msg: record k: 0..1; w: 0..1; end; var full: multiset [3] of 0..3; b: multiset [2] of 0..3; net: multiset [2] of msg; n: 0..3; startstate var k: 0..3; begin undefine full; undefine b; undefine net; n := 0; k := 3; for i: 1..3 do multisetadd(k, full); end; end;
      ruleset i: 0..1; j: 0..1 do rule n = 0 ==> var m: msg; begin m.k := i; m.w := j; multisetadd(m, net); end; end; rule n > 0 ==> var k: 0..3; begin k := n; multisetadd(k, b); end; rule n < 3 ==> begin n := n + 1; undefine net; end;`,
  }))
    test(`on ${what}`, () => {
      const { maxRounds, ...program } = programOf(text);
      expect(difference({ ...program, maxRounds: Math.min(maxRounds, 1000) }, 200)).toBeUndefined();
    });

  for (const deadlock of ["stuck", "stuttering", "off"] as const)
    test(`on deadlocks: ${deadlock}`, () => {
      const text = `var x: 0..5; startstate x := 0; end; rule x < 3 ==> begin x := x + 1; end; rule x = 3 ==> begin x := 3; end; rule x = 2 ==> begin x := 4; end; rule x = 2 ==> begin x := 5; end;
        rule x = 1 ==> begin assume false; end; assume "a" x != 4;`;
      expect(difference(programOf(text, {}, { deadlock }), 20)).toBeUndefined();
    });

  for (const body of ["assert false;", 'error "e"; x := 1;', "x := 3;", "assume false;", "x := x;"])
    test(`on stuttering where the only rule does '${body}'`, () => {
      const text = `var x: 0..3; startstate x := 0; end; rule begin ${body} end; assume "a" x != 3;`;
      const unchanged = `${text.replace("x != 3", "y = 0").replace("startstate", "y: 0..1; startstate y := 0;")} rule begin y := 1; end;`;
      for (const program of [text, unchanged])
        expect(difference(programOf(program, {}, { deadlock: "stuttering" }), 20)).toBeUndefined();
    });

  test("on what stays undefined in CMurphi's dialect", () => {
    const text = `var x, y: 0..2; a: array [0..1] of 0..2; procedure p(k: 0..2); begin if isundefined(k) then x := 1; else y := k; end; end; startstate undefine x; y := 0; end;
      rule begin y := x; end; rule begin a[0] := y; end; rule begin x := a[1]; end; rule begin a[1] := a[0]; end; rule begin undefine y; end; rule begin p(x); end; rule begin p(2); end;
      rule exists i: 0..1 do a[i] = 0 end ==> begin x := 0; end; rule forall i: 0..1 do a[i] = 0 end ==> begin x := 2; end;`;
    expect(difference(programOf(text, {}, { dialect: "cmurphi" }), 200)).toBeUndefined();
  });

  test("on reads that cannot fail", () => {
    const text = `var x: 0..3; b: boolean; a: array [0..1] of 0..3; startstate x := 0; b := false; a[0] := 0; a[1] := 1; end; rule begin x := (x + 1) % 4; end; rule b ==> begin b := false; end; rule !b ==> begin b := true; end;
      rule x = 2 ==> begin a[0] := x; end; rule x != 2 ==> begin a[1] := x; end; rule a[x % 2] = 4 ==> begin x := 0; end; rule a[0] != 7 & b ==> begin x := a[1]; end;`;
    const without = <T>(node: T): T =>
      Array.isArray(node)
        ? (node.map(without) as T)
        : typeof node === "object" && node !== null
          ? ({
              ...Object.fromEntries(Object.entries(node).map(([key, value]) => [key, without(value)])),
              ...("kind" in node && node.kind === "read" ? { site: -1 } : {}),
            } as T)
          : node;
    const program = programOf(text);
    expect(difference({ ...program, rules: without(program.rules) }, 100)).toBeUndefined();
  });

  test("whatever number a place has that can fail", () => {
    const text = `type msg: record k: 0..1; end; var net: multiset [2] of msg; a: array [0..1] of 0..1; x: 0..2; startstate var m: msg; begin undefine net; x := 0; m.k := 1; multisetadd(m, net); end; rule begin x := (x + 1) % 3; end;
      choose m: net do rule begin multisetremove(m, net); x := net[m].k; end; rule begin multisetremove(m, net); multisetremove(m, net); end; end; rule begin a[x] := x; end; rule a[x] = 1 ==> begin x := 0; end; rule var m: msg; begin m.k := x; multisetadd(m, net); end;
      rule begin for i := 2 to 1 by x do x := i; end; end; rule begin x := 2 / x; end; rule begin assert x = 0; end;`;
    const program = programOf(text);
    const { length } = program.sites;
    const names = new Set(["site", "range", "tooDeep", "wrongWay", "noResult"]);
    for (let first = 0; first < length; first++) {
      const moved = <T>(node: T): T =>
        Array.isArray(node)
          ? (node.map(moved) as T)
          : typeof node === "object" && node !== null
            ? (Object.fromEntries(
                Object.entries(node).map(([key, value]) => [
                  key,
                  names.has(key) && value >= 0 ? (value + first) % length : moved(value),
                ]),
              ) as T)
            : node;
      expect(difference({ ...program, rules: moved(program.rules) }, 15)).toBeUndefined();
    }
  });

  test("on loops of as many rounds as there may be, and of more", () => {
    const text = `var x: 0..9; startstate x := 0; end; rule x < 9 ==> begin x := x + 1; end; rule begin while x < 6 do x := x + 1; end; end; rule x = 9 ==> begin while true do x := 9; end; end;`;
    for (const maxRounds of [0, 1, 3])
      expect(difference({ ...programOf(text), maxRounds }, 20)).toBeUndefined();
  });

  for (const maxCallDepth of [1, 2, 3, 4, 5])
    test(`on calls in a procedure that calls itself ${maxCallDepth} times at most`, () => {
      const text = `var x: 0..9; procedure last(); begin x := x + 1; end; procedure middle(); begin last(); end;
        procedure down(k: 0..3); begin if k = 0 then middle(); else down(k - 1); end; end;
        startstate x := 0; end; ruleset k: 0..3 do rule x < 6 ==> begin down(k); end; end; rule x < 6 ==> begin middle(); end;`;
      const all = programOf(text);
      expect(difference({ ...all, maxCallDepth }, 20)).toBeUndefined();
      const procedures = all.procedures.slice(0, 2);
      const rules = all.rules.slice(1);
      expect(difference({ ...all, procedures, rules, maxCallDepth }, 20)).toBeUndefined();
    });

  for (const dialect of ["rumur", "cmurphi"] as const)
    test(`on comparisons with numbers outside of ranges in the dialect of ${dialect}`, () => {
      const text = `var x: 1..3; y: 0..5; startstate undefine x; y := 0; end; rule begin x := 1; end; rule begin x := 3; end; rule begin undefine x; end;
        ${[0, 1, 3, 4].map((n) => `rule x = ${n} ==> begin y := ${n}; end; rule x != ${n} ==> begin y := 5; end; rule ${n} = x ==> begin y := ${n}; end;`).join(" ")}`;
      expect(difference(programOf(text, {}, { dialect }), 50)).toBeUndefined();
    });

  test("on members beside all values of a union in CMurphi's dialect", () => {
    const text = `type s: scalarset(2); t: scalarset(2); u: union { s, enum { none, off }, t }; var y: s; z: t; n: 0..2; startstate undefine y; undefine z; n := 0; end; ruleset i: s do rule begin y := i; end; end; ruleset i: t do rule begin z := i; end; end;
      ruleset i: u do rule z = i ==> begin n := 1; end; rule z != i ==> begin n := 2; end; rule y = i ==> begin n := 1; end; rule y != i ==> begin n := 2; end; end;`;
    expect(difference(programOf(text, {}, { dialect: "cmurphi" }), 50)).toBeUndefined();
  });

  test("on copies between ranges in CMurphi's dialect", () => {
    const text = `var a: 1..4; b: 0..4; c: 0..3; n: 0..4; procedure p(k: 0..3); begin c := k; end; procedure q(k: 0..4); begin b := k; end; startstate undefine a; undefine b; undefine c; n := 0; end; rule n < 4 ==> begin n := n + 4; end; rule n = 4 ==> begin n := 0; end;
      rule begin b := n; end; rule begin a := b; end; rule begin b := a; end; rule begin c := b; end; rule begin b := c; end; rule begin a := c; end; rule begin p(a); end; rule begin p(b); end; rule begin q(a); end; rule begin q(c); end;`;
    expect(difference(programOf(text, {}, { dialect: "cmurphi" }), 100)).toBeUndefined();
  });

  test("on loops that lead away from their end in CMurphi's dialect", () => {
    const text = `var x, y: 0..3; startstate x := 0; y := 0; end; rule begin for i := x to 2 do y := i; end; x := (x + 1) % 4; end;
      rule begin for i := x to 1 by -1 do y := i; end; end; rule exists i := x to 2 do i = y end ==> begin y := 3; end; rule forall i := x to 2 by 1 do i > y end ==> begin y := 0; end;`;
    expect(difference(programOf(text, {}, { dialect: "cmurphi" }), 50)).toBeUndefined();
  });

  test("on scalarsets and unions in CMurphi's dialect", () => {
    const text = `type s: scalarset(2); t: scalarset(2); u: union { s, enum { none, off }, t }; var x, v: u; y: s; z: t; n: 0..3; function own(): s; begin return y; end; function any_(): u; begin return v; end; startstate undefine x; undefine v; undefine y; undefine z; n := 0; end;
      ruleset i: s do rule begin x := i; end; rule begin y := i; end; rule x = i ==> begin n := 1; end; rule x != i ==> begin n := 2; end; rule y = i ==> begin n := 3; end; rule i != y ==> begin n := 0; end; end;
      ruleset i: t do rule begin v := i; end; rule begin z := i; end; rule x = i ==> begin n := 0; end; rule i != v ==> begin n := 3; end; end; rule x = none ==> begin n := 1; end; rule off != x ==> begin n := 2; end; rule begin x := none; end; rule begin x := v; end; rule begin v := y; end; rule begin y := v; end; rule begin undefine v; end;
      rule x = y ==> begin n := 1; end; rule z != v ==> begin n := 2; end; rule x = v ==> begin n := 3; end; rule x != v ==> begin n := 0; end; rule x = own() ==> begin n := 1; end; rule own() != y ==> begin n := 2; end; rule x != any_() ==> begin n := 0; end; rule any_() = y ==> begin n := 3; end;
      rule ismember(x, s) ==> begin n := 1; end; rule !ismember(v, t) ==> begin n := 2; end;`;
    expect(difference(programOf(text, {}, { dialect: "cmurphi" }), 200)).toBeUndefined();
  });
});

describe("the interpreter", () => {
  const program =
    programOf(`var x: 0..2; startstate x := 0; end; rule x < 2 ==> begin x := x + 1; cover x = 2; end;
    invariant "i" x = 0; cover "c" x = 0; liveness "l" x = 0;`);
  const layout = layOutRules(program);
  const steps = interpretRules(program, layout);

  test("judges nothing before a start state is chosen", () => {
    const root = new Int32Array(layout.words);
    const { invariants, covers, liveness } = program;
    const state = covers.find(({ condition }) => condition)!.condition!;
    const judge = (words: Words): boolean[] => [
      steps.allHold(invariants[0]!, words, 0),
      steps.someHolds(state, words, 0),
      steps.holdsFor(liveness[0]!, [], words, 0),
    ];
    expect(judge(root)).toEqual([true, false, false]);
    const out = new Successors(layout.words);
    steps.successors(root, 0, out);
    const first = out.words.slice(0, layout.words);
    expect(judge(first)).toEqual([true, true, true]);
    out.clear();
    steps.successors(first, 0, out);
    expect(judge(out.words.slice(0, layout.words))).toEqual([false, false, false]);
  });

  test("refuses variables of more than 32 bits", () => {
    const of = (high: number): RuleProgram => ({
      ...program,
      variables: program.variables.map((variable) => ({
        ...variable,
        type: { kind: "range", low: 0, high },
      })),
    });
    expect(() => layOutRules(of(2 ** 32 - 1))).toThrow(TooLarge);
    expect(layOutRules(of(2 ** 32 - 2)).leaves[0]!.bits).toBe(32);
  });

  test("tells which covers a step met", () => {
    let state: Words = new Int32Array(layout.words);
    const met: (readonly number[])[] = [];
    for (let step = 0; step < 3; step++) {
      met.push(steps.eventsAt(state, 0)[0]!.covered);
      const out = new Successors(layout.words);
      steps.successors(state, 0, out);
      state = out.words.slice(0, layout.words);
    }
    expect(met).toEqual([[], [], [program.covers.findIndex(({ condition }) => !condition)]]);
  });
});
