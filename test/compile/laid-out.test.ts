import { expect, test } from "vitest";
import { laidOut } from "../../src/compile/codegen/laid-out.js";

test("indents by brackets, and leaves out empty lines", () => {
  const code =
    'function f(a) {\nif (a) {\n\ng("}", a); // for (;;) {\n} else {\n/* { */ h([\n1,\n]);\n}\n}\nf(1);';
  expect(laidOut(code)).toBe(
    [
      "function f(a) {",
      "  if (a) {",
      '    g("}", a); // for (;;) {',
      "  } else {",
      "    /* { */ h([",
      "        1,",
      "    ]);",
      "  }",
      "}",
      "f(1);",
    ].join("\n"),
  );
});
