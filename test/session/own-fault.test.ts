/** One step may fail in several ways: each violation has its trace, in reduced models as well. */
import { expect, test } from "vitest";
import { check, type CheckOptions } from "../../src/index.js";

const reasons = async (text: string, options: CheckOptions): Promise<string[]> =>
  (await check({ file: "m.pml", text }, { ...options, maxErrors: Infinity })).properties
    .flatMap(({ violations }) => violations)
    .map(({ reason }) => reason);

const models: readonly [string, ...string[]][] = [
  [
    "byte a[2]; active proctype P() { d_step { assert(_nr_pr < 2); a[0] > 2 } } active proctype Q() { skip }",
    "assertion violated: _nr_pr < 2",
    "d_step blocked: a[0] > 2 cannot be executed",
  ],
  // The first statement of the text fails last.
  [
    "init { byte i; d_step { do :: i == 1 -> assert(i == 2); break :: i == 0 -> assert(i == 1); i = 1 od } }",
    "assertion violated: i == 2",
    "assertion violated: i == 1",
  ],
  // The step continues, and fails again later.
  [
    "byte x; init { d_step { assert(x == 1); assert(x == 2); x = 5 }; assert(x == 6) }",
    "assertion violated: x == 1",
    "assertion violated: x == 2",
    "assertion violated: x == 6",
  ],
];

test.each(["bfs", "dfs", "guided", "random"] as const)("%s", async (search) => {
  for (const [text, ...expected] of models) {
    expect((await reasons(text, { search, isPlain: true })).sort()).toEqual([...expected].sort());
    expect((await reasons(text, { search, reductions: ["slice"] })).sort()).toEqual([...expected].sort());
  }
});
