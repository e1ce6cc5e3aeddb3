/** Rewriting and implications of formulas: all small formulas against their meaning on all short words. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Formula } from "../../../../src/model/index.js";
import { format } from "../../../../src/transforms/ltl/formulas/format.js";
import { Implications } from "../../../../src/transforms/ltl/formulas/implications.js";
import { hasNext, negate, normalForm } from "../../../../src/transforms/ltl/formulas/normal-form.js";
import { rewrite } from "../../../../src/transforms/ltl/formulas/rewrite.js";
import { type Term, Terms, toFormula } from "../../../../src/transforms/ltl/formulas/terms.js";
import { anyFormula } from "../../../generators/ltl.js";
import { formulasBySize, proposition, Words } from "../obvious.js";

const names = ["a", "b", "c"];
const literals: Formula[] = [0, 1].flatMap((index) => [proposition(index), negate(proposition(index))]);
const constants: Formula[] = [{ kind: "true" }, { kind: "false" }];
const unary = ["next", "eventually", "always"] as const;
const binary = ["and", "or", "until", "release"] as const;
const words = new Words(2, 3);
const ofThree = new Words(3, 2);

const shown = (term: Term): string => format(toFormula(term), names);
const sizeOf = ({ children }: Term): number => children.reduce((sum, child) => sum + sizeOf(child), 1);

/** Checks one formula, and returns how large it was and is. */
function rewritten(formula: Formula, terms: Terms, meaning: Words): readonly [number, number] {
  const term = terms.from(formula);
  const simpler = rewrite(term, terms);
  const difference = meaning.difference(meaning.ofTerm(term), meaning.ofTerm(simpler));
  if (difference !== undefined) expect.fail(`${shown(term)} is not ${shown(simpler)} on ${difference}`);
  return [sizeOf(term), sizeOf(simpler)];
}

const sum = (sizes: readonly (readonly [number, number])[]): number[] =>
  sizes.reduce<number[]>(([a, b], [c, d]) => [a! + c, b! + d], [0, 0]);

test("rewriting keeps the meaning of all small formulas, and makes them smaller", () => {
  const terms = new Terms();
  const formulas = formulasBySize(4, [...literals, ...constants], unary, binary).flat();
  expect(sum(formulas.map((formula) => rewritten(formula, terms, words)))).toEqual([5724, 3608]);
});

const pairs = (
  kinds: readonly (typeof binary)[number][],
  left: readonly Formula[],
  right: readonly Formula[],
): Formula[] =>
  kinds.flatMap((kind) => left.flatMap((f) => right.map((g): Formula => ({ kind, left: f, right: g }))));
const [a, , b] = literals as [Formula, Formula, Formula];
/** Formulas of the rules' shapes: purely eventual, purely universal, both, or neither. */
const shapes: Formula[] = formulasBySize(3, literals.slice(0, 3), unary, []).flat();
const simple: Formula[] = [
  ...literals.slice(0, 3),
  { kind: "and", left: a, right: b },
  { kind: "or", left: a, right: b },
  ...unary.map((kind): Formula => ({ kind, operand: a })),
];
const always: Formula[] = [a, ...simple.slice(3, 5), { kind: "eventually", operand: b } as const].map(
  (operand): Formula => ({ kind: "always", operand }),
);

test("rewriting keeps the meaning of one operator before two", () => {
  const terms = new Terms();
  const nested = pairs(["and", "or"], simple, shapes);
  const formulas = nested.flatMap((operand) => unary.map((kind): Formula => ({ kind, operand })));
  expect(sum(formulas.map((formula) => rewritten(formula, terms, words)))).toEqual([11814, 9762]);
});

test("rewriting keeps the meaning of until and release", () => {
  const terms = new Terms();
  const right = [
    ...shapes,
    ...pairs(["and", "or"], simple, [...always, b, { kind: "eventually", operand: a }]),
    ...pairs(["until", "release"], simple.slice(0, 5), simple.slice(1, 4)),
  ];
  const formulas = pairs(["until", "release"], simple, right);
  expect(sum(formulas.map((formula) => rewritten(formula, terms, words)))).toEqual([19398, 13900]);
});

