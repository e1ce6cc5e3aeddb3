/** The mutants that `npm run mutate` makes of marked lines. */
import { describe, expect, test } from "vitest";
import { marksOf } from "../bench/mutation/marks.js";
import { mutantsOf } from "../bench/mutation/mutants.js";

const insteads = (text: string, line = 1): string[] =>
  mutantsOf("m.ts", text, line).map(({ instead }) => instead);

describe("marks", () => {
  test("stand behind a line or above it", () => {
    const text =
      "a(); // sound: test/a.test.ts test/b.test.ts\n// sound: test/c.test.ts\n// Because.\nif (b) return;\n";
    expect(marksOf("m.ts", text)).toEqual([
      { file: "m.ts", line: 1, tests: ["test/a.test.ts", "test/b.test.ts"] },
      { file: "m.ts", line: 4, tests: ["test/c.test.ts"] },
    ]);
  });
});

describe("mutants", () => {
  test.each([
    [
      "guards are dropped, taken always and negated",
      "if (c.random) return false;",
      [
        "if (true) return false;",
        "if (false) return false;",
        "if (!(c.random)) return false;",
        "if (c.random) return true;",
      ],
    ],
    ["calls that stand alone are dropped", "users.add(-1);", [";"]],
    [
      "comparisons are shifted",
      "while (a > b) f();",
      [
        "while (true) f();",
        "while (false) f();",
        "while (!(a > b)) f();",
        "while (a >= b) f();",
        "while (a > b) ;",
      ],
    ],
    [
      "operands are lost, and `!` too",
      "const x = a && !isKept(slot);",
      [
        "const x = a || !isKept(slot);",
        "const x = a;",
        "const x = !isKept(slot);",
        "const x = a && isKept(slot);",
      ],
    ],
    [
      "elements are lost",
      "const all = [...a, ...b];",
      ["const all = [...[], ...b];", "const all = [...a, ...[]];"],
    ],
    [
      "generated code is changed as text",
      "const code = `if (x < y) return;`;",
      ["const code = `if (x <= y) return;`;"],
    ],
    ["numbers where there is nothing else", "return of(8);", ["return undefined;", "return of((8 + 1));"]],
  ])("%s", (_, text, expected) => expect(insteads(text)).toEqual(expected));

  test("a mark inside a condition is about the operand on its line", () => {
    const text = "if (\n  a ||\n  b < 1\n)\n  f();";
    expect(insteads(text, 3)).toContain("a");
    expect(insteads(text, 3)).toContain("b <= 1");
  });

  test("a mark behind the end of a statement is about the statement", () => {
    expect(insteads("return (\n  a(\n    1) ===\n  b\n);", 5).length).toBeGreaterThan(2);
    expect(insteads("if (a)\n  return undefined;", 2)).toContain("if (false)");
  });

  test("inner blocks have marks of their own", () => {
    expect(insteads("if (a) {\n  if (b) f();\n}")).toEqual(["if (true) {", "if (false) {", "if (!(a)) {"]);
  });
});
