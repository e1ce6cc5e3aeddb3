/** Branching vector addition systems: the published answers, certificates, random systems, and common mistakes. */
import { describe, expect, test } from "vitest";
import {
  Spent,
  Work,
  branchingEec,
  closure,
  coversTarget,
  eec,
  isDerivation,
  isInvariant,
  lastBound,
  procedures,
  runAtOnce,
  witnessHeight,
  type BvasAnswer,
  type EecOptions,
} from "../../../src/engines/coverability/index.js";
import { OMEGA } from "../../../src/engines/coverability/dense.js";
import { netOf } from "../../../src/languages/bvas/net.js";
import { loadBvas, renderBvas } from "../../../src/languages/bvas/index.js";
import { loadRpp } from "../../../src/languages/rpp/index.js";
import { tokensOf, type Bvas } from "../../../src/model/index.js";
import { derivable, randomBvas } from "../../generators/bvas.js";
import { referenceCases, system, webServer } from "./reference.js";

const asPublished: EecOptions = { start: 0, next: (i) => i + 1, concretises: false };

const decide = (bvas: Bvas, target: readonly number[], options?: EecOptions): BvasAnswer =>
  runAtOnce(branchingEec(bvas, [target], new Work({ maxStates: 100_000 }), options));

describe("reference instance", () => {
  for (const { id, system: bvas, target, answer, i } of referenceCases)
    test(`${id} ${bvas.name} (${target.join(", ")}): ${answer} at ${i}`, () => {
      const found = decide(bvas, target, asPublished);
      expect([found.kind, found.i]).toEqual([answer, i]);
      const concretised = decide(bvas, target);
      expect(concretised.kind).toBe(answer);
      expect(decide(bvas, target, { next: (n) => n + 1 }).i).toBeLessThanOrEqual(i);
      if (bvas.axioms.length > 1 || bvas.binary.length > 0) return;
      const alternatives = [tokensOf(new Map(target.map((count, place) => [place, count])))];
      const asNet = runAtOnce(eec(netOf(bvas), alternatives, new Work(), asPublished));
      expect([asNet.kind, asNet.i]).toEqual([answer, i]);
    });

  test("B1 with target 13 is answered at once where real derivations count", () => {
    const [b1] = referenceCases.filter(({ system: { name }, target }) => name === "B1" && target[0] === 13);
    expect(decide(b1!.system, b1!.target).i).toBe(0);
  });
});

test("the bound on witnesses is that of the literature", () => {
  expect(witnessHeight(1, 1, 1)).toBe(4096n);
  expect(lastBound(1, 1, 1)).toBe(16_777_216n);
});

describe("random systems", () => {
  test("200 of them against all derivations up to height 6", () => {
    let complete = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const { bvas, target } = randomBvas(seed);
      const answer = attempt(bvas, target);
      const { vectors, isComplete } = derivable(bvas, 6, 600);
      const isDerived = vectors.some((vector) => target.every((value, k) => value <= vector[k]!));
      if (isComplete) complete++;
      if (!answer) continue;
      if (isDerived) expect(answer.kind, `seed ${seed}`).toBe("covered");
      if (isComplete && !isDerived) expect(answer.kind, `seed ${seed}`).toBe("uncovered");
      const isShown =
        answer.kind === "covered"
          ? isDerivation(bvas, answer.derivation) && coversTarget(answer.derivation, [target])
          : isInvariant(bvas, answer.invariant, [target]);
      expect(isShown, `seed ${seed}`).toBe(true);
    }
    expect(complete).toBeGreaterThan(20);
  });

  test("200 without binary rules against every procedure for nets", () => {
    for (let seed = 1000; seed < 1200; seed++) {
      const { bvas, target } = randomBvas(seed, true);
      const answer = attempt(bvas, target);
      const alternatives = [tokensOf(new Map(target.map((count, place) => [place, count])))];
      for (const { name, decide: procedure } of procedures) {
        const other = runAtOnce(procedure(netOf(bvas), alternatives, new Work({ maxStates: 50_000 })));
        if (answer) expect(other.kind, `${name}, seed ${seed}`).toBe(answer.kind);
      }
    }
  });

  test("below and above never both answer at the same i", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const { bvas, target } = randomBvas(seed);
      const sought = [Int32Array.from(target)];
      for (const i of [0, 1, 2]) {
        const below = runAtOnce(closure(bvas, { i, mode: "under", targets: sought }, new Work()));
        const above = runAtOnce(closure(bvas, { i, mode: "over", targets: sought }, new Work()));
        if (below.covering !== undefined) expect(above.covering, `seed ${seed}, i = ${i}`).toBeDefined();
      }
    }
  });

  test("what is derived does not depend on the order of work", () => {
    for (let seed = 1; seed <= 60; seed++)
      for (const mode of ["under", "over"] as const) {
        const { bvas } = randomBvas(seed);
        const members = (takes: "limit-first" | "oldest-first"): string[] => {
          const { derived } = runAtOnce(closure(bvas, { i: 2, mode, targets: [], takes }, new Work()));
          return derived.members.map((member) => derived.at(member).join()).toSorted();
        };
        expect(members("limit-first"), `seed ${seed}`).toEqual(members("oldest-first"));
      }
  });

  test("a system that is written out and read again is the same", () => {
    for (let seed = 1; seed <= 30; seed++) {
      const { bvas, target } = randomBvas(seed);
      const property = { name: "t", kind: "coverability", span: undefined, targets: [target] } as const;
      const again = loadBvas("again.bvas", renderBvas({ ...bvas, properties: [property] }));
      expect(again.diagnostics).toEqual([]);
      const vectors = (b: Bvas): unknown =>
        [b.axioms, b.unary, b.binary].map((rules) => rules.map(({ vector }) => vector));
      expect(vectors(again.bvas!)).toEqual(vectors(bvas));
      expect(again.bvas!.properties[0]!.targets).toEqual([target]);
    }
  });
});

