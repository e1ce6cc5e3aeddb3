/** Forged proofs by assumptions: each is rejected, for its own reason. */
import { describe, expect, test } from "vitest";
import { checkAssumptionProof } from "../../../src/engines/certificates/index.js";
import type { Assumption, AssumptionProof, LtsNetwork, Premise } from "../../../src/model/index.js";
import { LtsBuilder } from "../../../src/model/index.js";
import { Random } from "../../../src/session/index.js";
import { proveByAssumptions } from "../../../src/session/lts/learning.js";
import { watching } from "../../../src/transforms/lts/determinise.js";
import { INPUT, ORDER, OUTPUT, component } from "./systems.js";

const span = { file: "", start: 0, end: 0 };

/** Input, Output and Order, synchronised on shared labels. */
function network(output = OUTPUT): LtsNetwork {
  const { lts, violated } = watching(ORDER.lts, ORDER.alphabet);
  const members = [INPUT, output];
  const labels = ["input", "send", "ack", "output"];
  return {
    name: "system",
    span,
    parts: [
      ...members.map(({ name, lts: own }) => ({ name, lts: own })),
      { name: "Order", lts, watches: { state: violated, property: "Order", span } },
    ],
    vectors: labels.map((label) => ({
      label,
      labels: [
        ...members.map(({ alphabet }) => (alphabet.has(label) ? label : undefined)),
        ORDER.alphabet.has(label) ? label : undefined,
      ],
    })),
  };
}

const A1: Assumption = {
  name: "A1",
  of: "Input",
  alphabet: ["send", "ack", "output"],
  states: 2,
  edges: [
    [0, 0, 1],
    [0, 1, 0],
    [1, 0, 0],
    [1, 2, 0],
  ],
};
const first: Premise = { assumes: ["A1"], excludes: [], parts: ["Input"], guarantees: null };
const second: Premise = { assumes: [], excludes: [], parts: ["Output"], guarantees: "A1" };
const PROOF: AssumptionProof = {
  kind: "assumptions",
  property: "Order",
  rule: "asym",
  assumptions: [A1],
  premises: [first, second],
};

const judge = (change: Partial<AssumptionProof>, of = network()) =>
  checkAssumptionProof(of, 2, { ...PROOF, ...change });
const why = (change: Partial<AssumptionProof>, of = network()): string => {
  const judged = judge(change, of);
  return judged.kind === "rejected" ? judged.why : "accepted";
};

test("the proof itself is accepted", () =>
  expect(judge({})).toMatchObject({ kind: "accepted", premises: 2 }));

describe("rejected", () => {
  test("premises that do not imply the property", () => {
    expect(why({ premises: [first] })).toBe("the premises do not imply the property");
    expect(why({ premises: [second] })).toBe("the premises do not imply the property");
    expect(why({ premises: [] })).toBe("the premises do not imply the property");
    const circular: Premise = { assumes: ["A1"], excludes: [], parts: ["Output"], guarantees: "A1" };
    expect(why({ premises: [first, circular] })).toBe("the premises do not imply the property");
    const excluded: Premise = { assumes: [], excludes: ["A1"], parts: ["Output"], guarantees: null };
    expect(why({ premises: [excluded] })).toBe("the premises do not imply the property");
  });

  test("a premise that some run refutes", () => {
    const weak = {
      ...A1,
      states: 1,
      edges: [
        [0, 0, 0],
        [0, 1, 0],
        [0, 2, 0],
      ] as const,
    };
    expect(why({ assumptions: [weak] })).toContain("⟨A1⟩ Input ⟨Order⟩: some run refutes it");
    const strong = { ...A1, states: 1, edges: [[0, 1, 0]] as const };
    expect(why({ assumptions: [strong] })).toContain("⟨true⟩ Output ⟨A1⟩: some run refutes it");
    const empty = { ...A1, states: 0, edges: [] };
    expect(why({ assumptions: [empty] })).toContain("⟨true⟩ Output ⟨A1⟩: some run refutes it");
    expect(why({}, network(component("Output", ["0 send 1", "1 output 2", "2 ack 0", "1 ack 0"])))).toContain(
      "⟨true⟩ Output ⟨A1⟩",
    );
  });

  test("an assumption that is not deterministic", () => {
    // The second edge would let an automaton that chooses well accept everything.
    expect(why({ assumptions: [{ ...A1, edges: [...A1.edges, [1, 2, 1]] }] })).toContain("not deterministic");
  });

  test("names and numbers that do not exist", () => {
    expect(why({ assumptions: [A1, A1] })).toContain("two assumptions");
    expect(why({ assumptions: [{ ...A1, alphabet: ["send", "ack", "print"] }] })).toContain(
      "no step 'print'",
    );
    expect(why({ assumptions: [{ ...A1, alphabet: ["send", "ack", "ack"] }] })).toContain("letter twice");
    expect(why({ assumptions: [{ ...A1, edges: [[0, 0, 7]] }] })).toContain("nowhere");
    expect(why({ premises: [{ ...first, assumes: ["A9"] }, second] })).toContain("no assumption 'A9'");
    expect(why({ premises: [{ ...first, parts: ["Input", "Input"] }, second] })).toContain("part twice");
    expect(why({ premises: [first, { ...second, parts: ["Nobody"] }] })).toContain("no part 'Nobody'");
  });

  test("a part that watches is no component", () => {
    // Order itself never violates Order, if it could block.
    const watched: Premise = { assumes: [], excludes: [], parts: ["Order"], guarantees: null };
    expect(why({ premises: [watched] })).toContain("no part 'Order'");
  });
});

test("the error state of a part", () => {
  const builder = new LtsBuilder();
  builder.add(0, builder.labels.of("a"), 1);
  builder.add(1, builder.labels.of("ERROR"), 1);
  const failing: LtsNetwork = {
    name: "n",
    span,
    parts: [{ name: "p", lts: builder.finish(2, [0], 1) }],
    vectors: [{ label: "a", labels: ["a"] }],
  };
  const proof: AssumptionProof = {
    ...PROOF,
    assumptions: [],
    premises: [{ assumes: [], excludes: [], parts: ["p"], guarantees: null }],
  };
  expect(checkAssumptionProof(failing, undefined, proof)).toMatchObject({ kind: "rejected" });
});

test("random changes of an assumption are rejected, unless both premises still hold", async () => {
  const proved = await proveByAssumptions([INPUT, OUTPUT], ORDER, "asym");
  expect(proved.assumptions).toHaveLength(1);
  const random = new Random(5);
  const counts = { accepted: 0, rejected: 0 };
  for (let i = 0; i < 300; i++) {
    const edges = A1.edges.flatMap((edge): Assumption["edges"][number][] => {
      const choice = random.below(6);
      if (choice === 0) return [];
      return [choice === 1 ? [edge[0], edge[1], random.below(2)] : edge];
    });
    const judged = judge({ assumptions: [{ ...A1, edges }] });
    counts[judged.kind]++;
    // After `send`, Input violates the order if `ack` comes before `output`.
    const allows = (word: readonly number[]): boolean => {
      let state: number | undefined = 0;
      for (const letter of word)
        state = edges.find(([from, own]) => from === state && own === letter)?.[2] ?? undefined;
      return state !== undefined;
    };
    if (judged.kind === "accepted") {
      expect(allows([0, 1])).toBe(false);
      expect(allows([0, 2, 1, 0, 2, 1, 0])).toBe(true);
    }
  }
  expect(counts.accepted).toBeGreaterThan(10);
  expect(counts.rejected).toBeGreaterThan(100);
});
