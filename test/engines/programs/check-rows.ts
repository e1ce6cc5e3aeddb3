/** Each check of the executor: a program that violates it for one input only, and a similar program that does not. */

const START = `#include <everypath.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
`;

/** `body` has the input `x`, any integer from 0 to 9; `bad` violates the check, `good` does not. */
export const rows: readonly (readonly [kind: string, bad: string, good: string, before?: string])[] = [
  ["assertion", "assert(x != 3);", "assert(x != 30);"],
  ["assertion", "check(x < 9);", "check(x < 10);"],
  ["abort", "if (x == 3) abort();", "if (x == 30) abort();"],
  ["abort", "if (x == 3) atexit(abort);", "if (x == 30) atexit(abort);"],
  ["null pointer", "int *p = x == 3 ? 0 : &x; *p = 1;", "int *p = x == 30 ? 0 : &x; *p = 1;"],
  ["null pointer", "int (*f)(int) = x == 3 ? 0 : abs; f(1);", "int (*f)(int) = x == 30 ? 0 : abs; f(1);"],
  ["out of bounds", "char b[9]; char *p = b; p[x] = 1;", "char b[10]; char *p = b; p[x] = 1;"],
  ["out of bounds", "int *p = malloc(36); p[x] = 1; free(p);", "int *p = malloc(40); p[x] = 1; free(p);"],
  [
    "out of bounds",
    "struct { int a[5]; int b[9]; } s; s.a[x / 2 + 1] = 0;",
    "struct { int a[6]; int b[9]; } s; s.a[x / 2 + 1] = 0;",
  ],
  ["out of bounds", "char b[4]; memset(b, 0, x - (x > 5) * 4);", "char b[5]; memset(b, 0, x - (x > 5) * 4);"],
  [
    "out of bounds",
    'char b[3]; strcpy(b, x == 3 ? "abc" : "ab");',
    'char b[4]; strcpy(b, x == 3 ? "abc" : "ab");',
  ],
  [
    "out of bounds",
    "char b[4] = {0}; char *p = b + 4; if (x == 3) *p = 1;",
    "char b[4] = {0}; char *p = b + 4; if (x == 3) p[-1] = 1;",
  ],
  [
    "use after free",
    "int *p = malloc(4); *p = 0; if (x == 3) free(p); *p = 1;",
    "int *p = malloc(4); *p = 0; *p = 1; if (x == 3) free(p);",
  ],
  [
    "double free",
    "int *p = malloc(4); if (x == 3) free(p); free(p);",
    "int *p = malloc(4); if (x == 3) { free(p); p = 0; } free(p);",
  ],
  ["invalid free", "char *p = malloc(4); free(p + (x == 3));", "char *p = malloc(4); free(p + (x == 30));"],
  ["invalid free", "int y; if (x == 3) free(&y);", "int y; if (x == 30) free(&y);"],
  [
    "use after return",
    "int *p = local(); if (x == 3) *p = 1;",
    "int *p = local(); if (x == 30) *p = 1;",
    "int *local(void) { int y, *p = &y; return p; }",
  ],
  ["division by zero", "int y = 10 / (x - 3);", "int y = 10 / (x + 3);"],
  ["division by zero", "unsigned y = 10u % (unsigned)(x - 3);", "unsigned y = 10u % (unsigned)(x + 3);"],
  ["overflow", "int y = 2147483640 + x;", "int y = 2147483638 + x;"],
  [
    "overflow",
    "int y = (x - 2147483647 - 1) / (x == 0 ? -1 : 1);",
    "int y = (x - 2147483647) / (x == 0 ? -1 : 1);",
  ],
  ["overflow", "int y = 715827882 * (x - 6);", "int y = 214748364 * x;"],
  ["shift", "int y = 1 << (x + 24);", "int y = 1 << (x + 21);"],
  [
    "uninitialised",
    "int y; if (x == 3) y = 1; if (x != 4 && y) x = 0;",
    "int y; if (x == 3) y = 1; if (x == 3 && y) x = 0;",
  ],
  [
    "uninitialised",
    "int *p = malloc(8); p[0] = 1; if (p[x == 3]) x = 0; free(p);",
    "int *p = calloc(2, 4); if (p[x == 3]) x = 0; free(p);",
  ],
  [
    "misaligned",
    "int a[4] = {0}; char *p = (char *)a; int y = *(int *)(p + (x == 3));",
    "int a[4] = {0}; char *p = (char *)a; int y = *(int *)(p + 4 * (x == 3));",
  ],
  [
    "use after scope",
    "int *p = &x; { int y = 1; if (x == 3) p = &y; } *p = 2;",
    "int *p = &x; { int y = 1; if (x == 3) *(p = &y) = 2; } p = &x;",
  ],
  [
    "uninitialised",
    "int s = 0; for (int i = 0; i < 3; i++) { int y; if (i == 0 || x != 3) y = 1; s += y; }",
    "int s = 0; for (int i = 0; i < 3; i++) { int y = 0; if (i == 0 || x != 3) y = 1; s += y; }",
  ],
  ["uninitialised", "int y; if (x != 3) y = 1; exit(y);", "int y; if (x != 30) y = 1; exit(y);"],
  ["uninitialised", "int y; if (x != 3) y = 1; return y;", "int y; if (x != 30) y = 1; return y;"],
  [
    "uninitialised",
    "char b[2]; b[0] = 1; if (x != 3) b[1] = 1; fwrite(b, 1, 2, stdout);",
    "char b[2]; b[0] = 1; if (x != 30) b[1] = 1; fwrite(b, 1, 2, stdout);",
  ],
  ["null pointer", "char *p = 0; p += (x == 3);", "char *p = 0; p += (x == 30);"],
  [
    "null pointer",
    "char b[2] = {0}; char *p = x == 3 ? 0 : b; memcpy(b, p, 0);",
    "char b[2] = {0}; char *p = x == 30 ? 0 : b; memcpy(b, p, 0);",
  ],
  ["overflow", "int y = abs(x - 2147483647 - (x == 0));", "int y = abs(x - 2147483647 + (x == 0));"],
  ["out of bounds", "int y = isdigit(x + 247);", "int y = isdigit(x + 246) + toupper(x - 128);"],
  ["read-only memory", 'char *s = "text"; if (x == 3) s[0] = 1;', 'char s[] = "text"; if (x == 3) s[0] = 1;'],
  [
    "undefined behaviour",
    "char b[8] = {0}; memcpy(b + (x == 3), b, 4);",
    "char b[8] = {0}; memmove(b + (x == 3), b, 4);",
  ],
];

export const program = (body: string, before: string | undefined = ""): string =>
  `${START}${before}\nint main(void) {\n  int x; symbolic(&x, sizeof x, "x"); assume(x >= 0 && x <= 9);\n  ${body}\n  return 0;\n}\n`;
