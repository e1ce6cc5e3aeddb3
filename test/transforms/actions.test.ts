/** Formulas over actions: the parser, and the gate against the truth of random formulas in related states. */
import { describe, expect, test } from "vitest";
import { StateFormulas, basicEquivalences } from "../../src/engines/lts/index.js";
import type { ActionSet, StateFormula } from "../../src/model/index.js";
import { Random } from "../../src/session/index.js";
import { parseStateFormula, whyNotKept } from "../../src/transforms/actions/index.js";
import { partition } from "../engines/lts/partition.js";
import { randomLts } from "../engines/lts/random-lts.js";

const sets: readonly ActionSet[] = [
  { kind: "any" },
  { kind: "any" },
  { kind: "tau" },
  { kind: "label", label: "a" },
  { kind: "label", label: "b" },
  { kind: "not", of: { kind: "label", label: "a" } },
  { kind: "or", left: { kind: "tau" }, right: { kind: "label", label: "b" } },
];

/** Closed, apart from the variables in scope. */
function randomFormula(random: Random, depth: number, variables: readonly string[] = []): StateFormula {
  const inner = (): StateFormula => randomFormula(random, depth - 1, variables);
  const by = sets[random.below(sets.length)];
  const leaves: StateFormula[] = [
    { kind: "true" },
    { kind: "deadlock" },
    ...variables.map((name): StateFormula => ({ kind: "variable", name })),
  ];
  if (depth === 0) return leaves[random.below(leaves.length)];
  switch (random.below(11)) {
    case 0:
      return leaves[random.below(leaves.length)];
    case 1:
    case 2:
      return { kind: "not", of: randomFormula(random, depth - 1) };
    case 3:
      return { kind: "and", left: inner(), right: inner() };
    case 4:
      return { kind: "or", left: inner(), right: inner() };
    case 5:
      return { kind: "diamond", by, of: inner() };
    case 6:
      return { kind: "box", by, of: inner() };
    case 7:
      return {
        kind: "exists-until",
        during: random.below(2) === 0 ? { kind: "true" } : inner(),
        by,
        then: inner(),
      };
    case 8:
      return { kind: "all-until", during: { kind: "true" }, by, then: inner() };
    case 9:
      return { kind: "exists-always", by, of: inner() };
    default:
      return { kind: "least", name: "X", of: randomFormula(random, depth - 1, ["X"]) };
  }
}

test("a relation that the gate lets pass never changes the truth of a formula", () => {
  const random = new Random(24);
  const passed: Record<string, number> = {};
  for (let i = 0; i < 60_000; i++) {
    const states = 1 + random.below(5);
    const lts = randomLts(random, { states, labels: 2, transitions: random.below(2 * states + 3) });
    const formula = randomFormula(random, 4);
    for (const relation of basicEquivalences) {
      if (whyNotKept({ kind: "states", formula }, relation) !== undefined) continue;
      const { blocks, quotient } = partition(lts, relation);
      const [full, smaller] = [lts, quotient].map((each) => new StateFormulas(each).holds(formula));
      passed[relation] = (passed[relation] ?? 0) + (formula.kind === "true" ? 0 : 1);
      for (let s = 0; s < lts.states; s++)
        if (full[s] !== smaller[blocks[s]])
          throw new Error(`${relation}: ${JSON.stringify(formula)} in ${s} of ${JSON.stringify(lts)}`);
    }
  }
  for (const relation of basicEquivalences) expect(passed[relation]).toBeGreaterThan(1_500);
}, 120_000);

test.each([
  ["deadlock", "weak", /deadlock/],
  ["deadlock", "branching", /endless internal work/],
  ["deadlock", "trace", /not used/],
] as const)("the gate says why %s is not kept by %s", (kind, relation, why) => {
  expect(whyNotKept({ kind }, relation)).toMatch(why);
});

test("the error state and a deadlock are kept by the relations that keep them", () => {
  const error = { kind: "error", watcher: undefined } as const;
  for (const relation of basicEquivalences) expect(whyNotKept(error, relation)).toBeUndefined();
  expect(whyNotKept({ kind: "deadlock" }, "divergence-branching")).toBeUndefined();
});

describe("parser", () => {
  const names = { labels: ["a", "b", "p.1.up", "z!b"] };
  const codeOf = (text: string): string | undefined => {
    const parsed = parseStateFormula(text, "--formula", names);
    return "diagnostics" in parsed ? parsed.diagnostics[0].code : undefined;
  };

  test.each([
    "true",
    "AG [a] false",
    '<any* . "z!b"> true',
    "AG (<a> true -> AF{!b} deadlock)",
    "E[ !deadlock {a | tau} U <p.1.up> true ]",
    "A[true U deadlock]",
    "mu X. <a> X | deadlock",
    "nu X. [any] X & !deadlock",
    "<(a . b)* | /p.*/+> true",
  ])("reads %s", (text) => expect(codeOf(text)).toBeUndefined());

  test.each([
    ["AG [c] false", "formula/unknown-action"],
    ["AG [/x.*/] false", "formula/unknown-action"],
    ["a", "formula/variable"],
    ["AG [a false", "formula/syntax"],
    ["EF{a . b} true", "formula/syntax"],
    ["mu X. !X", "formula/negated"],
    ["nu X. mu Y. <a> Y | <b> X", "formula/alternation"],
    ["nu X. EF (<a> X)", "formula/alternation"],
    ["", "formula/syntax"],
    ["§", "formula/syntax"],
    ["(".repeat(500), "formula/syntax"],
  ])("refuses %s: %s", (text, code) => expect(codeOf(text)).toBe(code));

  test("mutated formulas give diagnostics only", () => {
    const random = new Random(5);
    const alphabet = ' ()[]<>{}!&|.*+"/aXEFAGU-mu nu true';
    for (let i = 0; i < 20_000; i++) {
      const text = Array.from(
        { length: random.below(20) },
        () => alphabet[random.below(alphabet.length)],
      ).join("");
      parseStateFormula(text, "--formula", names);
    }
  });
});