describe("a checker that knows nothing of the search", () => {
  const bvas = system(
    "pairs",
    [
      [1, 0, 0],
      [0, 1, 0],
    ],
    [[0, 0, 1]],
    [[-1, -1, 1]],
  );
  const good = decide(bvas, [0, 0, 1]);

  test("takes a derivation and refuses every change of it", () => {
    if (good.kind !== "covered") throw new Error("it is covered");
    const { derivation } = good;
    expect(isDerivation(bvas, derivation)).toBe(true);
    for (const [index, step] of derivation.steps.entries()) {
      const changed = (part: Partial<typeof step>): boolean =>
        isDerivation(bvas, { ...derivation, steps: derivation.steps.with(index, { ...step, ...part }) });
      expect(changed({ vector: step.vector.map((value) => value + 1) })).toBe(false);
      expect(changed({ premises: [...step.premises, 0] })).toBe(false);
      expect(changed({ premises: step.premises.map(() => index) })).toBe(step.premises.length === 0);
      expect(changed({ rule: { ...step.rule } })).toBe(false);
    }
    expect(coversTarget(derivation, [[9, 9, 9]])).toBe(false);
  });

  test("refuses a set that is not closed, misses an axiom or covers the target", () => {
    const b3 = referenceCases.find(
      ({ system: { name }, answer }) => name === "B3" && answer === "uncovered",
    )!;
    const answer = decide(b3.system, b3.target);
    if (answer.kind !== "uncovered") throw new Error("it is not covered");
    expect(isInvariant(b3.system, answer.invariant, [b3.target])).toBe(true);
    expect(isInvariant(b3.system, answer.invariant, [[0, 0, 0]])).toBe(false);
    for (const index of answer.invariant.keys())
      expect(isInvariant(b3.system, answer.invariant.toSpliced(index, 1), [b3.target])).toBe(false);
  });
});

describe("what is easily done wrong", () => {
  test("axioms are not cut: 5 is there at i = 0, though 5 > 0", () => {
    expect(decide(system("a", [[5]], [[-5]]), [5], asPublished)).toMatchObject({ kind: "covered", i: 0 });
  });

  test("axioms are not widened: 5 is no more than 5 at i = 0", () => {
    expect(decide(system("w", [[5]], [[-5]]), [6], asPublished)).toMatchObject({ kind: "uncovered", i: 0 });
  });

  test("arbitrarily many pay for everything from above, and stay arbitrarily many", () => {
    // Two are arbitrarily many at i = 1: five can be taken, again and again.
    const pool = system(
      "p",
      [[1, 0]],
      [
        [1, 0],
        [-5, 1],
      ],
    );
    const above = runAtOnce(closure(pool, { i: 1, mode: "over", targets: [] }, new Work()));
    expect(above.derived.members.map((member) => [...above.derived.at(member)])).toEqual([[OMEGA, OMEGA]]);
    expect(decide(pool, [7, 3]).kind).toBe("covered");
  });

  test("i grows only after both have failed: a target covered above is searched for below at the same i", () => {
    // Above, at i = 1, two count as arbitrarily many and pay for three; below, three are there at i = 3 first.
    const three = system(
      "t",
      [[0, 0]],
      [
        [1, 0],
        [-3, 1],
      ],
    );
    expect(decide(three, [0, 1], asPublished)).toMatchObject({ kind: "covered", i: 3 });
    expect(decide(three, [0, 1], { ...asPublished, start: 3 })).toMatchObject({ kind: "covered", i: 3 });
  });

  test("a rule is applied to a vector and itself, and to two that are both new", () => {
    expect(decide(system("b", [[1]], [], [[0]]), [2]).kind).toBe("covered");
    const twoNew = system(
      "c",
      [[1, 0, 0]],
      [
        [-1, 1, 0],
        [-1, 0, 1],
      ],
      [[0, 0, 0]],
    );
    expect(decide(twoNew, [0, 1, 1]).kind).toBe("covered");
  });

  test("numbers cut from below decrease: 2 tokens cut to 1 pay only once", () => {
    const spend = system(
      "d",
      [[0, 0, 1]],
      [
        [1, 0, 0],
        [-2, 1, 0],
      ],
    );
    const below = runAtOnce(
      closure(spend, { i: 1, mode: "under", targets: [Int32Array.of(0, 1, 0)] }, new Work()),
    );
    expect(below.covering).toBeUndefined();
  });

  test("witnesses may use vectors that larger ones have replaced", () => {
    // (1, 0) is replaced by (1, 1), and still the first step of the derivation.
    const answer = decide(
      system(
        "e",
        [[1, 0]],
        [
          [0, 1],
          [-1, 3],
        ],
      ),
      [0, 4],
    );
    if (answer.kind !== "covered") throw new Error("it is covered");
    expect(answer.derivation.steps[0]!.vector).toEqual([1, 0]);
  });

  test("numbers that no word can hold end the search, and are not made smaller", () => {
    expect(() =>
      decide(system("f", [[2_000_000_000]], [], [[0]]), [2_147_483_640], { start: 2_147_483_640 }),
    ).toThrow(/more than 2147483646 tokens/);
  });
});

