/** Merged paths behave like the paths they stand for: each case would be wrong, or unmerged, without one condition of the merge. */
import { describe, expect, test } from "vitest";
import { bounded, bruteForce, errorKeys, paths } from "./engines.js";
import { compiled, hasClang } from "./programs.js";

const start = (body: string, before = ""): string => `#include <everypath.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static int g; static void touch(int *p) { if (p) g = *p; }
${before}
int main(void) { int a = __VERIFIER_nondet_uchar() & 3, b = __VERIFIER_nondet_uchar() & 3, x = 0, y = 1;
${body}
return 0; }`;

const cases: readonly (readonly [string, string])[] = [
  [
    "variables whose address is kept elsewhere are not dead",
    "int v, *p = &v; v = 1; if (a == 2) v = 5; if (b == 1) y = 2; check(*p != 5 || y != 2);",
  ],
  [
    "a store to a part of a variable does not end its life",
    "union { int all; char low; } u; u.all = 0; if (a == 1) u.all = 0x500; else u.all = 0x300; if (b == 1) y = 3; u.low = 1; check(u.all != 0x501 || y == 1);",
  ],
  [
    "values that only one path initialises stay apart",
    "int v; if (a) v = 1; if (b) y = 2; if (a == 0 && b == 2) { if (v) g = 1; } if (a && b) check(v == 1);",
  ],
  [
    "literals known on one path alone are forgotten",
    "if (a < 2) { if (b >= 2) exit(0); x = 1; } check(b < 2); if (a >= 2) { if (b == 1) exit(0); x = 2; } check(b != 1);",
  ],
  [
    "pointers to one array merge, and keep what is known of their alignment",
    "int t[8] = {0}; char *c = (char *)t; char *p = a ? c + 2 : c + 4; if (b == 1) p += 4; if (b == 3) *(int *)p = 1; check(t[2] == 0);",
  ],
  [
    "memory that one path frees",
    "int *p = malloc(4); if (!p) return 0; *p = 7; if (a == 1) free(p); else touch(p); if (b == 1) y = 2; if (b == 2) x = *p; if (a != 1) free(p);",
  ],
  [
    "memory that one path allocates",
    "int *p = 0; if (a == 1) { p = malloc(4); if (!p) return 0; *p = b; } if (b > 1) y = 4; if (p) { check(*p != 3 || y != 4); free(p); }",
  ],
  [
    "a variable whose scope one path has left",
    "int *p = &y; if (a == 2) { int inner = 3; p = &inner; touch(p); if (b == 1) p = &y; } check(*p == 1);",
  ],
  [
    "arrays of variable length",
    "int n = a + 1; { int v[n]; for (int i = 0; i < n; i++) v[i] = i; x = v[n - 1]; } check(x != 3 || b != 2); if (b == 3) { int w[2]; w[a] = 1; touch(w); }",
  ],
  [
    "parts of words that differ",
    "struct { char c[4]; short s; } v = {{1, 2, 3, 4}, 5}; if (a == 1) v.c[2] = 9; if (b == 2) v.s = 7; if (a == 3) v.c[0] = b; check(!(v.c[2] == 9 && v.s == 7)); check(*(int *)v.c != 0x04030202);",
  ],
  [
    "results of calls on one path",
    "if (a > 1) x = rand_of(b); else x = rand_of(a) + 1; check(x != 6); check(x != 1 || b == 0);",
  ],
  [
    "nested loops whose rounds depend on inputs",
    "for (int i = 0; i < a; i++) for (int j = i; j < b; j++) { x += j; if (x == 3) break; } check(x != 3); check(x < 5);",
  ],
  [
    "a jump into a loop",
    "int i = 0; if (a == 1) goto middle; for (i = 0; i < 3; i++) { x++; middle: y += b; } check(x != 2 || y != 10);",
  ],
];

describe.runIf(hasClang)("merged paths", () => {
  test.each(cases)("%s", (_, body) => {
    const module = compiled(
      start(body, "static int rand_of(int n) { if (n == 3) return 6; g++; return n; }"),
    );
    const expected = bruteForce(module, 2);
    const result = bounded(module);
    expect([errorKeys(result), [...result.gaps.keys()]]).toEqual([expected, []]);
    expect(result.paths).toBeLessThanOrEqual(paths(module).paths);
  });

  test("variables that nothing reads any more keep no paths apart", () => {
    const arms = Array.from(
      { length: 8 },
      (_, n) => `{ int t; if (a > ${n % 3}) { t = ${n}; x += t & 1; } }`,
    );
    expect(bounded(compiled(start(arms.join(" ")))).paths).toBe(1);
  });
});
