import { describe, expect, test } from "vitest";
import { parsed, positions, run, show, stepsOf } from "./front.js";

/** The value assigned to `x`, after preprocessing. */
function value(text: string, options: Parameters<typeof parsed>[1] = {}): string {
  const step = stepsOf(parsed(`${text}\n`, options).model).find((each) => each.kind === "assign");
  return step?.kind === "assign" ? show(step.value) : "?";
}

describe("macros", () => {
  test.each([
    ["#define N 3\nbyte x; init { x = N }", "3"],
    ["#define N 1 + 2\nbyte x; init { x = N * 4 }", "(1 + (2 * 4))"],
    ["#define A B\n#define B 7\nbyte x; init { x = A }", "7"],
    ["#define add(a, b) (a + b)\nbyte x; init { x = add(1, add(2, 3)) }", "(1 + (2 + 3))"],
    ["#define f (x)\nbyte x; init { x = f }", "x"],
    ["#define f() 4\nbyte x; init { x = f() }", "4"],
    ["#define first(a, b) a\nbyte x; init { x = first((1 , 2), 3) }", "?"],
    ["#define id(a) a\nbyte x; init { x = id(\n5\n) }", "5"],
    ["#define cat(a, b) a##b\nbyte x, xy; init { x = cat(x, y) }", "xy"],
    ["#define long 1 + \\\n  2\nbyte x; init { x = long }", "(1 + 2)"],
    ["#define N 3 /* three */\nbyte x; init { x = N // no more\n}", "3"],
    ["#define x2 x + x\n#undef x2\nbyte x, x2; init { x = x2 }", "x2"],
    ["#define x x\nbyte x; init { x = x }", "x"],
    ["#define f(a) a + f(a)\nbyte x; init { x = 1 }", "1"],
    ["#define skip2 skip; skip\nbyte x; init { skip2; x = 9 }", "9"],
    ["#define bool2 byte\nbool2 x; init { x = 2 }", "2"],
  ])("%j", (text, expected) => {
    if (expected === "?") expect(run(text).diagnostics).not.toEqual([]);
    else expect(value(text)).toBe(expected);
  });

  test("a macro that names itself is not expanded again", () => {
    expect(value("byte x, n;\n#define n n + 1\ninit { x = n }")).toBe("(n + 1)");
    expect(value("byte x, a;\n#define a b\n#define b a\ninit { x = a }")).toBe("a");
  });

  test("an argument can be made a string", () => {
    const { model } = parsed('#define show(e) printf(#e)\ninit { show(x  + "a"); skip }');
    expect(stepsOf(model)[0]).toMatchObject({ kind: "printf", format: 'x + \\"a\\"' });
  });

  test("definitions from the command line hold from the first line", () => {
    const text = "byte x; init { x = N }";
    expect(value(text, { defines: [{ name: "N", value: "2 + 3" }] })).toBe("(2 + 3)");
    expect(value(text, { defines: [{ name: "N" }] })).toBe("1");
  });

  test("code from a macro points at its use, and says where the macro is defined", () => {
    const text = "#define LIMIT 1 + nowhere\nbyte x;\ninit { x = 1; x = LIMIT }";
    const outcome = run(text);
    expect(positions(outcome)).toEqual(["promela/undeclared-name 3:19"]);
    expect(outcome.diagnostics[0]!.notes).toEqual([
      { span: { file: "model.pml", start: 8, end: 13 }, message: "from macro `LIMIT`, defined here" },
    ]);
  });

  test("an argument points at itself", () => {
    expect(positions(run("#define id(a) (a)\nbyte x;\ninit { x = id(nowhere) }"))).toEqual([
      "promela/undeclared-name 3:15",
    ]);
  });

  test("macros that double each other stop at a limit", () => {
    const lines = Array.from({ length: 40 }, (_, i) => `#define m${i + 1} m${i} + m${i}`);
    const outcome = run(`#define m0 1\n${lines.join("\n")}\nbyte x; init { x = m40 }`);
    expect(outcome.diagnostics.map((each) => each.code)).toContain("promela/expansion-too-large");
  });
});