test("rewriting keeps the meaning of three members", () => {
  const terms = new Terms();
  const infinitely = (operand: Formula): Formula => ({
    kind: "always",
    operand: { kind: "eventually", operand },
  });
  const finally_ = (operand: Formula): Formula => ({
    kind: "eventually",
    operand: { kind: "always", operand },
  });
  const members = [
    b,
    ...[a, b].flatMap((operand) => [
      ...unary.map((kind): Formula => ({ kind, operand })),
      infinitely(operand),
      finally_(operand),
    ]),
  ];
  const formulas = (["and", "or"] as const).flatMap((kind) =>
    members.flatMap((f, i) =>
      members
        .slice(i + 1)
        .flatMap((g, j) =>
          members
            .slice(i + j + 2)
            .map((h): Formula => ({ kind, left: f, right: { kind, left: g, right: h } })),
        ),
    ),
  );
  expect(sum(formulas.map((formula) => rewritten(formula, terms, words)))).toEqual([2580, 2080]);
});

test("rewriting keeps one of two members that imply each other", () => {
  const terms = new Terms();
  const [both, either] = simple.slice(3, 5) as [Formula, Formula];
  const same = (inner: "and" | "or", kind: "release" | "until"): Formula[] =>
    [[a, b] as const, [b, a] as const].map(([f, g]): Formula => ({
      kind: inner,
      left: f,
      right: { kind, left: f, right: g },
    }));
  const [releases, untils] = [same("and", "release"), same("or", "until")];
  const formulas = [
    ...pairs(["or"], [both, ...releases], releases),
    ...pairs(["and"], [either, ...untils], untils),
  ];
  expect(sum(formulas.map((formula) => rewritten(formula, terms, words)))).toEqual([100, 52]);
});

test("rewriting keeps the meaning of random formulas", () => {
  const terms = new Terms();
  const formulas = fc.sample(anyFormula(4), { numRuns: 600, seed: 1 });
  expect(sum(formulas.map((formula) => rewritten(formula, terms, ofThree)))).toEqual([2720, 2061]);
});

test("an implication that is seen holds, and most that hold are seen", () => {
  const terms = new Terms();
  const implications = new Implications(terms);
  const formulas = formulasBySize(3, [...literals.slice(0, 3), ...constants], unary, binary).flat();
  const all = [...new Set(formulas.map((formula) => terms.from(formula)))];
  let seen = 0;
  let real = 0;
  for (const f of all)
    for (const g of all) {
      const [left, right] = [words.ofTerm(f), words.ofTerm(g)];
      const isTrue = left.every((value, word) => value <= right[word]!);
      if (isTrue) real++;
      if (!implications.holds(f, g)) continue;
      seen++;
      if (!isTrue) expect.fail(`${shown(f)} does not imply ${shown(g)}`);
    }
  expect([seen, real]).toEqual([3250, 6027]);
});

test("a negation is true where the formula is not", () => {
  const terms = new Terms();
  for (const formula of formulasBySize(3, [...literals, ...constants], unary, binary).flat()) {
    const term = terms.from(formula);
    const negated = words.ofTerm(new Implications(terms).negation(term));
    expect(words.ofTerm(term).every((value, word) => value !== negated[word])).toBe(true);
  }
});

const everyBinary = [...binary, "weak-until", "strong-release", "implies", "equivalent", "xor"] as const;

test("the normal form means the same, and has negations before propositions alone", () => {
  for (const formula of formulasBySize(
    4,
    [proposition(0), proposition(1), { kind: "true" }],
    ["not", ...unary],
    everyBinary,
  ).flat()) {
    const normal = normalForm(formula);
    const text = format(formula, names);
    expect(words.difference(words.ofFormula(formula), words.ofFormula(normal)), text).toBeUndefined();
    const term = new Terms().from(formula);
    expect(words.difference(words.ofFormula(formula), words.ofTerm(term)), text).toBeUndefined();
    expect(
      words.difference(words.ofFormula(formula), words.ofFormula(toFormula(term))),
      text,
    ).toBeUndefined();
    if (formula.kind !== "not") expect(negate(negate(formula))).toBe(formula);
    expect(hasNext(formula), text).toBe(/X/.test(text));
  }
});
