/** Concolic runs with governed regions: published examples with their numbers of runs and queries, strategies, and honest answers. */
import { describe, expect, test } from "vitest";
import { CONCOLIC_STRATEGIES, type Coverage } from "../../../src/engines/programs/index.js";
import { concolic, errorKeys } from "./engines.js";
import { hasClang } from "./programs.js";

const START = `#include <everypath.h>
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);
`;

/** Covered and all branch outcomes. */
const outcomes = (coverage: Coverage): string => {
  const branches = coverage.files().flatMap((file) => file.branches);
  const sum = (of: (branch: (typeof branches)[number]) => number): number =>
    branches.reduce((total, branch) => total + of(branch), 0);
  return `${sum(({ taken }) => taken)}/${sum(({ outcomes: all }) => all)}`;
};

const figure = `${START}int main(void) { unsigned x0 = __VERIFIER_nondet_int(), y0 = __VERIFIER_nondet_int(); int x = x0, y = y0;
  if (x > y) x = (unsigned)x - y; else {
    x = (unsigned)y - x;
    if (x > y) x = (unsigned)y - x; else { x = (unsigned)y - x; if (x == 0) goto ERROR; }
    y = x; if (y == 9) goto ERROR; }
  return 0; ERROR: reach_error(); }`;

const chain = (n: number, otherwise = ""): string =>
  `${START}int main(void) { unsigned acc = 0, up = 0; int i[${n}]; for (int k = 0; k < ${n}; k++) i[k] = __VERIFIER_nondet_int();
${Array.from({ length: n }, (_, k) => `if (i[${k}] > 0) acc++;${otherwise}`).join("\n")}
if (acc == ${n}) reach_error(); return 0; }`;

const brackets = `${START}int main(void) { char c, s[6]; int state = 0;
  while (1) { c = __VERIFIER_nondet_char(); symbolic(s, 6, "s");
${[..."[({~ax})]"].map((c, n) => `if (c == '${c}' && state == ${n}) state = ${n + 1};`).join("\n")}
    if (s[0]=='r' && s[1]=='e' && s[2]=='s' && s[3]=='e' && s[4]=='t' && s[5]==0 && state == 9) goto ERROR; }
  ERROR: reach_error(); }`;

const runs = ({ paths, queries }: { readonly paths: number; readonly queries: number }): string =>
  `${paths} runs, ${queries} queries`;

describe.runIf(hasClang)("governed regions", () => {
  test("the running example from (10, 5): 2 runs, 1 query, all branch outcomes with region goals", () => {
    const result = concolic(figure, { first: [10n, 5n] });
    expect(errorKeys(result)).toHaveLength(1);
    expect(runs(result)).toBe("2 runs, 1 queries");
    const covering = concolic(figure, { first: [10n, 5n], coversRegions: true });
    expect(outcomes(covering.coverage)).toBe("8/8");
    expect((covering.figures?.["sideRuns"] ?? 0) + covering.paths).toBeLessThanOrEqual(6);
  });

  test("chains of conditionals: 2 runs and 1 query; without regions 2^n paths", () => {
    for (const text of [chain(20), chain(20, " else up++;")]) {
      const result = concolic(text);
      expect(errorKeys(result)).toHaveLength(1);
      expect(runs(result)).toBe("2 runs, 1 queries");
    }
    const plain = concolic(chain(6), { usesRegions: false });
    expect(plain.paths).toBe(64);
    expect(plain.gaps.size).toBe(0);
  });

  test("listing 6.1: nothing within 8 decisions, 8 queries; within 9 the error, in 2 runs and 1 query", () => {
    const within = concolic(brackets, { maxDepth: 8 });
    expect(errorKeys(within)).toEqual([]);
    expect(runs(within)).toBe("1 runs, 8 queries");
    expect([...within.gaps.keys()]).toEqual(["depth"]);
    for (const maxDepth of [9, 12]) {
      const result = concolic(brackets, { maxDepth }, "stop");
      expect(errorKeys(result)).toHaveLength(1);
      expect(runs(result)).toBe("2 runs, 1 queries");
    }
  });

  test("a region that is entered from its side", () => {
    const text = `${START}static int called; static void f(void) { called = 1; }
int main(void) { int c = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), x = 0;
  if (c > 0) { x = 1; if (d > 0) f(); } if (called) { if (y == 77) reach_error(); } return x; }`;
    const result = concolic(text);
    expect(errorKeys(result)).toHaveLength(1);
    expect(result.gaps.size).toBe(0);
  });

  test("one destination jumps to another one: no second node", () => {
    const text = `${START}static int n; static void f(void) { n++; }
int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); int x = 0;
  if (a > 0) { x = 1; if (b > 0) goto one; } x += 2; goto two;
  one: f(); two: f(); if (n == 2 && x == 1 && b == 7) reach_error(); return 0; }`;
    expect(errorKeys(concolic(text))).toHaveLength(1);
  });

  test("a value that the region needs as a number: no summary, and no wrong one", () => {
    const text = `${START}int main(void) { int a[600]; unsigned i = __VERIFIER_nondet_int(), j = i % 600; a[j] = 5; a[3] = 0;
  if (i > 1000) { if (i < 1400) { a[j] = 9; } } if (j == 300 && i > 1000 && a[j] == 9) reach_error(); return 0; }`;
    const result = concolic(text, { maxRuns: 30 });
    expect(result.figures?.["inexactRegions"]).toBeGreaterThan(0);
    expect(errorKeys(result).length).toBeLessThanOrEqual(1);
  });

  test("every strategy finds a shallow error; only depth-first ones prove; the same seed gives the same runs", () => {
    const text = (bad: number): string =>
      `${START}int main(void) { int a = __VERIFIER_nondet_int(); if (a > 100) { if (a < 103) { if (a == ${bad}) reach_error(); } } return 0; }`;
    for (const strategy of CONCOLIC_STRATEGIES) {
      if (strategy !== "random")
        expect(errorKeys(concolic(text(102), { strategy, maxRuns: 60 }, "stop"))).toHaveLength(1);
      const none = concolic(text(104), { strategy, maxRuns: 20 });
      expect(errorKeys(none)).toEqual([]);
      const isProof = ["dfs", "idfs", "fork"].includes(strategy);
      expect([strategy, none.gaps.size === 0 && none.pending === 0]).toEqual([strategy, isProof]);
      const again = concolic(text(104), { strategy, maxRuns: 20 });
      expect({ ...again, coverage: 0 }).toEqual({ ...none, coverage: 0 });
    }
  });

  test("limits are gaps: decisions, runs, steps", () => {
    const deep = `${START}int main(void) { int a = 0; for (int k = 0; k < 40; k++) if (__VERIFIER_nondet_int() == k) a++; if (a > 50) reach_error(); return 0; }`;
    expect([...concolic(deep, { maxDepth: 5, usesRegions: false }).gaps.keys()]).toEqual(["depth"]);
    expect([...concolic(deep, { strategy: "idfs", maxDepth: 5, usesRegions: false }).gaps.keys()]).toEqual([
      "depth",
    ]);
    expect([...concolic(deep, { maxRuns: 3, usesRegions: false }).gaps.keys()]).toEqual(["paths"]);
    const endless = `${START}int main(void) { volatile int n = 1; while (n) n = 2; return 0; }`;
    expect(concolic(endless, { maxSteps: 5000 }).gaps.has("limit")).toBe(true);
  });
});
