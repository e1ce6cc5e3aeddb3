/** Symbolic results against brute force: over all values of one or two bytes, the same errors as the runs with each value. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runConcretely } from "../../../src/engines/programs/index.js";
import { compiled, explored, hasClang } from "./programs.js";

const START = `#include <everypath.h>
#include <string.h>
#include <stdlib.h>
#include <ctype.h>
`;

/** Errors by kind and line, and the number of paths where it is known. */
function bruteForce(text: string, bytes: number): Set<string> {
  const module = compiled(text);
  const found = new Set<string>();
  for (let value = 0; value < 256 ** bytes; value++) {
    const inputs = Array.from({ length: bytes }, (_, index) =>
      BigInt(Math.floor(value / 256 ** index) % 256),
    );
    const { end } = runConcretely({ module, inputs: { args: new Map(), stdin: undefined } }, inputs, 1e5);
    if (end?.kind === "error") found.add(`${end.error.kind} ${end.error.span?.start}`);
  }
  return found;
}

const symbolically = (text: string): Set<string> => {
  const { errors, gaps } = explored(text);
  expect([...gaps]).toEqual([]);
  return new Set(errors.map(({ error }) => `${error.kind} ${error.span?.start}`));
};

const one = `${START}int main(void) { unsigned char a; symbolic(&a, 1, "a");\n`;
const programs: readonly (readonly [string, string])[] = [
  [
    "a symbolic index into a table",
    "static const int t[8] = {1, 0, 3, 0, 5, 6, 7, 8}; int y = 10 / t[a & 7]; check(y != 2); return 0; }",
  ],
  [
    "a symbolic index into memory that was written",
    "char b[16]; memset(b, 0, 16); b[a & 15] = a; check(b[3] != 19); check(b[9] != 3); return 0; }",
  ],
  [
    "an array of pointers",
    'const char *w[3] = {"a", "bcd", ""}; const char *s = w[a % 3]; check(s[0] != 0); check(strlen(s) < 3); return 0; }',
  ],
  [
    "an array of functions",
    "int (*f[2])(int) = {isalpha, isdigit}; if (f[a & 1](a)) { check(a != 'Q'); check(a != '5'); } return 0; }",
  ],
  [
    "a size that is symbolic",
    "char *p = malloc(a & 7); memset(p, 1, a & 3); if ((a & 7) == 6) p[a >> 3] = 0; return 0; }",
  ],
  [
    "a switch",
    "switch (a) { case 1: check(0); case 2: a++; break; case 200: check(a == 200); break; default: check(a != 77); } check(a != 3); return 0; }",
  ],
  [
    "signed bytes",
    "signed char c = a; if (c < -100) check(c != -128); if (c >> 1 == -3) check(0); short s = c * 300; check(s != 300 * 44); return 0; }",
  ],
  [
    "a hash",
    "unsigned h = 5381; for (int i = 0; i < 4; i++) h = h * 33 ^ (a >> i); check(h % 256 != 77); return 0; }",
  ],
  ["a string", 'char s[3] = {a, a ^ 5, 0}; check(strcmp(s, "fc") != 0); check(atoi(s) != 50); return 0; }'],
  [
    "bit-fields",
    "struct { unsigned x : 3; int y : 4; unsigned z : 2; } s = {a, a >> 2, a >> 6}; check(s.x + s.y * s.z != -15); check(s.y != -8 || s.z != 3); return 0; }",
  ],
  [
    "a union",
    "union { unsigned u; unsigned char b[4]; } w; w.u = a * 0x01010203u; check(w.b[1] != w.b[2] || !w.b[0]); return 0; }",
  ],
  [
    "a write through a symbolic pointer to two objects",
    "int x = 1, y = 2; int *p = a & 1 ? &x : &y; *p = a; check(x != 9); check(y != 8); check(x + y != 12); return 0; }",
  ],
];

describe.runIf(hasClang)("forks", () => {
  test.each(programs)("%s", (_, body) => {
    const text = one + body;
    expect(symbolically(text)).toEqual(bruteForce(text, 1));
  });

  test("random expressions over one byte", () => {
    const leaf = fc.oneof(
      fc.constant("a"),
      fc.constant("(signed char)a"),
      fc.nat(300).map((n) => `${n}u`),
      fc.nat(9).map(String),
    );
    const { expression } = fc.letrec<{ expression: string }>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        leaf,
        fc
          .tuple(
            tie("expression"),
            fc.constantFrom("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "==", "&&"),
            tie("expression"),
          )
          .map(([x, operator, y]) => `(${x} ${operator} ${y})`),
        fc
          .tuple(fc.constantFrom("-", "~", "!", "(short)", "(unsigned char)", "(long)"), tie("expression"))
          .map(([o, x]) => `${o}(${x})`),
        fc
          .tuple(tie("expression"), tie("expression"), tie("expression"))
          .map(([x, y, z]) => `(${x} ? ${y} : ${z})`),
      ),
    }));
    fc.assert(
      fc.property(expression, fc.nat(255), (text, wanted) => {
        const program = `${one} check((unsigned char)(${text}) != ${wanted}); return 0; }`;
        expect(symbolically(program)).toEqual(bruteForce(program, 1));
      }),
      { numRuns: 12 },
    );
  }, 240_000);

  test("paths of the textbook comparison of strings: 2L + 2", () => {
    const text = `${START}int main(void) { char s[5]; symbolic(s, 5, "s"); const char *p = s, *t = "abc"; while (*p && *p == *t) p++, t++; return *p - *t == 1; }`;
    // With the last comparison of the result as one more decision only if it forks: it is returned, not branched on.
    expect(explored(text).paths).toBe(8);
  });

  test("k independent tests: 2^k paths; the same seed gives the same search", () => {
    const text = `${START}int main(void) { int x; symbolic(&x, 4, "x"); int n = 0; for (int i = 0; i < 5; i++) if (x >> i & 1) n++; return n; }`;
    const [first, second] = [
      explored(text, {}, { order: "random", seed: 3 }),
      explored(text, {}, { order: "random", seed: 3 }),
    ];
    expect(first.paths).toBe(32);
    expect({ ...first, errors: 0 }).toEqual({ ...second, errors: 0 });
    for (const order of ["dfs", "bfs", "fork"] as const) expect(explored(text, {}, { order }).paths).toBe(32);
  });
});
