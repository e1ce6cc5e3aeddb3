/** Bounded model checking: bounds, inputs of merged paths, and agreement of all engines with runs on random programs. */
import { describe, expect, test } from "vitest";
import { randomCProgram } from "../../generators/c-programs.js";
import { bounded, bruteForce, concolic, errorKeys, paths } from "./engines.js";
import { compiled, hasClang } from "./programs.js";

const START = `#include <everypath.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
`;

describe.runIf(hasClang)("bounded model checking", () => {
  test("a loop is unwound as far as it can run; a bound that cuts it is named", () => {
    const module = compiled(
      `${START}int main(void) { unsigned char n = __VERIFIER_nondet_uchar() & 7; int s = 0; for (int i = 0; i < n; i++) s += i; check(s <= 21); check(s != 15); return 0; }`,
    );
    const whole = bounded(module);
    expect([whole.gaps.size, whole.bounds, errorKeys(whole).length]).toEqual([0, [], 1]);
    const short = bounded(module, { unwind: 5 });
    expect([short.bounds, errorKeys(short).length]).toEqual([["loops run at most 5 times"], 0]);
    const enough = bounded(module, { unwind: 7 });
    expect([enough.bounds, errorKeys(enough).length]).toEqual([[], 1]);
  });

  test("recursion is bounded alike", () => {
    const module = compiled(
      `${START}static int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); } int main(void) { return f(__VERIFIER_nondet_uchar() & 3); }`,
    );
    expect(bounded(module, { unwind: 2 }).bounds).toEqual(["functions call themselves at most 2 times"]);
    expect(bounded(module, { unwind: 3 }).bounds).toEqual([]);
  });

  test("limits on decisions and paths are gaps", () => {
    const module = compiled(
      `${START}int main(void) { int a = __VERIFIER_nondet_int(); if (a == 1) exit(1); if (a == 2) exit(2); if (a == 3) exit(3); return 0; }`,
    );
    expect([...bounded(module, { maxDepth: 1 }).gaps.keys()]).toEqual(["depth"]);
    expect([...bounded(module, { maxPaths: 1 }).gaps.keys()]).toEqual(["paths"]);
    expect([...bounded(module).gaps.keys()]).toEqual([]);
  });

  test("paths merge: twenty conditionals are one path", () => {
    const tests = Array.from({ length: 20 }, () => "if (__VERIFIER_nondet_int() > 0) acc++;").join("\n");
    const result = bounded(
      compiled(
        `${START}int main(void) { unsigned acc = 0; ${tests} if (acc == 20) reach_error(); return 0; }`,
      ),
    );
    expect([result.paths, errorKeys(result).length]).toEqual([2, 1]);
  });

  test("an error behind inputs of one branch replays with these alone", () => {
    const module = compiled(
      `${START}int main(void) { int a = __VERIFIER_nondet_uchar(), b = 0; if (a > 9) b = __VERIFIER_nondet_uchar(); else if (a == 3) { b = __VERIFIER_nondet_uchar(); b += __VERIFIER_nondet_uchar(); } int c = __VERIFIER_nondet_uchar(); check(!(a < 9 && b == 300 && c == 77));
  check(!(a > 9 && b == 200 && c == 55)); return 0; }`,
    );
    const [first, second] = bounded(module).errors;
    expect([first?.inputs.length, first?.inputs[0], first?.inputs[3]]).toEqual([4, 3n, 77n]);
    expect(second?.inputs.slice(1)).toEqual([200n, 55n]);
  });

  const seeds = Array.from({ length: 6 }, (_, n) => n + 1);
  test.each(seeds)("random program %i: all engines find the errors of all runs", (seed) => {
    const { text, inputs } = randomCProgram(seed);
    const module = compiled(text);
    const expected = bruteForce(module, inputs);
    for (const result of [
      bounded(module),
      paths(module),
      concolic(module, { seed }),
      concolic(module, { seed, usesRegions: false }),
    ])
      expect([errorKeys(result), [...result.gaps.keys()]]).toEqual([expected, []]);
  });
});
