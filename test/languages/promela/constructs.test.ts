/** Syntax trees of all constructs. */
import { describe, expect, test } from "vitest";
import type { Statement } from "../../../src/languages/promela/ast.js";
import { parsed, positions, run, show, steps } from "./front.js";

const GLOBALS = `
mtype = { req, ack };
typedef R { byte a; byte b[2] };
chan q = [2] of { mtype, byte };
chan one = [1] of { byte };
chan records = [2] of { R };
chan many[2] = [1] of { byte };
byte x, y, z[3];
R r;
proctype P(byte p; chan c) { byte l; here: skip }
`;

/** Tests compare only named fields, without spans. */
const step = (body: string): Statement => steps(body, GLOBALS)[0]!;

describe("statements", () => {
  test.each<[string, Partial<Statement>]>([
    ["x = 1", { kind: "assign" }],
    ["x++", { kind: "increment", by: 1 }],
    ["z[1]--", { kind: "increment", by: -1 }],
    ["q!req,1", { kind: "send", sorted: false }],
    ["q!req(1)", { kind: "send", sorted: false }],
    ["q!!req,1", { kind: "send", sorted: true }],
    ["records!r", { kind: "send" }],
    ["many[1]!1", { kind: "send" }],
    ["q?req,x", { kind: "receive", random: false, peek: false }],
    ["q?req(x)", { kind: "receive", random: false, peek: false }],
    ["q??req,x", { kind: "receive", random: true, peek: false }],
    ["q?<req,x>", { kind: "receive", random: false, peek: true }],
    ["q??<req,eval(x)>", { kind: "receive", random: true, peek: true }],
    ["one?-1", { kind: "receive" }],
    ["one?(x)", { kind: "receive" }],
    ["q?_,_", { kind: "receive" }],
    ["skip", { kind: "expression" }],
    ["x == 1 && nfull(q)", { kind: "expression" }],
    ["(timeout)", { kind: "expression" }],
    ["run P(1, q)", { kind: "expression" }],
    ["run P(1, q) priority 3", { kind: "expression" }],
    ["x = run P(1, q)", { kind: "assign" }],
    ["q?[req,x]", { kind: "expression" }],
    ["q??[req,1]", { kind: "expression" }],
    ["len(q) > 0", { kind: "expression" }],
    ["P[1]@here", { kind: "expression" }],
    ["P@here && P[0]:l == 1 && P:l == 2", { kind: "expression" }],
    ["enabled(1) && pc_value(1) == 3 && get_priority(1) == 2", { kind: "expression" }],
    ["set_priority(1, 2)", { kind: "setPriority" }],
    ["np_ == 0 && _last == _pid && _nr_pr == 1 && _priority > 0", { kind: "expression" }],
    ["assert(x == 1)", { kind: "assert" }],
    ["assert x == 1", { kind: "assert" }],
    ['printf("%d %e\\n", x, req)', { kind: "printf", format: "%d %e\\n" }],
    ["printm(req)", { kind: "printm" }],
    ["atomic { x = 1; y = 2 }", { kind: "atomic" }],
    ["d_step { x = 1; y = 2 }", { kind: "dStep" }],
    ["{ x = 1; y = 2 }", { kind: "block" }],
    ["if :: x == 1 -> skip :: else fi", { kind: "if" }],
    ["do :: break od", { kind: "do" }],
    ["for (x : 1 .. 3) { y++ }", { kind: "forRange" }],
    ["for (x in z) { y++ }", { kind: "forIn" }],
    ["for (r in records) { y++ }", { kind: "forIn" }],
    ["select (x : 0 .. y + 1)", { kind: "select" }],
    ["{ x = 1 } unless { y == 1 }", { kind: "unless" }],
    ["L: M: x = 1", { kind: "labelled" }],
    ["xr q, one", { kind: "exclusive", access: "receive" }],
    ["xs q", { kind: "exclusive", access: "send" }],
    ["byte v = 3, w[2] = 1", { kind: "declaration" }],
    ["show int k", { kind: "declaration", visibility: "show" }],
    ["int v[3] = { 1, 2, 3 }", { kind: "declaration" }],
    ["r.b[1] = r.a", { kind: "assign" }],
  ])("%s", (body, expected) => expect(step(`${body}; skip`)).toMatchObject(expected));

  test("arguments in parentheses are further arguments", () => {
    const send = step("q!req(x + 1); skip");
    expect(send.kind === "send" && send.arguments.map(show)).toEqual(["req", "(x + 1)"]);
  });

  test("constants, mtype names and eval match; variables are bound", () => {
    const kinds = (text: string): unknown => {
      const receive = step(`${text}; skip`);
      return receive.kind === "receive" && receive.arguments.map((each) => each.kind);
    };
    expect(kinds("q?ack,x")).toEqual(["match", "bind"]);
    expect(kinds("q?eval(y),7")).toEqual(["match", "match"]);
    expect(kinds("q?_,-1")).toEqual(["bind", "match"]);
  });

  test("a label before the closing brace is a skip", () => {
    expect(steps("goto L; L:").at(-1)).toMatchObject({ kind: "labelled", statement: undefined });
  });

  test("a select keeps its bounds", () => {
    const select = step("select (x : 1 .. 5); skip");
    expect(select.kind === "select" && [show(select.from), show(select.to)]).toEqual(["1", "5"]);
  });
});

