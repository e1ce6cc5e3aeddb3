/** Foundations of answers about nets, in a second or two: run by every mutant. `random.test.ts` and `npm run fuzz:nets` have more. */
import { describe, expect, test } from "vitest";
import { Antichain } from "../../../src/engines/coverability/antichain.js";
import {
  OMEGA,
  denseNet,
  denseVector,
  fire,
  isBelow,
  isCoveringRun,
  isEnabled,
} from "../../../src/engines/coverability/dense.js";
import {
  Work,
  backward,
  boundedness,
  eec,
  isInductive,
  karpMiller,
  runAtOnce,
  shorten,
} from "../../../src/engines/coverability/index.js";
import { Weights } from "../../../src/engines/coverability/weights.js";
import { loadMist } from "../../../src/languages/mist/index.js";
import { MOST_TOKENS, type CoverProperty, type Net } from "../../../src/model/index.js";
import { bruteForce, covers, hasSources, run } from "../../generators/net-oracle.js";
import { compareNet, randomNet } from "../../generators/nets.js";
import { Random } from "../../generators/random.js";

const netOf = (text: string): Net => loadMist("m.spec", text).net!;
const alternativesOf = (net: Net): CoverProperty["alternatives"] =>
  (net.properties[0] as CoverProperty).alternatives;

describe("an antichain", () => {
  for (const keeps of ["largest", "smallest"] as const)
    test(`of the ${keeps} knows what is stood for, and drops no more than that`, () => {
      for (let seed = 1; seed <= 60; seed++) {
        const random = new Random(seed);
        // More places than bits of a word, so that supports collide.
        const width = random.pick([2, 3, 3, 35]);
        const vectors = random.list(2, 14, () =>
          Int32Array.from({ length: width }, () =>
            random.chance(width > 3 ? 6 : 70) ? random.pick([1, 1, 2, 3, OMEGA]) : 0,
          ),
        );
        const antichain = new Antichain(width, keeps);
        const kept: Int32Array[] = [];
        const isFor = (a: Int32Array, b: Int32Array): boolean =>
          keeps === "largest" ? isBelow(b, a) : isBelow(a, b);
        for (const vector of vectors) {
          const isKnown = kept.some((other) => isFor(other, vector));
          expect(antichain.has(vector), `seed ${seed}`).toBe(isKnown);
          if (isKnown) continue;
          kept.splice(0, kept.length, ...kept.filter((other) => !isFor(vector, other)), vector);
          antichain.add(vector);
          const members = antichain.members.map((member) => antichain.at(member).join());
          expect(members.toSorted(), `seed ${seed}`).toEqual(kept.map((v) => v.join()).toSorted());
          for (let number = 0; number < antichain.count; number++)
            expect(antichain.isMember(number)).toBe(antichain.members.includes(number));
        }
      }
    });
});

describe("an inductive set", () => {
  const net = netOf("vars a b rules a >= 1 -> a' = a - 1, b' = b + 1; init a = 2, b = 0 target b >= 3");
  const dense = denseNet(net);
  const targets = alternativesOf(net).map((tokens) => denseVector(tokens, 2));
  const vectors = (...all: number[][]): Int32Array[] => all.map((one) => Int32Array.from(one));

  test("has the start, all that follows, and no target", () => {
    expect(isInductive(dense, vectors([2, 0], [1, 1], [0, 2]), targets)).toBe(true);
    expect(isInductive(dense, vectors([1, 1], [0, 2]), targets)).toBe(false);
    expect(isInductive(dense, vectors([2, 0], [1, 1]), targets)).toBe(false);
    expect(isInductive(dense, vectors([2, OMEGA]), targets)).toBe(false);
    expect(isInductive(dense, vectors([2, 2]), targets)).toBe(false);
    expect(isInductive(dense, vectors([2, OMEGA]), vectors([3, 0]))).toBe(true);
  });

  test("needs nothing of transitions that cannot happen", () => {
    const stuck = denseNet(netOf("vars a b rules a >= 3 -> b' = b + 1; init a = 2, b = 0 target b >= 1"));
    expect(isInductive(stuck, vectors([2, 0]), vectors([0, 1]))).toBe(true);
  });

  test("has any number where any number may be at the start", () => {
    const free = denseNet(netOf("vars a b rules a >= 3 -> b' = b + 1; init a >= 2, b = 0 target b >= 1"));
    expect(isInductive(free, vectors([2, 0]), vectors([0, 1]))).toBe(false);
    expect(free.moves.map(({ number }) => number)).toEqual([0]);
  });
});

