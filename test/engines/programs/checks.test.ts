/** Every check of the executor: a program that violates it for one input only, and a similar program that does not. */
import { describe, expect, test } from "vitest";
import { program, rows } from "./check-rows.js";
import { errorsOf, explored, hasClang } from "./programs.js";

describe.runIf(hasClang)("checks", () => {
  const cases = rows.map(([kind, bad, good, before]) => ({ kind, bad, good, before }));

  test.each(cases)("$kind: $bad", ({ kind, bad, good, before }) => {
    const found = explored(program(bad, before));
    expect(errorsOf(found)).toEqual([kind]);
    expect([...found.gaps]).toEqual([]);
    const clean = explored(program(good, before));
    expect(errorsOf(clean)).toEqual([]);
    expect([...clean.gaps]).toEqual([]);
  });

  test("misaligned in any object", () => {
    expect(
      errorsOf(explored(program("char b[8] = {0}; int *p = (int *)(b + (x == 3)); int y = *p;"))),
    ).toEqual(["misaligned"]);
  });

  test("the address of a field of a null pointer is no access", () => {
    expect(
      errorsOf(
        explored(program("struct s { int a, b; }; long n = (long)&((struct s *)0)->b; check(n == 4);")),
      ),
    ).toEqual([]);
  });

  test("bit-fields of a structure that is partly initialised", () => {
    const text = "struct { unsigned a : 3, b : 5; } s; s.a = x & 7; check(s.a == (x & 7));";
    expect(errorsOf(explored(program(text)))).toEqual([]);
    expect(errorsOf(explored(program(`${text} if (s.b) x = 0;`)))).toEqual(["uninitialised"]);
  });
});
