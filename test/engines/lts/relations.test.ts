/** The partition refinement against the definitions of the relations, on random systems. */
import { expect, test } from "vitest";
import { disjointUnion, type Lts } from "../../../src/model/index.js";
import type { MinimisingEquivalence } from "../../../src/engines/lts/index.js";
import { Random } from "../../../src/session/index.js";
import { naiveBranching, naiveDivergenceBranching, naiveStrong, naiveWeak } from "./naive.js";
import { partition } from "./partition.js";
import { randomLts, randomSmall } from "./random-lts.js";

type Basic = Exclude<MinimisingEquivalence, "stuttering" | "interaction-sensitive">;

const obvious: Readonly<Record<Basic, (lts: Lts) => readonly (readonly boolean[])[]>> = {
  strong: naiveStrong,
  "divergence-branching": naiveDivergenceBranching,
  branching: naiveBranching,
  weak: naiveWeak,
};
const names = Object.keys(obvious) as Basic[];

const PAIRS = 10_000;

test(`${PAIRS} random pairs: nested, and equal to the definitions`, () => {
  const random = new Random(24);
  const alike: Record<string, number> = {};
  for (let pair = 0; pair < PAIRS; pair++) {
    const union = disjointUnion(randomSmall(random), randomSmall(random));
    const found = names.map((relation) => {
      const { blocks } = partition(union, relation);
      const expected = obvious[relation](union);
      for (let s = 0; s < union.states; s++)
        for (let t = 0; t < s; t++)
          if ((blocks[s] === blocks[t]) !== expected[s][t])
            throw new Error(`pair ${pair}, ${relation}: states ${s} and ${t}: ${JSON.stringify(union)}`);
      const [first, second] = union.initial;
      const isAlike = blocks[first] === blocks[second];
      alike[relation] = (alike[relation] ?? 0) + (isAlike ? 1 : 0);
      return isAlike;
    });
    for (let i = 1; i < found.length; i++) expect(found[i - 1] && !found[i]).toBe(false);
  }
  // Every inclusion is strict on this sample.
  for (let i = 1; i < names.length; i++) expect(alike[names[i]]).toBeGreaterThan(alike[names[i - 1]]);
}, 300_000);

test("a quotient is related to its system, and is its own quotient", () => {
  const random = new Random(7);
  for (let i = 0; i < 2_000; i++) {
    const lts = randomSmall(random);
    for (const relation of names) {
      const { quotient, blocks } = partition(lts, relation);
      const union = disjointUnion(lts, quotient);
      const together = partition(union, relation).blocks;
      for (let s = 0; s < lts.states; s++) expect(together[s]).toBe(together[lts.states + blocks[s]]);
      const again = partition(quotient, relation).quotient;
      expect([again.states, again.targets.length]).toEqual([quotient.states, quotient.targets.length]);
    }
  }
}, 240_000);

test("larger systems: slices of any size give the partition of rounds", () => {
  const random = new Random(11);
  for (let i = 0; i < 40; i++) {
    const lts = randomLts(random, { states: 60, labels: 2, transitions: 60 + random.below(80) });
    for (const relation of names) {
      const { blocks } = partition(lts, relation, 1 + random.below(50));
      const expected = obvious[relation](lts);
      for (let s = 0; s < lts.states; s++)
        for (let t = 0; t < s; t++) expect(blocks[s] === blocks[t]).toBe(expected[s][t]);
    }
  }
}, 300_000);