describe("recursively parallel programs", () => {
  const answer = (text: string): BvasAnswer => {
    const { bvas, diagnostics } = loadRpp("p.rpp", text);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    return runAtOnce(branchingEec(bvas!, bvas!.properties[0]!.targets, new Work(), asPublished));
  };

  test("the web server: no error at i = 0; with its mistake, an error at i = 1", () => {
    expect(answer(webServer(false))).toMatchObject({ kind: "uncovered", i: 0 });
    const buggy = answer(webServer(true));
    expect(buggy).toMatchObject({ kind: "covered", i: 1 });
    if (buggy.kind !== "covered") throw new Error("it is covered");
    const rules = buggy.derivation.steps.map(({ rule }) => rule.name);
    expect(rules).toContain("handler gets hit from cache");
    expect(rules).toContain("handler gets row from db");
  });

  test("the web server has the published size, but for tasks that fail because of their own kind", () => {
    const { bvas } = loadRpp("web.rpp", webServer(false));
    const { places, axioms, unary, binary } = bvas!;
    expect([places.length, axioms.length, unary.length, binary.length]).toEqual([38 - 3, 4, 53 - 12, 19 - 3]);
  });

  test("a step from a location to itself keeps its guard", () => {
    // Only m posts w, and m never returns: nothing comes to main. Without the guard any task could post.
    const program =
      "task w { return ok; } task m { loop { post w in R; } } task main { post m in T; ewait R { on *: error } } main main;";
    expect(answer(program).kind).toBe("uncovered");
    const naive = loadRpp("p.rpp", program).bvas!;
    const between = naive.places.findIndex((name) => name.startsWith("m after"));
    const unguarded = naive.unary.map((rule) => ({
      ...rule,
      vector: rule.vector.map((value, k) => (k === between || naive.places[k] === "m at 0" ? 0 : value)),
    }));
    const { targets } = naive.properties[0]!;
    expect(runAtOnce(branchingEec({ ...naive, unary: unguarded }, targets, new Work())).kind).toBe("covered");
  });

  test("a pending task is given up before the join: what the child has posted cannot pay for it", () => {
    const program = "task p { post p in S; return ok; } task m { ewait S { on *: error } } main m;";
    expect(answer(program)).toMatchObject({ kind: "uncovered", i: 0 });
    const bvas = loadRpp("p.rpp", program).bvas!;
    const at = (name: string): number => bvas.places.indexOf(name);
    const vector = Array<number>(bvas.places.length).fill(0);
    vector[at("m at 0")] = -1;
    vector[at("pending p in S")] = -1;
    vector[at("p has returned ok")] = -1;
    vector[at("m has failed")] = 1;
    const naive = { ...bvas, binary: [...bvas.binary, { ...bvas.binary[0]!, vector }] };
    const { targets } = bvas.properties[0]!;
    expect(runAtOnce(branchingEec(naive, targets, new Work(), asPublished))).toMatchObject({
      kind: "covered",
      i: 1,
    });
  });

  test("a task whose own kind is posted does not join with what has nothing to do with it", () => {
    const program =
      "task p { post p in S; post p in S; return ok; } task m { ewait S { on *: error } } main m;";
    expect(answer(program)).toMatchObject({ kind: "uncovered", i: 0 });
  });

  test("a loop in one branch of a choice does not lead into the other branch", () => {
    const program = (after: string): string =>
      `task a { return x; } task main { choose { [] loop { post a in R; } [] ewait R { on *: ${after} } } } main main;`;
    expect(answer(program("error")).kind).toBe("uncovered");
  });

  test("what a finished child has not awaited is handed to its parent", () => {
    const program =
      "task a { return x; } task b { post a in R; return y; } task main { post b in T; ewait T { on *: ewait R { on x: error } } } main main;";
    expect(answer(program).kind).toBe("covered");
  });
});

function attempt(bvas: Bvas, target: readonly number[]): BvasAnswer | undefined {
  try {
    return runAtOnce(branchingEec(bvas, [target], new Work({ maxStates: 3000 })));
  } catch (error) {
    if (error instanceof Spent) return undefined;
    throw error;
  }
}