test("approximations answer where one is exact enough, or a run happens to be real", () => {
  const answer = (target: number, concretises?: boolean): unknown => {
    const net = netOf(
      `vars a b rules b >= 1 -> a' = a + 1, b' = b - 1; init a = 0, b = 3 target a >= ${target}`,
    );
    const work = new Work({ maxStates: 500 });
    const { kind, i } = runAtOnce(
      eec(net, alternativesOf(net), work, concretises === undefined ? {} : { concretises }),
    );
    return [kind, i];
  };
  expect(answer(4)).toEqual(["uncovered", 3]);
  expect(answer(1)).toEqual(["covered", 0]);
  expect(answer(1, false)).toEqual(["covered", 1]);
});

test("no weighted sum excludes what a net reaches", () => {
  let checked = 0;
  let excluding = 0;
  for (let seed = 420_001; checked < 25; seed++) {
    const net = randomNet(seed);
    const seen = bruteForce(net, [], 80);
    if (!seen.isComplete) continue;
    checked++;
    const weights = new Weights(denseNet(net), new Work());
    // An abandoned elimination keeps its results so far.
    const early = [1, 30, 100].map((effort) => new Weights(denseNet(net), new Work(), effort));
    for (const marking of seen.markings)
      for (const each of [weights, ...early])
        expect(each.exclude(Int32Array.from(marking)), `seed ${seed}`).toBe(false);
    if (weights.exclude(Int32Array.from(net.places, () => 1000))) excluding++;
  }
  expect(excluding).toBeGreaterThan(8);
});

test("markings that no number weighs exactly are not left out", () => {
  const six = ["b1", "b2", "b3", "b4", "b5", "b6"];
  const start = 2147483000;
  const net = netOf(`vars a ${six.join(" ")} rules
    b1 >= 1 -> b1' = b1 - 1, b6' = b6 + 1;
    b1 >= 1 -> b1' = b1 - 1, a' = a + 999998;
    ${six
      .slice(1)
      .map((b) => `${b} >= 1 -> ${b}' = ${b} - 1, b1' = b1 + 1;`)
      .join(" ")}
    init a = 1, ${six.map((b) => `${b} = ${start}`).join(", ")} target
    a >= 1, b1 >= ${start - 1}, ${six
      .slice(1, 5)
      .map((b) => `${b} >= ${start}`)
      .join(", ")}, b6 >= ${start + 1}`);
  expect(runAtOnce(backward(net, alternativesOf(net), new Work()))).toMatchObject({ firing: [0] });
});

test("a sum that grows by less than numbers show is none that never grows", () => {
  const all = [0, 1, 2, 3, 4, 5];
  // 999983 * gained - 999979 * taken is 1, and 0 in doubles.
  const [gained, taken] = [12499987495, 12500037496];
  const share = (total: number, i: number): number => Math.floor((total + i) / 6);
  const net = netOf(`vars ${all.map((i) => `x${i}`).join(" ")} ${all.map((i) => `y${i}`).join(" ")} rules
    ${all
      .slice(1)
      .flatMap((i) =>
        ["x", "y"].map(
          (p) => `${p}${i} >= 1 -> ${p}${i}' = ${p}${i} - 1, ${p}0' = ${p}0 + 1;
      ${p}0 >= 1 -> ${p}0' = ${p}0 - 1, ${p}${i}' = ${p}${i} + 1;`,
        ),
      )
      .join(" ")}
    y0 >= 999983 -> x0' = x0 + 999979, y0' = y0 - 999983;
    true -> ${all.map((i) => `x${i}' = x${i} + ${share(gained, i)}, y${i}' = y${i} - ${share(taken, i)}`).join(", ")};
    init ${all.map((i) => `x${i} = 0, y${i} = 0`).join(", ")} target x0 >= 1`);
  const weights = new Weights(denseNet(net), new Work());
  expect(weights.exclude(denseVector([[0, 1]], 12))).toBe(false);
  expect(weights.exclude(denseVector([[6, 1]], 12))).toBe(true);
});

test("weights are found by adding up several places", () => {
  const net = netOf(`vars a b c rules a >= 1 -> a' = a - 1, b' = b + 2; b >= 1 -> b' = b - 1, c' = c + 3;
    init a = 1, b = 0, c = 0 target c >= 7`);
  const weights = new Weights(denseNet(net), new Work());
  expect(weights.exclude(Int32Array.of(0, 0, 7))).toBe(true);
  expect(weights.exclude(Int32Array.of(0, 0, 6))).toBe(false);
  expect(weights.exclude(Int32Array.of(1, 0, 1))).toBe(true);
});