describe("conditions", () => {
  test.each([
    ["#if 1\nx = 1\n#else\nx = 2\n#endif", "1"],
    ["#if 0\nx = 1\n#else\nx = 2\n#endif", "2"],
    ["#ifdef N\nx = 1\n#else\nx = 2\n#endif", "2"],
    ["#define N\n#ifdef N\nx = 1\n#else\nx = 2\n#endif", "1"],
    ["#ifndef N\nx = 1\n#endif", "1"],
    ["#if 0\nx = 1\n#elif 1\nx = 2\n#elif 1\nx = 3\n#else\nx = 4\n#endif", "2"],
    ["#define N 3\n#if N > 2 && defined(N) && !defined M\nx = 1\n#else\nx = 2\n#endif", "1"],
    ["#if (1 << 3) == 8 && 7 % 4 == 3 && ~0 == -1 && 0x10 == 16\nx = 1\n#else\nx = 2\n#endif", "1"],
    ["#if 0\n#if 1\nx = 1\n#endif\n#else\nx = 2\n#endif", "2"],
    ["#if 1 ? 0 : 1\nx = 1\n#else\nx = 2\n#endif", "2"],
    ["#if UNKNOWN\nx = 1\n#else\nx = 2\n#endif", "2"],
    ["#if 0\n`garbage $\n#endif\nx = 1", "1"],
  ])("%j", (body, expected) => expect(value(`byte x;\ninit {\n${body}\n}`)).toBe(expected));
});

describe("inclusion", () => {
  const readFile = (path: string): string | undefined => FILES.get(path);
  const FILES = new Map([
    ["models/part.h", '#include "deep/more.h"\n#define N MORE'],
    ["models/deep/more.h", "#define MORE 5"],
    ["models/loop.h", '#include "./loop.h"'],
    ["models/one.h", '#ifndef ONE\n#define ONE\n#include "two.h"\n#define N (TWO + 1)\n#endif'],
    ["models/two.h", '#ifndef TWO\n#define TWO 2\n#include "one.h"\n#endif'],
    [
      "models/counting.h",
      '#ifndef A\n#define A\n#include "counting.h"\n#else\n#ifndef B\n#define B\n#include "counting.h"\n#else\n#define N 7\n#endif\n#endif',
    ],
    ["models/alternating.h", '#ifdef A\n#undef A\n#else\n#define A\n#endif\n#include "alternating.h"'],
    [
      "models/twice.h",
      '#ifdef A\n#undef A\n#else\n#define A\n#endif\n#include "twice.h"\n#define B\n#include "twice.h"',
    ],
    ["top.h", "byte fromTop;"],
  ]);

  test("is relative to the file that includes", () => {
    const text = '#include "part.h"\n#include "../top.h"\nbyte x; init { x = N + fromTop }';
    expect(value(text, { file: "models/main.pml", readFile })).toBe("(5 + fromTop)");
  });

  test.each([
    ["one.h", "(2 + 1)"],
    ["two.h", "(2 + 1)"],
    ["counting.h", "7"],
  ])("of each other is well where %s is guarded", (file, expected) => {
    expect(value(`#include "${file}"\nbyte x; init { x = N }`, { file: "models/main.pml", readFile })).toBe(
      expected,
    );
  });

  test.each(["alternating.h", "twice.h"])("without end is reported once in %s", (file) => {
    const found = run(`#include "${file}"\ninit { skip }`, { file: "models/main.pml", readFile });
    expect(new Set(found.diagnostics.map(({ code }) => code))).toEqual(new Set(["promela/include-cycle"]));
    expect(found.diagnostics.length).toBeLessThan(1000);
  });

  test("of oneself is reported, and so is a file that is not there", () => {
    const text = '#include "loop.h"\n#include "none.h"\ninit { skip }';
    expect(positions(run(text, { file: "models/main.pml", readFile }))).toEqual([
      "promela/include-cycle 1:10 in loop.h",
      "promela/include-not-found 2:10",
    ]);
  });
});
