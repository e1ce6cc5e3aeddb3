/** Transfers and resets: going back over them, firing them, weights under them, and whole nets against the obvious searches. */
import { expect, test } from "vitest";
import { Work, backward, eec, karpMiller, runAtOnce } from "../../../src/engines/coverability/index.js";
import { denseNet, fire } from "../../../src/engines/coverability/dense.js";
import { goBack, predecessors } from "../../../src/engines/coverability/predecessors.js";
import { Weights } from "../../../src/engines/coverability/weights.js";
import { loadMist } from "../../../src/languages/mist/index.js";
import { MOST_TOKENS, type CoverProperty, type Net } from "../../../src/model/index.js";
import { bruteForce, fired, hasTransfers, naivePredecessors } from "../../generators/net-oracle.js";
import { compareNet, randomNet } from "../../generators/nets.js";
import { Random } from "../../generators/random.js";

const net = (text: string): Net => {
  const { net: made, diagnostics } = loadMist("m.spec", text);
  expect(diagnostics).toEqual([]);
  return made!;
};

const answer = (of: Net): string =>
  runAtOnce(backward(of, (of.properties[0] as CoverProperty).alternatives, new Work())).kind;

test("going back over random transitions is what trying every marking finds", () => {
  let compared = 0;
  for (let seed = 1; seed <= 250; seed++) {
    const random = new Random(seed);
    const of = randomNet(seed);
    const dense = denseNet(of);
    for (const [t, transition] of of.transitions.entries()) {
      const above = of.places.map(() => random.between(0, 3));
      const expected = naivePredecessors(transition, above);
      if (!expected) continue;
      compared++;
      const found: number[][] = [];
      const vector = Int32Array.from(above);
      if (transition.transfers)
        for (const _ of predecessors(dense.transitions[t]!, vector)) found.push([...vector]);
      else if (goBack(dense.transitions[t]!, vector)) found.push([...vector]);
      else expect(expected.some((m) => m.some((n, p) => n < above[p]!))).toBe(false);
      if (found.length > 0 || transition.transfers) {
        expect(found.map((m) => m.join()).toSorted()).toEqual(expected.map((m) => m.join()).toSorted());
        const after = Int32Array.from(found[0] ?? []);
        if (found.length > 0) fire(dense.transitions[t]!, after);
        if (found.length > 0) expect([...after]).toEqual(fired(transition, found[0]!));
      }
    }
  }
  expect(compared).toBeGreaterThan(200);
});

test("40 random nets with transfers: backward search with and without weights agrees with the obvious searches", () => {
  let compared = 0;
  for (let seed = 200_001; compared < 40; seed++) {
    const of = randomNet(seed);
    if (!hasTransfers(of)) continue;
    compared++;
    const { problems, answers } = compareNet(of, 300);
    expect(problems, `npm run fuzz:nets -- --seed ${seed}`).toEqual([]);
    expect([...answers.keys()]).toEqual(["backward", "backward without weights"]);
  }
});

test("weights exclude no marking that a net with transfers reaches", () => {
  let checked = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const of = randomNet(seed);
    if (!hasTransfers(of)) continue;
    const seen = bruteForce(of, [], 100);
    if (!seen.isComplete) continue;
    const weights = new Weights(denseNet(of), new Work());
    checked++;
    for (const marking of seen.markings)
      expect(weights.exclude(Int32Array.from(marking)), `seed ${seed}`).toBe(false);
  }
  expect(checked).toBeGreaterThan(10);
});

test("a weighted sum that a transfer makes heavier excludes nothing", () => {
  // Two tokens of a weigh the same as four of b, but a transfer takes them one for one.
  const of = net(`
    vars a b c
    rules
      b >= 2 -> b' = b - 2, a' = a + 1;
      a >= 1 -> b' = b + a, a' = 0;
      c >= 1 -> a' = a + c, c' = 0;
    init a = 0, b = 0, c = 3
    target a >= 3`);
  expect(answer(of)).toBe("covered");
});

test("places that are emptied at once exchange their tokens", () => {
  const swap = (target: string): Net =>
    net(`vars a b s rules s >= 1 -> a' = b, b' = a, s' = s - 1; init a = 3, b = 1, s = 1 target ${target}`);
  expect(answer(swap("a >= 1, b >= 3"))).toBe("covered");
  expect(answer(swap("a >= 2, b >= 2"))).toBe("uncovered");
  expect(answer(swap("a >= 3, b >= 2"))).toBe("uncovered");
});

test("what a reset leaves is what its rule puts there", () => {
  const reset = (target: string): Net =>
    net(`vars a b rules b >= 1 -> a' = 1, b' = b - 1; init a >= 0, b = 1 target ${target}`);
  expect(answer(reset("a >= 5, b >= 1"))).toBe("covered");
  expect(answer(reset("a >= 1"))).toBe("covered");
  const after = net(`vars a b d rules b >= 1 -> a' = 1, b' = b - 1, d' = d + 1; init a >= 0, b = 1, d = 0
    target d >= 1, a >= 2`);
  expect(answer(after)).toBe("uncovered");
});

test("procedures for Petri nets do not take transfers", () => {
  const of = net("vars a b rules a >= 1 -> b' = b + a, a' = 0; init a = 2, b = 0 target b >= 3");
  const { alternatives } = of.properties[0] as CoverProperty;
  for (const decide of [eec, karpMiller])
    expect(() => runAtOnce(decide(of, alternatives, new Work()))).toThrow(/transfers of t1/);
  expect(() => answer(of)).not.toThrow();
  const plain = net("vars a b rules a >= 1 -> b' = b + 1, a' = a - 1; init a = 2, b = 0 target b >= 3");
  for (const decide of [eec, karpMiller])
    expect(runAtOnce(decide(plain, [[[1, 3]]], new Work())).kind).toBe("uncovered");
});

test("counts beyond a word are never smaller numbers", () => {
  const many = MOST_TOKENS - 1;
  const of = net(
    `vars a b rules a >= 1 -> b' = b + a, a' = 0; init a = ${many}, b = ${many} target a >= 1, b >= ${many}`,
  );
  const dense = denseNet(of);
  expect(() => fire(dense.transitions[0]!, Int32Array.of(many, many))).toThrow(/tokens/);
  const sum = Int32Array.of(2, MOST_TOKENS - 2);
  fire(dense.transitions[0]!, sum);
  expect([...sum]).toEqual([0, MOST_TOKENS]);
  const taking = net(
    `vars a b s rules s >= 1, a >= 5 -> b' = b + a - 5, a' = 0, s' = s - 1; init a >= 9, b = 0, s = 1 target b >= ${many}`,
  );
  expect(() => answer(taking)).toThrow(/more than 2147483646 tokens/);
  const back = net(
    `vars a b rules a >= 9 -> a' = a - 9, b' = b + 1; init a >= 9, b = 0 target b >= 1, a >= ${many}`,
  );
  expect(() => answer(back)).toThrow(/more than 2147483646 tokens/);
  const most = net(`vars a b s rules s >= 1, a >= 1 -> s' = s - 1, a' = a - 1, b' = b + 1;
    init a = ${MOST_TOKENS}, b = 0, s = 1 target b >= 1, a >= ${MOST_TOKENS - 1}`);
  expect(answer(most)).toBe("covered");
});
