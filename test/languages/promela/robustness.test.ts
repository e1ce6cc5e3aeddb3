/** Large, deep, truncated, binary and random inputs must not crash the front end. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzzParser } from "../../../bench/fuzz/parser.js";
import { hasErrors } from "../../../src/model/diagnostic.js";
import { PromelaGrammar } from "../../../src/languages/promela/grammar.js";
import { run } from "./front.js";

test("the grammar has no ambiguities, left recursion or dead alternatives", () => {
  expect(() => new PromelaGrammar({ validate: true })).not.toThrow();
});

describe("deep nesting is a diagnostic", () => {
  const n = 10_000;
  test.each([
    ["parentheses", `init { assert(${"(".repeat(n)}1${")".repeat(n)}) }`],
    ["open parentheses", `init { assert(${"(".repeat(n)}`],
    ["blocks", `init { ${"{".repeat(n)} skip ${"}".repeat(n)} }`],
    ["selections", `init { ${"if :: ".repeat(n)} skip ${"fi ".repeat(n)} }`],
    ["indices", `byte a[2]; init { a${"[a".repeat(n)}[0]${"]".repeat(n)} = 1 }`],
    ["negations", `init { assert(${"!".repeat(n)}1) }`],
    ["differences", `int x; init { x = ${"1 - ".repeat(n)}1 }`],
    ["next steps", `byte p; init { skip } ltl { ${"X ".repeat(n)} p }`],
    ["macro calls", `#define f(x) x\nint x; init { x = ${"f(".repeat(n)}1${")".repeat(n)} }`],
    ["open macro calls", `#define f(x) x\nint x; init { x = ${"f(".repeat(n)}`],
    ["conditions", `#if ${"(".repeat(n)}1${")".repeat(n)}\n#endif\ninit { skip }`],
  ])("%s", (_, text) => expect(hasErrors(run(text).diagnostics)).toBe(true));

  test("many labels, fields and terms of a sum are not deep", () => {
    const labels = Array.from({ length: n }, (_, i) => `l${i}:`).join(" ");
    const sum = Array.from({ length: n }, () => "x").join(" + ");
    expect(hasErrors(run(`int x; init { ${labels} x = ${sum} }`).diagnostics)).toBe(false);
  });
});

describe("ten megabytes", () => {
  const fill = (part: string): string => part.repeat(Math.ceil(10_000_000 / part.length));
  const long = "a_rather_long_name_of_a_variable_that_somebody_generated_from_something_else";
  test.each<[string, string, string[]]>([
    ["of statements", `byte ${long}; init { ${fill(`${long} = ${long}; `)} skip }`, []],
    ["of one comment", `/*${fill("comment ")}*/ init { skip }`, []],
    ["of one name", `byte ${fill("x")}; init { skip }`, []],
    ["of one line that is never closed", `init { printf("${fill("x")}`, ["promela/unterminated-string"]],
    ["of semicolons", `init { skip ${fill(";")} }`, ["promela/file-too-large"]],
    ["of undeclared names", `init { ${fill(`${long}++; `)} skip }`, ["promela/undeclared-name"]],
    ["of syntax errors", `init { ${fill(`${long} = ) ; `)} }`, ["promela/syntax"]],
    ["of zeros", fill("\0"), ["promela/unknown-character"]],
    ["of strings", fill('"text"\n'), ["promela/syntax"]],
  ])(
    "%s",
    (_, text, expected) => {
      const codes = new Set(run(text).diagnostics.map((each) => each.code));
      for (const code of expected) expect(codes).toContain(code);
      if (expected.length === 0) expect([...codes]).toEqual([]);
    },
    120_000,
  );
});

test("a model cut off anywhere only gives diagnostics", () => {
  const text = `
#define N 2
mtype = { a, b }; typedef T { byte x; byte y[N] }
chan q = [N] of { mtype, byte };
inline f(p) { if :: p > 0 -> p-- :: else -> skip fi }
active [2] proctype P(byte v) provided (true) {
  byte i; T t;
  for (i : 1 .. N) { q!a(i); q?<b, _> }
  atomic { f(v); do :: q??[a, 1] -> break :: timeout od } unless { (v -> 1 : 0) }
end: assert(P@end || !v); printf("%d\\n", 'c')
}
ltl p { [] (P@end -> <> true) }
`;
  for (let end = 0; end <= text.length; end++) run(text.slice(0, end));
});

test("any text only gives diagnostics", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => void run(text)),
    { numRuns: 500 },
  );
});

test("any sequence of tokens only gives diagnostics", () => {
  const tokens = (
    "active proctype init { } ( ) [ ] ; -> :: : , . .. @ = == ! !! ? ?? < > + - * if fi do od for in select atomic " +
    "d_step unless goto break else x y P 1 'c' \"s\" true run byte chan mtype typedef T of len full eval timeout np_ " +
    "never ltl trace [] <> U inline f #define #if #endif #include printf assert xr return c_code\n _ _pid priority"
  ).split(" ");
  const text = fc.array(fc.constantFrom(...tokens), { maxLength: 60 }).map((parts) => parts.join(" "));
  fc.assert(
    fc.property(text, (body) => {
      run(body);
      run(`byte x, y; chan q = [1] of { byte }; active proctype P() { ${body} }`);
    }),
    { numRuns: 1000 },
  );
});

test("mutated models only give diagnostics", () => {
  const { failures, inputs } = fuzzParser({ seed: 1, count: 1500 });
  expect(failures).toEqual([]);
  expect(inputs).toBe(1500);
});
