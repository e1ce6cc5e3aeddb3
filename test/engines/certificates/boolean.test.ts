/** Proofs about Boolean programs: accepted unchanged, rejected after a change. */
import { afterAll, describe, expect, test } from "vitest";
import { checkBooleanProof } from "../../../src/engines/certificates/index.js";
import { proofOf } from "../../../src/engines/parametric/index.js";
import type { BooleanProgram, BooleanProof } from "../../../src/model/index.js";
import { openCheckers } from "../../../src/solvers/index.js";
import { PLAIN, programIn, run } from "../boolean-agreement.js";

const checkers = openCheckers("auto");
afterAll(() => checkers.forEach((checker) => checker.close()));

function proved(text: string): { program: BooleanProgram; proof: BooleanProof } {
  const program = programIn(text);
  const { answer } = run(program, program.properties[0]!, { ...PLAIN, dropsDead: true, keepsProof: true });
  if (answer.kind !== "unreachable" || !answer.proof) throw new Error("there is no proof");
  return { program, proof: proofOf(program.properties[0]!.name, answer.proof) };
}
const judged = (program: BooleanProgram, proof: BooleanProof) =>
  checkBooleanProof(program, proof, checkers, 30_000);

const LOCK = `bool lock, x = 0, *;
thread A { bool l; while (*) { lock = 1 constrain(!lock); l = *; x = l; assert(x == l); lock = 0; } }
thread B { while (*) { lock = 1 constrain(!lock); x = *; lock = 0; } }`;

describe("the proof of a lock", () => {
  const { program, proof } = proved(LOCK);

  test("is accepted", () => {
    expect(judged(program, proof)).toMatchObject({ kind: "accepted", sets: proof.sets.length });
  });

  test("is rejected for the program without the lock", () => {
    const other = programIn(
      LOCK.replace("thread B { while (*) { lock = 1 constrain(!lock);", "thread B { while (*) { lock = 1;"),
    );
    expect(judged(other, proof).kind).toBe("rejected");
  });

  test("is rejected without any one of its covers", () => {
    proof.covers.forEach((_, gone) => {
      const covers = proof.covers.filter((__, index) => index !== gone);
      expect(judged(program, { ...proof, covers }).kind).toBe("rejected");
    });
  });

  test("is rejected if a step that is possible is called impossible", () => {
    for (const [index, cover] of proof.covers.entries()) {
      if (cover.to <= 0) continue;
      const covers = proof.covers.with(index, { ...cover, to: -1, instances: [] });
      expect(judged(program, { ...proof, covers }).kind).toBe("rejected");
    }
  });

  test("is rejected if a step leads to a set at other locations, or to no instance", () => {
    for (const [index, cover] of proof.covers.entries()) {
      if (cover.to < 0) continue;
      const elsewhere = proof.sets.findIndex(({ at }) => `${at}` !== `${proof.sets[cover.to]!.at}`);
      const wrong = [
        { ...cover, to: elsewhere },
        { ...cover, instances: [] },
      ];
      for (const each of wrong)
        expect(judged(program, { ...proof, covers: proof.covers.with(index, each) }).kind).toBe("rejected");
    }
  });

  test("is rejected for a property that is not there, and if it is damaged", () => {
    expect(judged(program, { ...proof, property: "other" }).kind).toBe("rejected");
    expect(
      judged(program, { ...proof, sets: proof.sets.map((set) => ({ ...set, guards: [1e6] })) }).kind,
    ).toBe("rejected");
    expect(judged(program, { ...proof, covers: [...proof.covers, proof.covers[0]!] }).kind).toBe("rejected");
  });

  test("needs a solver", () => {
    expect(checkBooleanProof(program, proof, [], 1000).kind).toBe("rejected");
  });
});

test("a set at a location of the property is rejected", () => {
  const { program, proof } = proved("thread T { bool a; assert(!a); }");
  const failed = program.properties[0]!.bad[0]![0]!.location;
  const sets = [...proof.sets, { at: [failed], values: [], guards: [] }];
  const covers = proof.covers.map((cover) =>
    cover.to < 0 ? { ...cover, to: sets.length - 1, instances: [[]] } : cover,
  );
  expect(judged(program, { ...proof, sets, covers }).kind).toBe("rejected");
});

test("the first set at a location of the property is rejected as well", () => {
  const { program, proof } = proved("thread T { bool a; assert(!a); }");
  const failed = program.properties[0]!.bad[0]![0]!.location;
  const forged = { ...proof, sets: [{ ...proof.sets[0]!, at: [failed] }, ...proof.sets.slice(1)] };
  expect(judged(program, forged)).toMatchObject({
    kind: "rejected",
    why: "set 0 is at a location of the property",
  });
});

test("a choice that is an input of its set is rejected: it would be correlated", () => {
  // With `a` and `b` the same input, the assertion could not fail.
  const program = programIn("thread T { bool a, b; a = *; b = *; assert(a == b); }");
  const forged: BooleanProof = {
    kind: "boolean",
    property: "assertions",
    inputs: 1,
    ands: [],
    sets: [
      { at: [0], values: [], guards: [] },
      { at: [1], values: [[0, 2]], guards: [] },
      {
        at: [2],
        values: [
          [0, 2],
          [1, 2],
        ],
        guards: [],
      },
      { at: [3], values: [], guards: [] },
    ],
    covers: [
      { from: -1, thread: -1, step: -1, choices: [], to: 0, instances: [[]] },
      { from: 0, thread: 0, step: 0, choices: [1], to: 1, instances: [[]] },
      { from: 1, thread: 0, step: 0, choices: [1], to: 2, instances: [[]] },
      { from: 2, thread: 0, step: 0, choices: [], to: 3, instances: [[]] },
      { from: 2, thread: 0, step: 1, choices: [], to: -1, instances: [] },
    ],
  };
  expect(judged(program, forged)).toMatchObject({ kind: "rejected", why: "a choice is an input of its set" });
  const twice = programIn("thread T { bool a, b; a, b = *, *; assert(a == b); }");
  const shared: BooleanProof = {
    ...forged,
    sets: [
      forged.sets[0]!,
      {
        at: [1],
        values: [
          [0, 2],
          [1, 2],
        ],
        guards: [],
      },
      { at: [2], values: [], guards: [] },
    ],
    covers: [
      forged.covers[0]!,
      { from: 0, thread: 0, step: 0, choices: [1, 1], to: 1, instances: [[]] },
      { from: 1, thread: 0, step: 0, choices: [], to: 2, instances: [[]] },
      { from: 1, thread: 0, step: 1, choices: [], to: -1, instances: [] },
    ],
  };
  expect(judged(twice, shared)).toMatchObject({ kind: "rejected", why: "two choices share an input" });
});

test("a variable that a set does not list has either value", () => {
  const program = programIn("thread T { bool a; skip; assert(!a); }");
  const forged: BooleanProof = {
    kind: "boolean",
    property: "assertions",
    inputs: 0,
    ands: [],
    sets: [
      { at: [0], values: [], guards: [] },
      { at: [1], values: [[0, 0]], guards: [] },
      { at: [2], values: [], guards: [] },
    ],
    covers: [
      { from: -1, thread: -1, step: -1, choices: [], to: 0, instances: [[]] },
      { from: 0, thread: 0, step: 0, choices: [], to: 1, instances: [[]] },
      { from: 1, thread: 0, step: 0, choices: [], to: 2, instances: [[]] },
      { from: 1, thread: 0, step: 1, choices: [], to: -1, instances: [] },
    ],
  };
  expect(judged(program, forged).kind).toBe("rejected");
});
