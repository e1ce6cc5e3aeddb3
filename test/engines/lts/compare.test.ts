/** Comparisons: verdicts against the definitions, evidence confirmed and shortest. */
import { expect, test } from "vitest";
import { LtsBuilder, TAU, disjointUnion, type Lts } from "../../../src/model/index.js";
import { comparing, type Comparison, type Relation } from "../../../src/engines/lts/index.js";
import { showsTrace } from "../../../src/engines/lts/evaluate.js";
import { Random } from "../../../src/session/index.js";
import {
  naiveBranching,
  naiveDivergenceBranching,
  naiveSimulation,
  naiveStrong,
  naiveTraces,
  naiveWeak,
} from "./naive.js";
import { randomSmall } from "./random-lts.js";

function compare(first: Lts, second: Lts, relation: Relation): Comparison {
  const slices = comparing(first, second, relation);
  while (slices.advance(5));
  return slices.result();
}

/** Longer than any shortest difference of systems with six states each. */
const LONG = 12;

type Plain = "strong" | "divergence-branching" | "branching" | "weak" | "trace" | "simulation";

const obvious: Readonly<Record<Plain, (union: Lts, s: number, t: number) => boolean>> = {
  strong: (union, s, t) => naiveStrong(union)[s][t],
  "divergence-branching": (union, s, t) => naiveDivergenceBranching(union)[s][t],
  branching: (union, s, t) => naiveBranching(union)[s][t],
  weak: (union, s, t) => naiveWeak(union)[s][t],
  trace: (union, s, t) => naiveTraces(union, s, t, LONG),
  simulation: (union, s, t) => naiveSimulation(union)[s][t],
};
const relations = Object.keys(obvious) as Plain[];

test("verdicts on random pairs are those of the definitions", () => {
  const random = new Random(5);
  const seen = new Map<string, number>();
  for (let pair = 0; pair < 2_000; pair++) {
    const [first, second] = [randomSmall(random), randomSmall(random)];
    const union = disjointUnion(first, second);
    for (const relation of relations) {
      const { isRelated, evidence } = compare(first, second, relation);
      const key = `${relation} ${isRelated}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
      const expected = obvious[relation](union, union.initial[0], union.initial[1]);
      if (isRelated !== expected) throw new Error(`pair ${pair}, ${relation}: ${JSON.stringify(union)}`);
      if (evidence?.kind === "trace") {
        // Confirmed, and no shorter one: all prefixes of other traces are shared.
        expect(showsTrace(first, evidence.labels) && !showsTrace(second, evidence.labels)).toBe(true);
        expect(naiveTraces(union, union.initial[0], union.initial[1], evidence.labels.length - 1)).toBe(true);
      }
    }
  }
  for (const relation of relations)
    for (const answer of [true, false]) expect(seen.get(`${relation} ${answer}`) ?? 0).toBeGreaterThan(50);
}, 300_000);

/** `0 a 1, 0 tau 2`. */
function system(text: string, initial: readonly number[] = [0]): Lts {
  const builder = new LtsBuilder();
  let states = 1;
  for (const edge of text.split(",").map((part) => part.trim().split(" "))) {
    if (edge.length < 3) continue;
    const [from, label, to] = [Number(edge[0]), edge[1], Number(edge[2])];
    states = Math.max(states, from + 1, to + 1);
    builder.add(from, label === "tau" ? TAU : builder.labels.of(label), to);
  }
  return builder.finish(states, initial);
}

const text = (first: Lts, second: Lts, relation: Relation): string | undefined => {
  const { evidence } = compare(first, second, relation);
  if (!evidence) return undefined;
  return evidence.kind === "trace" ? evidence.labels.join(" ") : `${evidence.in}: ${evidence.text}`;
};

test("a.(b + c) and a.b + a.c: the same traces, told apart by a formula", () => {
  const late = system("0 a 1, 1 b 2, 1 c 3");
  const early = system("0 a 1, 0 a 2, 1 b 3, 2 c 4");
  expect(text(late, early, "strong")).toBe("first: <a> (<c> true and <b> true)");
  expect(text(early, late, "strong")).toBe("first: <a> not <c> true");
  expect(text(late, early, "weak")).toBe("first: <<a>> (<<c>> true and <<b>> true)");
  expect(text(late, early, "branching")).toBe(
    "first: true until a ((true until c true) and (true until b true))",
  );
  expect(text(late, early, "trace")).toBeUndefined();
  expect(text(early, late, "simulation")).toBeUndefined();
  expect(text(late, early, "simulation")).toBe("first: <a> (<c> true and <b> true)");
});

test("an initial τ matters where it decides, and only there", () => {
  expect(text(system("0 tau 1, 1 a 2"), system("0 a 1"), "branching")).toBeUndefined();
  expect(text(system("0 tau 1, 1 a 2"), system("0 a 1"), "strong")).toBe("first: <tau> true");
  expect(text(system("0 a 1, 0 tau 2, 2 b 3"), system("0 a 1, 0 b 2"), "weak")).toBe(
    "first: <<tau>> not <<a>> true",
  );
});

test("a deadlock and a τ-loop differ by divergence alone", () => {
  const [stop, loop] = [system("0 a 1"), system("0 a 1, 1 tau 1")];
  expect(text(stop, loop, "weak")).toBeUndefined();
  expect(text(stop, loop, "branching")).toBeUndefined();
  expect(text(stop, loop, "divergence-branching")).toBe("first: true until a not (diverges true)");
});

test("branching bisimilarity sees options that τ discards, weak bisimilarity does not", () => {
  // a.(b + τ.c) + a.c against a.(b + τ.c)
  const more = system("0 a 1, 1 b 2, 1 tau 3, 3 c 4, 0 a 5, 5 c 6");
  const less = system("0 a 1, 1 b 2, 1 tau 3, 3 c 4");
  expect(text(more, less, "weak")).toBeUndefined();
  expect(text(more, less, "branching")).toBe("first: true until a not (true until b true)");
});

test("several initial states: each needs a partner", () => {
  const both = system("0 a 1, 2 b 3", [0, 2]);
  expect(text(both, system("0 b 1, 2 a 3", [0, 2]), "strong")).toBeUndefined();
  expect(text(both, system("0 a 1"), "strong")).toBe("first: <b> true");
  expect(text(system("0 a 1"), both, "strong")).toBe("second: <b> true");
  expect(text(both, system("0 a 1"), "trace")).toBe("b");
  expect(text(both, system("0 a 1"), "simulation")).toBe("first: <b> true");
});

test("a long formula shares its parts", () => {
  const chain = (end: string): Lts =>
    system(
      Array.from({ length: 30 }, (_, i) => `${i} a ${i + 1}, ${i} b ${i + 1}`).join() + `, 30 ${end} 31`,
    );
  expect(text(chain("c"), chain("d"), "strong")?.length).toBeLessThan(400);
});
