/** Automata of policies against the policies as written; counters against numbers. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { loadMpp } from "../../../src/languages/mpp/index.js";
import { isInPolicy, type Policy } from "../../../src/model/index.js";
import { Bags } from "../../../src/compile/messages/bags.js";
import { Cells } from "../../../src/transforms/counting/cells.js";
import { automatonOf } from "../../../src/transforms/counting/word-automaton.js";
import { anyPolicy } from "../../generators/mpp.js";

const LETTERS = 3;
const policyOf = (text: string): Policy =>
  loadMpp(
    "p.mpp",
    `principal P { var x; skip; } principal Q { skip; } principal R { skip; } property p: provenance(P.x) in ${text};`,
  ).program!.properties[0]!.policy;

const policies = fc.oneof(
  anyPolicy.map(policyOf),
  fc.subarray([0, 1, 2]).map((principals): Policy => ({ kind: "subset", principals })),
  fc.array(fc.subarray([0, 1, 2]), { maxLength: 3 }).map((sets): Policy => ({ kind: "contains", sets })),
  fc
    .record({
      accepting: fc.subarray([0, 1, 2]),
      steps: fc.array(fc.record({ from: fc.nat(2), letter: fc.nat(2), to: fc.nat(2) }), { maxLength: 8 }),
    })
    .map((parts): Policy => ({ kind: "automaton", automaton: { states: 3, initial: 0, ...parts } })),
);
const words = fc.array(fc.nat(LETTERS - 1), { maxLength: 7 });

test("an automaton accepts what is in the policy", () => {
  fc.assert(
    fc.property(policies, words, (policy, word) => {
      const { steps, accepting } = automatonOf(policy, LETTERS);
      const end = word.reduce((state, letter) => steps[state]![letter]!, 0);
      expect(accepting[end]).toBe(isInPolicy(policy, word));
    }),
    { numRuns: 500 },
  );
});

test("no two states of an automaton agree on every word, and all can be reached", () => {
  fc.assert(
    fc.property(policies, (policy) => {
      const { steps, accepting } = automatonOf(policy, LETTERS);
      // The obvious way: pairs that differ, until no more are found.
      const differ = accepting.map((a) => accepting.map((b) => a !== b));
      for (let isChanged = true; isChanged;) {
        isChanged = false;
        steps.forEach((row, a) =>
          steps.forEach((other, b) => {
            if (differ[a]![b] || !row.some((to, letter) => differ[to]![other[letter]!])) return;
            differ[a]![b] = isChanged = true;
          }),
        );
      }
      differ.forEach((row, a) => row.forEach((isDifferent, b) => expect(isDifferent).toBe(a !== b)));
      const reached = new Set([0]);
      for (const state of reached) for (const to of steps[state]!) reached.add(to);
      expect(reached.size).toBe(steps.length);
    }),
  );
});

test("the medical system's policy has five states", () => {
  const policy = policyOf("eps | P Q R+");
  expect(automatonOf(policy, LETTERS).steps).toHaveLength(5);
});

test("a cell is exact up to k; beyond, the over-approximation is any number and the under-approximation less", () => {
  fc.assert(
    fc.property(fc.nat(3), fc.array(fc.boolean(), { maxLength: 20 }), (k, moves) => {
      const over = new Cells(0, k, "over");
      const under = new Cells(0, k, "under");
      const slot = over.slotOfMessage(0, 1, 0);
      expect(under.slotOfMessage(0, 1, 0)).toBe(slot);
      let [high, low]: Int32Array[] = [new Int32Array(over.width), new Int32Array(under.width)];
      let [real, most] = [0, 0];
      for (const isSent of moves) {
        if (!isSent && real === 0) continue;
        real += isSent ? 1 : -1;
        most = Math.max(most, real);
        high = isSent ? over.increased(high, slot) : over.decreased(high, slot);
        if (isSent) low = under.increased(low, slot);
        else if (low[slot]! > 0) low = under.decreased(low, slot);
        expect(over.isUnbounded(high[slot]!)).toBe(most > k);
        if (most <= k) expect([high[slot], low[slot]]).toEqual([real, real]);
        expect(low[slot]).toBeLessThanOrEqual(Math.min(k, real));
      }
    }),
  );
});

test("bags are multisets", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ adds: fc.boolean(), member: fc.nat(3) })), (moves) => {
      const bags = new Bags();
      const list: number[] = [];
      let bag = 0;
      for (const { adds, member } of moves) {
        if (adds) list.push(member);
        else if (list.includes(member)) list.splice(list.indexOf(member), 1);
        else continue;
        bag = adds ? bags.with(bag, member) : bags.without(bag, member);
        expect(bags.members(bag)).toEqual(list.toSorted((a, b) => a - b));
        expect(bags.kinds(bag, (a, b) => b - a)).toEqual([...new Set(list)].sort((a, b) => b - a));
      }
      expect(bag === 0).toBe(list.length === 0);
    }),
  );
});
