/** A search reports every gap: without these reports, an incomplete search would be a proof. */
import { describe, expect, test } from "vitest";
import { explore } from "../../../src/engines/programs/index.js";
import { Terms } from "../../../src/model/terms.js";
import type { Solver } from "../../../src/model/solver.js";
import { compiled, explored, hasClang } from "./programs.js";

const input = `#include <everypath.h>
int main(void) { int x; symbolic(&x, sizeof x, "x");`;
const gapsOf = (text: string, options = {}): string[] => [...explored(text, {}, options).gaps.keys()];

describe.runIf(hasClang)("gaps", () => {
  test("a call of a function that nobody defines", () => {
    const found = explored(`int mystery(int);\n${input} if (x == 3) mystery(x); return 0; }`);
    expect([...found.gaps.values()]).toEqual([
      "a call of 'mystery', which has neither a definition nor a model",
    ]);
  });

  test("an unsupported instruction, only when it is reached", () => {
    expect(gapsOf(`${input} if (x == 3) { long double d = x; return d > 1; } return 0; }`)).toEqual([
      "unsupported",
    ]);
    expect(gapsOf(`${input} if (x != x) { long double d = x; return d > 1; } return 0; }`)).toEqual([]);
    expect(gapsOf(`${input} __asm__ volatile("nop"); return 0; }`)).toEqual(["unsupported"]);
    expect(gapsOf(`${input} __asm__ volatile("" ::: "memory"); return 0; }`)).toEqual([]);
  });

  test("floating-point numbers that depend on inputs", () => {
    expect(gapsOf(`${input} double d = x; return d > 1e9; }`)).toEqual(["float"]);
    expect(gapsOf(`${input} assume(x == 5); double d = x; return d > 1e9; }`)).toEqual([]);
  });

  test("decisions that depend on the numbers of addresses", () => {
    expect(gapsOf(`${input} return ((unsigned long)&x >> 7) % 5 == 1; }`)).toEqual(["address"]);
    expect(gapsOf(`${input} int y; return &x == &y; }`)).toEqual([]);
    expect(gapsOf(`${input} int y; return &x < &y; }`)).toEqual(["address"]);
    expect(gapsOf(`${input} int a[3]; return &a[x & 1] - a < 2 && a < a + 3; }`)).toEqual([]);
  });

  test("an access that needs a stricter alignment than its object has", () => {
    const access = (size: number, index: string): string =>
      `${input} char b[${size}] = {0}; int *p = (int *)(b + ${index}); return *p; }`;
    expect(gapsOf(access(8, "0"))).toEqual(["address"]);
    expect(gapsOf(access(16, "0"))).toEqual([]);
    expect(gapsOf(access(8, "(x & 4)"))).toEqual(["address"]);
    const masked = `${input} char b[16] = {0}; return ((unsigned long)(b + (x & 15)) & 3) == 1; }`;
    expect(gapsOf(masked)).toEqual([]);
    expect(gapsOf(masked.replace("16", "9").replace("15", "7"))).toEqual(["address"]);
  });

  test("numbers become addresses again, and errors that depend on them are none", () => {
    const tagged = `${input} int y = 5; unsigned long n = (unsigned long)&y | 1; int *p = (int *)(n - 1);`;
    expect(explored(`${tagged} check(*p == 5); return 0; }`)).toMatchObject({ errors: [] });
    expect(gapsOf(`${tagged} return 0; }`)).toEqual(["address"]);
    const guessed = explored(
      `${input} for (long n = 0x10000; n < 0x10400; n += 16) if (x == n) *(char *)n = 1; return 0; }`,
    );
    expect(new Set(guessed.errors.map(({ error }) => error.kind))).toEqual(new Set(["invalid pointer"]));
    expect([...guessed.gaps]).toEqual([]);
    expect(explored(`${tagged} check(*p == x); return 0; }`).errors).toHaveLength(1);
    const ordered = explored(
      `${input} int y; check((unsigned long)&x * 3 < (unsigned long)&y * 3); return 0; }`,
    );
    const other = explored(
      `${input} int y; check((unsigned long)&x * 3 > (unsigned long)&y * 3); return 0; }`,
    );
    for (const { errors, gaps } of [ordered, other]) {
      expect(errors).toEqual([]);
      expect(gaps.has("address") || gaps.has("unconfirmed")).toBe(true);
    }
  });

  test("a limit on decisions or paths", () => {
    const loop = `${input} int n = 0; while (n < 100 && (x & 1)) { n++; x >>= 1; } return 0; }`;
    expect(gapsOf(loop, { maxDepth: 5 })).toEqual(["depth"]);
    expect(gapsOf(loop, { maxPaths: 3 })).toEqual(["paths"]);
    expect(gapsOf(loop)).toEqual([]);
  });

  test("a solver that does not answer", () => {
    const silent: Solver = {
      terms: new Terms(),
      push: () => undefined,
      pop: () => undefined,
      assert: () => undefined,
      check: () => ({ kind: "unknown", reason: "silent" }),
      model: () => ({ value: () => 0n }),
      core: () => [],
      project: () => undefined,
      figures: () => ({ names: [], queries: 0, byPurpose: {}, answeredBefore: 0, unanswered: 0, seconds: 0 }),
    };
    const program = {
      module: compiled(`${input} if (x == 3) check(0); return 0; }`),
      inputs: { args: new Map<number, number>(), stdin: undefined },
    };
    const steps = explore(
      program,
      silent,
      { order: "fork", seed: 1, maxDepth: Infinity, maxPaths: Infinity },
      () => "continue",
    );
    let last = steps.next();
    while (!last.done) last = steps.next();
    expect([...last.value.gaps.keys()]).toEqual(["solver"]);
  });

  test("an error that the concrete run does not show is no error", () => {
    // A solver that gives wrong models: the search must not believe it.
    const lying: Solver = {
      terms: new Terms(),
      push: () => undefined,
      pop: () => undefined,
      assert: () => undefined,
      check: () => ({ kind: "sat" }),
      model: () => ({ value: () => 7n }),
      core: () => [],
      project: () => undefined,
      figures: () => ({ names: [], queries: 0, byPurpose: {}, answeredBefore: 0, unanswered: 0, seconds: 0 }),
    };
    const program = {
      module: compiled(`${input} if (x == 3) check(0); return 0; }`),
      inputs: { args: new Map<number, number>(), stdin: undefined },
    };
    const steps = explore(
      program,
      lying,
      { order: "dfs", seed: 1, maxDepth: 50, maxPaths: 20 },
      () => "continue",
    );
    let last = steps.next();
    for (let n = 0; n < 50 && !last.done; n++) last = steps.next();
    expect(last.value.errors).toEqual([]);
  });
});