describe("units", () => {
  test.each([
    "active [3] proctype P() { skip }",
    "active proctype P(byte a, b; int c) { skip }",
    "D_proctype P() { skip } init { run P() }",
    "byte g; active proctype P() priority 3 provided (g == 0) { skip }",
    "init priority 2 { skip }",
    "init { skip } never { do :: skip od }",
    "init { skip } never named { accept: do :: skip od }",
    "chan q = [1] of { byte }; trace { do :: q!1; q?1 od } init { q!1 }",
    "chan q = [1] of { byte }; notrace { q!1 } init { q!1 }",
    "byte x; init { skip } ltl { [] x }",
    "byte x; init { skip } ltl named { [] (x == 1 -> <> (x == 2)) }",
    "ltl early { [] late } byte late; init { late = 1 }",
    "mtype { a, b } mtype = { c d } init { skip }",
    "mtype:m = { a, b }; mtype:m x = a; init { x = b }",
    "typedef A { byte x }; typedef B { A in; A more[2]; byte y = 3 }; B b; init { b.more[1].x = b.in.x }",
    "unsigned u : 5 = 3; hidden byte h; show byte s; local byte l; init { u = h + s + l }",
    "pid p; short s = -1; bool b = true; bit t; init { p = s + b + t }",
    "chan c; chan d[2] = [0] of { chan, pid, short, bool, bit, int }; init { c = d[1] }",
    "int a['c' - 97 + 1]; init { skip };;",
  ])("%s", (text) => void parsed(text));

  test("mtypes are numbered as in Spin: in reverse, each subtype by itself", () => {
    const { info } = parsed("mtype = { a, b }; mtype = { c, d, e }; mtype:s = { f, g }; init { skip }");
    const values = Object.fromEntries([...info.mtypes.values()].map((each) => [each.name, each.value]));
    expect(values).toEqual({ a: 2, b: 1, c: 5, d: 4, e: 3, f: 2, g: 1 });
  });
});

describe("separators", () => {
  test.each([
    ["a line break", "x = 1\ny = 2", 2],
    ["a line break after a block", "{ x = 1 }\ny = 2", 2],
    ["a block and no line break", "{ x = 1 } y = 2", 2],
    ["else without an arrow", "if :: x == 1 :: else y = 2 fi; x = 1", 2],
    ["arrows and many semicolons", "x == 1 -> ; ; y = 2;;", 2],
    ["a line that starts with an arrow", "x == 1\n-> y = 2", 2],
    ["a line that starts with an operator", "x == 1\n&& y == 2\n|| x == 3", 1],
    ["unless on its own line", "{ x = 1 }\nunless { y == 2 }", 1],
    ["lines inside parentheses", "(x == 1\n&& (y\n== 2))\ny = 3", 2],
    ["a line break before a send is one", "x\n!y", 2],
    ["a line break before a parenthesis is one", "one!x\n(y == 1)", 2],
    ["a line break in a comment is none", "x = 1 /*\n*/ + 2", 1],
    ["a continued line is one line", "x = 1 \\\n + 2", 1],
    ["after a peek", "one?<x>\ny = 2", 2],
    ["after a declaration", "byte v\nbyte w\nv = w", 3],
  ])("%s", (_, body, count) => expect(steps(body, GLOBALS)).toHaveLength(count as number));

  test("two statements on one line need one", () => {
    expect(positions(run("byte x; init { x = 1 x = 2 }"))).toEqual(["promela/missing-separator 1:22"]);
  });

  test("typedef fields may be separated by line breaks", () => {
    parsed("typedef T {\n  byte a\n  byte b[2]\n}\ninit { T t; t.a = 1 }");
  });
});
