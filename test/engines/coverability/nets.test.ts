/** Nets: common mistakes, the antichain against the obvious one, boundedness, and writing nets out. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  Work,
  boundedness,
  eec,
  procedures,
  runAtOnce,
  type CoverAnswer,
} from "../../../src/engines/coverability/index.js";
import { Antichain } from "../../../src/engines/coverability/antichain.js";
import { Weights } from "../../../src/engines/coverability/weights.js";
import { OMEGA, denseNet, isBelow } from "../../../src/engines/coverability/dense.js";
import { loadMist, renderSpec } from "../../../src/languages/mist/index.js";
import { netModel } from "../../../src/compile/net.js";
import { Successors, type CoverProperty, type Net } from "../../../src/model/index.js";
import { bruteForce, run } from "../../generators/net-oracle.js";
import { randomNet } from "../../generators/nets.js";
import { classicalNets, netFrom } from "./classical.js";

const answers = (net: Net): string[] =>
  procedures.map(
    ({ decide }) =>
      runAtOnce(decide(net, (net.properties[0] as CoverProperty).alternatives, new Work())).kind,
  );

const all = (answer: CoverAnswer["kind"]): string[] => procedures.map(() => answer);

describe("what is easily done wrong", () => {
  test("a transition that takes a token and puts it back still needs it", () => {
    expect(answers(netFrom("loop", { a: 1 }, ["b -> b + c"], [{ c: 1 }]))).toEqual(all("uncovered"));
    expect(answers(netFrom("loop", { a: 1, b: 1 }, ["b -> b + c"], [{ c: 1 }]))).toEqual(all("covered"));
  });

  test("a guard may ask for more than is taken", () => {
    const text = (a: number): string =>
      `vars a b rules a >= 3 -> a' = a - 1, b' = b + 1; init a = ${a}, b = 0 target b >= 2`;
    expect(answers(loadMist("m.spec", text(3)).net!)).toEqual(all("uncovered"));
    expect(answers(loadMist("m.spec", text(4)).net!)).toEqual(all("covered"));
  });

  test("arbitrarily many stay so when some are taken", () => {
    const net = netFrom("pool", { pool: "0+" }, ["5 pool -> a"], [{ a: 40, pool: 7 }]);
    expect(answers(net)).toEqual(all("covered"));
  });

  test("the initial marking is not cut: 7 tokens are 7 at i = 0", () => {
    const net = netFrom("seven", { a: 7 }, ["8 a -> b", "a -> c"], [{ b: 1 }]);
    const answer = runAtOnce(
      eec(net, (net.properties[0] as CoverProperty).alternatives, new Work(), { concretises: false }),
    );
    expect(answer.kind).toBe("uncovered");
    const held = runAtOnce(eec(net, [[[0, 7]]], new Work(), { concretises: false }));
    expect(held).toMatchObject({ kind: "covered", i: 0, firing: [] });
    const still = netFrom("still", { a: 7, b: 0 }, ["8 a -> b"], [{ b: 1 }]);
    const { alternatives } = still.properties[0] as CoverProperty;
    expect(runAtOnce(eec(still, alternatives, new Work()))).toMatchObject({ kind: "uncovered", i: 0 });
  });

  test("a target of no tokens is covered at once", () => {
    expect(answers(netFrom("nothing", { a: 0 }, ["a -> b"], [{}]))).toEqual(all("covered"));
  });

  test("several alternatives: one of them is enough", () => {
    expect(answers(netFrom("or", { a: 1 }, ["a -> b"], [{ c: 1 }, { b: 1 }]))).toEqual(all("covered"));
  });

  test("a loop whose gain is spent by a later loop is repeated often enough", () => {
    const net = netFrom(
      "nested",
      { s: 1 },
      ["s -> s + a", "s -> t", "t + 3 a -> t + b", "t + 4 b -> t + c"],
      [{ c: 5 }],
    );
    for (const { name, decide } of procedures) {
      const answer = runAtOnce(decide(net, (net.properties[0] as CoverProperty).alternatives, new Work()));
      if (answer.kind !== "covered") throw new Error(`${name} does not cover`);
      expect(
        run(net, answer.firing)![net.places.findIndex(({ name: place }) => place === "c")],
        name,
      ).toBeGreaterThanOrEqual(5);
    }
  });
});

describe("numbers that no word can hold", () => {
  const huge = netFrom("huge", { a: 2_000_000_000 }, ["a -> 1000000000 a"], [{ a: 2_147_483_640, b: 1 }]);

  test("are a fault of the step, and end a search", () => {
    const model = netModel(huge);
    const out = new Successors(model.steps.width);
    model.steps.successors(Int32Array.from(huge.initial), 0, out);
    expect(out.count).toBe(1);
    expect(out.flags[0]).not.toBe(0);
    expect(() =>
      model.system.successors(Int32Array.from(huge.initial), 0, new Successors(model.system.width)),
    ).toThrow(/tokens/);
  });

  test("never come back as small or negative ones", () => {
    for (const { decide, name } of procedures) {
      let answer: string;
      try {
        answer = runAtOnce(decide(huge, (huge.properties[0] as CoverProperty).alternatives, new Work())).kind;
      } catch (error) {
        answer = (error as Error).message;
      }
      expect(answer, name).toMatch(/uncovered|more than 2147483646 tokens/);
    }
  });
});

describe("the antichain", () => {
  const component = fc.oneof(
    { weight: 5, arbitrary: fc.nat(4) },
    { weight: 1, arbitrary: fc.constant(OMEGA) },
  );
  const vectors = fc.array(
    fc.array(component, { minLength: 4, maxLength: 4 }).map((v) => Int32Array.from(v)),
  );

  for (const keeps of ["largest", "smallest"] as const)
    test(`of ${keeps} vectors is what comparing all with all leaves`, () =>
      fc.assert(
        fc.property(vectors, (list) => {
          const antichain = new Antichain(4, keeps);
          for (const vector of list) if (!antichain.has(vector)) antichain.add(vector);
          const beats = (a: Int32Array, b: Int32Array): boolean =>
            keeps === "largest" ? isBelow(b, a) : isBelow(a, b);
          const obvious = list.filter((v) => !list.some((w) => beats(w, v) && w.join() !== v.join()));
          const expected = [...new Set(obvious.map((v) => v.join()))].toSorted();
          expect(antichain.members.map((m) => antichain.at(m).join()).toSorted()).toEqual(expected);
          for (const vector of list) expect(antichain.has(vector)).toBe(true);
        }),
      ));
});

test("no reachable marking of a bounded net is excluded by weights", () => {
  let checked = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const net = randomNet(seed);
    const weights = new Weights(denseNet(net), new Work());
    const seen = bruteForce(net, [], 300);
    if (!seen.isComplete) continue;
    checked++;
    for (const marking of seen.markings)
      expect(weights.exclude(Int32Array.from(marking)), `seed ${seed}`).toBe(false);
  }
  expect(checked).toBeGreaterThan(20);
});

describe("boundedness", () => {
  test("of classical nets", () => {
    const bounded = (name: string): string =>
      runAtOnce(boundedness(classicalNets.find(({ net }) => net.name === name)!.net, new Work())).kind;
    expect(bounded("kanban (1)")).toBe("bounded");
    expect(bounded("Peterson")).toBe("bounded");
    expect(bounded("unbounded buffer")).toBe("unbounded");
  });

  test("says the largest number of tokens", () => {
    const net = netFrom("three", { a: 3 }, ["a -> b", "2 b -> c"], [{ c: 9 }]);
    expect(runAtOnce(boundedness(net, new Work()))).toMatchObject({ kind: "bounded", most: 3 });
  });
});

test("a net that is written out and read again has the same size and the same answers", () => {
  for (const { net } of classicalNets) {
    const again = loadMist("again.spec", renderSpec(net));
    expect(again.diagnostics, net.name).toEqual([]);
    expect(again.net!.transitions.map(({ guard, effect }) => ({ guard, effect }))).toEqual(
      net.transitions.map(({ guard, effect }) => ({ guard, effect })),
    );
    expect(again.net!.initial).toEqual(net.initial);
    expect((again.net!.properties[0] as CoverProperty).alternatives).toEqual(
      (net.properties[0] as CoverProperty).alternatives,
    );
  }
});
