/** Boundedness from infinitely many starts, by hand and against nets with the starts spelt out. */
import { expect, test } from "vitest";
import {
  Work,
  boundedness,
  runAtOnce,
  type BoundednessAnswer,
} from "../../../src/engines/coverability/index.js";
import { maximise } from "../../../src/engines/coverability/simplex.js";
import { loadMist } from "../../../src/languages/mist/index.js";
import { hasSources, hasTransfers } from "../../generators/net-oracle.js";
import { compareNet, randomNet } from "../../generators/nets.js";

function decide(text: string): BoundednessAnswer {
  const { net, diagnostics } = loadMist("m.spec", text);
  expect(diagnostics).toEqual([]);
  return runAtOnce(boundedness(net!, new Work({ timeMs: 5000 })));
}

test("tokens that are only moved are bounded by the start", () => {
  const moved = "vars a b rules a >= 1 -> a' = a - 1, b' = b + 1; b >= 1 -> b' = b - 1, a' = a + 1; ";
  expect(decide(`${moved} init a >= 0, b >= 0 target b >= 9`)).toMatchObject({
    kind: "bounded",
    most: undefined,
  });
  expect(decide(`${moved} init a >= 0, b = 0 target b >= 9`)).toMatchObject({ kind: "bounded" });
});

test("with one start the first marking that is larger than one before it decides", () => {
  expect(decide("vars a b rules a >= 1 -> b' = b + 1; init a = 1, b = 0 target b >= 9")).toMatchObject({
    kind: "unbounded",
    firing: [0],
    loopStart: 0,
    places: [1],
  });
  const bounded = "vars a b rules a >= 1 -> a' = a - 1, b' = b + 2; init a = 2, b = 0 target b >= 9";
  expect(decide(bounded)).toMatchObject({ kind: "bounded", most: 4 });
});

test("a loop that doubles is found, with as many tokens at the start as it needs", () => {
  const doubling = `vars a b rules a >= 3 -> a' = a - 3, b' = b + 2; b >= 2 -> b' = b - 2, a' = a + 4;
    init a >= 0, b = 0 target b >= 9`;
  const answer = decide(doubling);
  if (answer.kind !== "unbounded") throw new Error("it is unbounded");
  expect(answer.firing.slice(0, 3)).toEqual([2, 2, 2]);
  expect(answer.firing.slice(answer.loopStart)).not.toContain(2);
  expect(answer.places.length).toBeGreaterThan(0);
});

test("a transition that needs what is never there grows nothing", () => {
  expect(decide("vars a b rules b >= 1 -> a' = a + 1; init a >= 0, b = 0 target a >= 9").kind).toBe(
    "bounded",
  );
  expect(decide("vars a b rules b >= 1 -> a' = a + 1; init a >= 0, b = 1 target a >= 9").kind).toBe(
    "unbounded",
  );
  expect(decide("vars a b rules b >= 1 -> a' = a + 1; init a = 0, b >= 0 target a >= 9").kind).toBe(
    "unbounded",
  );
});

/** In q0 a becomes two b, in q1 b becomes a: together they grow, if one can go from one to the other and back again and again. */
const rooms = (toll: string): string => `
  vars q0 q1 a b c
  rules
    q0 >= 1, a >= 1 -> a' = a - 1, b' = b + 2;
    q1 >= 1, b >= 1 -> b' = b - 1, a' = a + 1;
    q0 >= 1${toll} -> q0' = q0 - 1, q1' = q1 + 1${toll && ", c' = c - 1"};
    q1 >= 1 -> q1' = q1 - 1, q0' = q0 + 1;
  init q0 = 1, q1 = 0, a >= 0, b >= 0, c >= 0
  target a >= 9`;

test("loops in places that cannot be joined forever do not add up", () => {
  expect(decide(rooms("")).kind).toBe("unbounded");
  expect(decide(rooms(", c >= 1")).kind).toBe("bounded");
});

test("a way there that gains is worth nothing where the way back costs more", () => {
  const tolls = `vars q0 q1 a rules q0 >= 1 -> q0' = q0 - 1, q1' = q1 + 1, a' = a + 1;
    q1 >= 1, a >= 2 -> q1' = q1 - 1, q0' = q0 + 1, a' = a - 2; init q0 = 1, q1 = 0, a >= 0 target a >= 9`;
  expect(decide(tolls).kind).toBe("bounded");
  expect(decide(tolls.replace("a' = a - 2", "a' = a - 1")).kind).toBe("bounded");
  expect(decide(tolls.replace("a' = a + 1", "a' = a + 3")).kind).toBe("unbounded");
});

test("steps that lead apart and lose nothing together are no closed walk", () => {
  const apart = `vars p q a rules
    p >= 1, q >= 1 -> p' = p + 1, q' = q - 1, a' = a + 1;
    p >= 1, q >= 1 -> p' = p - 1, q' = q + 1, a' = a + 1;
    p >= 2, a >= 3 -> p' = p - 1, q' = q + 1, a' = a - 3;
    q >= 2, a >= 3 -> q' = q - 1, p' = p + 1, a' = a - 3;
    init p = 1, q = 1, a >= 0 target a >= 9`;
  expect(decide(apart).kind).toBe("bounded");
});

test("one of several parts may grow alone", () => {
  const alone = rooms(", c >= 1").replace("init", "q1 >= 1 -> a' = a + 1; init");
  expect(decide(alone).kind).toBe("unbounded");
});

test("a walk that needs edges which the best solution leaves out", () => {
  // q1 grows only by the products of q0; the way between is free, but adds nothing itself.
  const free = `vars q0 q1 a b rules
    q0 >= 1 -> q0' = q0 - 1, q1' = q1 + 1;
    q1 >= 1 -> q1' = q1 - 1, q0' = q0 + 1;
    q0 >= 1, a >= 1 -> a' = a - 1, b' = b + 1;
    q1 >= 1, b >= 1 -> b' = b - 1, a' = a + 2;
    init q0 = 1, q1 = 0, a >= 0, b = 0 target a >= 9`;
  expect(decide(free).kind).toBe("unbounded");
});

test("random nets with many starts: nothing that is called bounded grows from a start with a few tokens more", () => {
  const kinds = new Set<string>();
  let compared = 0;
  for (let seed = 300_001; compared < 40; seed++) {
    const net = randomNet(seed);
    if (!hasSources(net) || hasTransfers(net)) continue;
    compared++;
    expect(compareNet(net, 60).problems, `npm run fuzz:nets -- --seed ${seed}`).toEqual([]);
    kinds.add(runAtOnce(boundedness(net, new Work({ timeMs: 5000 }))).kind);
  }
  expect([...kinds].toSorted()).toEqual(["bounded", "unbounded"]);
});

test("linear programs are solved exactly", () => {
  const tick = (): void => undefined;
  // x <= 2y, y <= x: the best of 3x - 4y with x + y <= 1 is at x = 2/3, y = 1/3.
  expect(maximise({ rows: [[1, -2], [-1, 1]], objective: [3, -4] }, tick)).toEqual([2n, 1n]); // prettier-ignore
  expect(maximise({ rows: [[1, 1]], objective: [5, 7] }, tick)).toEqual([0n, 0n]);
  expect(maximise({ rows: [], objective: [-1, 2, 1] }, tick)).toEqual([0n, 1n, 0n]);
  expect(maximise({ rows: [[3, -7, 0], [0, 5, -11]], objective: [1, 0, 0] }, tick)).toEqual([77n, 33n, 15n]); // prettier-ignore
});