test("an elimination that is given up keeps the sums that never grow so far", () => {
  const net = netOf(`vars a b c rules a >= 1 -> a' = a - 1, b' = b + 2; b >= 1 -> b' = b - 1, c' = c + 3;
    init a = 1, b = 0, c = 0 target c >= 7`);
  const weights = new Weights(denseNet(net), new Work(), 1);
  expect(weights.exclude(Int32Array.of(2, 0, 0))).toBe(true);
  expect(weights.exclude(Int32Array.of(1, 9, 9))).toBe(false);
});

test("a run is one only if each step can be taken and the end covers", () => {
  const net = denseNet(
    netOf("vars a b rules a >= 2 -> a' = a - 2, b' = b + 1; init a = 3, b = 0 target b >= 1"),
  );
  expect(isCoveringRun(net, [0], [Int32Array.of(1, 1)])).toBe(true);
  expect(isCoveringRun(net, [0], [Int32Array.of(9, 9), Int32Array.of(1, 1)])).toBe(true);
  expect(isCoveringRun(net, [0], [Int32Array.of(2, 1)])).toBe(false);
  expect(isCoveringRun(net, [], [Int32Array.of(0, 1)])).toBe(false);
  expect(isCoveringRun(net, [0, 0], [Int32Array.of(0, 1)])).toBe(false);
  expect(isEnabled(net.transitions[0]!, Int32Array.of(1, 5))).toBe(false);
  expect(isEnabled(net.transitions[0]!, Int32Array.of(2, 0))).toBe(true);
});

test("a run that is made shorter still covers", () => {
  for (let seed = 430_001; seed <= 430_030; seed++) {
    const net = randomNet(seed);
    const answer = runAtOnce(backward(net, alternativesOf(net), new Work({ maxStates: 2000 })));
    if (answer.kind !== "covered") continue;
    const short = shorten(net, alternativesOf(net), answer.firing);
    expect(short.length).toBeLessThanOrEqual(answer.firing.length);
    expect(covers(run(net, short)!, alternativesOf(net)), `seed ${seed}`).toBe(true);
  }
  const idle = netOf("vars a b rules a >= 1 -> ; a >= 1 -> b' = b + 1; init a = 1, b = 0 target b >= 1");
  expect(shorten(idle, alternativesOf(idle), [0, 0, 1, 0, 1, 0])).toHaveLength(1);
});

describe("counts beyond a word", () => {
  test("are not reached by firing", () => {
    const net = denseNet(netOf("vars a rules true -> a' = a + 2; init a = 0 target a >= 1"));
    const fits = Int32Array.of(MOST_TOKENS - 2);
    fire(net.transitions[0]!, fits);
    expect([...fits]).toEqual([MOST_TOKENS]);
    expect(() => fire(net.transitions[0]!, Int32Array.of(MOST_TOKENS - 1))).toThrow(/tokens/);
  });

  test("are any number where they are that", () => {
    const net = denseNet(netOf("vars a rules a >= 1 -> a' = a - 1; init a >= 0 target a >= 1"));
    const any = Int32Array.of(OMEGA);
    fire(net.transitions[0]!, any);
    expect([...any]).toEqual([OMEGA]);
  });
});

test("expand-enlarge-check decides without looking whether a guess is real", () => {
  const net = netOf(
    "vars a b rules a >= 1 -> b' = b + 1; b >= 3 -> a' = a + 1; init a = 1, b = 0 target a >= 2, b >= 5",
  );
  for (const concretises of [true, false])
    expect(
      runAtOnce(eec(net, alternativesOf(net), new Work(), concretises === undefined ? {} : { concretises }))
        .kind,
    ).toBe("covered");
  expect(runAtOnce(karpMiller(net, alternativesOf(net), new Work())).kind).toBe("covered");
});

test("boundedness of random nets is what the visit of all markings finds", () => {
  let compared = 0;
  for (let seed = 410_001; compared < 20; seed++) {
    const net = randomNet(seed);
    if (hasSources(net) || net.transitions.some(({ transfers }) => transfers)) continue;
    const brute = bruteForce(net, [], 150);
    const answer = runAtOnce(boundedness(net, new Work({ maxStates: 3000 })));
    if (brute.isComplete) expect(answer, `seed ${seed}`).toMatchObject({ kind: "bounded", most: brute.most });
    else expect(answer.kind === "unbounded" || (answer.kind === "bounded" && answer.nodes > 20)).toBe(true);
    compared++;
  }
});

test("random nets: every procedure agrees with the obvious searches, and what shows it does", () => {
  for (let seed = 400_001; seed <= 400_060; seed++)
    expect(compareNet(randomNet(seed), 250).problems, `npm run fuzz:nets -- --seed ${seed}`).toEqual([]);
});
