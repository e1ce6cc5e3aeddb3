/** Governed regions: published examples, random graphs, and summaries that are the same in every topological order. */
import { describe, expect, test } from "vitest";
import { regionsOf, regionsOfSuccessors } from "../../../src/engines/programs/merging/regions.js";
import { Random } from "../../generators/random.js";
import { compiled, hasClang } from "./programs.js";

const clean = (): boolean => false;

test("the running example: BB0 governs BB1, BB2, BB4, BB5, BB6", () => {
  const successors = [[1, 2], [3], [4, 5], [], [6], [6, 7], [3, 7], []];
  const { candidates, governors } = regionsOfSuccessors(successors, (block) => block === 7);
  expect([...candidates.keys()].sort()).toEqual([0, 2]);
  expect(governors).toEqual([0]);
  const region = candidates.get(0);
  expect([...(region?.blocks ?? [])].sort()).toEqual([1, 2, 4, 5, 6]);
  expect([...(region?.destinations ?? [])].sort()).toEqual([3, 7]);
});

test("a loop does not pollute the conditionals in its body", () => {
  // 0 -> 1; 1: head, governor -> 2 or 3; 2 -> 3; 3 -> 4 or 5; 4: back to 1; 5: end
  const { candidates } = regionsOfSuccessors([[1], [2, 3], [3], [4, 5], [1], []], clean);
  expect(candidates.get(1)?.blocks).toEqual([2, 3]);
  expect(candidates.get(1)?.destinations.toSorted()).toEqual([4, 5]);
});

test("random graphs: regions of governors are acyclic, clean, dominated and disjoint; sides enter at a direct successor", () => {
  const random = new Random(7);
  let found = 0;
  for (let round = 0; round < 1500; round++) {
    const count = random.between(4, 14);
    // Mostly forward edges; others make loops, also irreducible ones.
    const successors = Array.from({ length: count }, (_, block) => [
      ...new Set(
        Array.from({ length: random.between(block + 1 < count ? 1 : 0, 2) }, () =>
          random.chance(88) && block + 1 < count
            ? random.between(block + 1, Math.min(count - 1, block + 3))
            : random.below(count),
        ),
      ),
    ]);
    const dirty = new Set(Array.from({ length: random.below(3) }, () => random.below(count)));
    const { candidates, governors } = regionsOfSuccessors(successors, (block) => dirty.has(block));
    const reached = reachable(successors, -1);
    const taken = new Set<number>();
    for (const governor of governors) {
      found++;
      const region = candidates.get(governor);
      const blocks = region?.blocks ?? [];
      const behind = reachable(successors, governor);
      blocks.forEach((block, index) => {
        expect(dirty.has(block)).toBe(false);
        expect(successors[block]).not.toEqual([]);
        expect(taken.has(block)).toBe(false);
        taken.add(block);
        // Dominated: without the governor, it is not reached.
        expect(behind.has(block)).toBe(false);
        for (const to of successors[block] ?? [])
          if (blocks.includes(to)) expect(blocks.indexOf(to)).toBeGreaterThan(index);
          else expect(region?.destinations).toContain(to);
      });
      for (const from of reached)
        if (from !== governor && !blocks.includes(from))
          for (const to of successors[from] ?? [])
            if (blocks.includes(to)) expect(successors[governor]).toContain(to);
    }
  }
  expect(found).toBeGreaterThan(200);
});

function reachable(successors: readonly (readonly number[])[], without: number): Set<number> {
  const found = new Set(without === 0 ? [] : [0]);
  for (const block of found) for (const to of successors[block] ?? []) if (to !== without) found.add(to);
  return found;
}

describe.runIf(hasClang)("of programs", () => {
  const regionsIn = (body: string) => {
    const fn = compiled(
      `#include <everypath.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) { int a = __VERIFIER_nondet_int(), x = 0; ${body} return x; }`,
    ).functions.get("main");
    if (!fn) throw new Error("there is no main");
    return regionsOf(fn);
  };

  test("calls and inputs pollute, marks of scopes do not", () => {
    expect(regionsIn("if (a > 3) { int b = 1; x = b; } if (a > 5) x = 2;").governors).toHaveLength(1);
    expect(regionsIn("if (a > 3) { x = __VERIFIER_nondet_int(); } if (a > 5) x = 2;").governors).toHaveLength(
      0,
    );
  });
});
