import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { Formulas, TRUE, FALSE, type Lit } from "../../../src/engines/parametric/formulas.js";
import { History, type Fixpoint } from "../../../src/engines/parametric/history.js";
import { Questions } from "../../../src/engines/parametric/questions.js";
import type { SymbolicState } from "../../../src/engines/parametric/symbolic.js";
import { describeWithPeers } from "../../peers.js";
import { Cdcl } from "../../../src/solvers/index.js";
import { compareWithDepqbf, randomPair, valuations, type Pair } from "../boolean-depqbf.js";

const FIXPOINTS: readonly { readonly fixpoint: Fixpoint; readonly splits: boolean }[] = [
  { fixpoint: "qbf", splits: true },
  { fixpoint: "qbf", splits: false },
  { fixpoint: "bdd", splits: true },
  { fixpoint: "sat-enum", splits: true },
];

/** Undefined: the new state is empty. */
function covered(
  { formulas, fresh, known, compared }: Pair,
  how: (typeof FIXPOINTS)[number],
): boolean | undefined {
  const questions = new Questions(formulas, () => new Cdcl());
  if (!questions.isPossible(fresh.guards)) return undefined;
  const history = new History(formulas, questions, () => compared, how);
  if (questions.isPossible(known.guards)) history.insert(known, 0);
  return history.covered(fresh) !== undefined;
}

const byHand = (build: (formulas: Formulas, a: Lit, b: Lit) => [SymbolicState, SymbolicState]): Pair => {
  const formulas = new Formulas();
  const inputs = [formulas.input(), formulas.input()];
  const [fresh, known] = build(formulas, inputs[0]!, inputs[1]!);
  return { formulas, inputs, fresh, known, compared: fresh.values.map((_, variable) => variable) };
};
const state = (values: readonly Lit[], guards: readonly Lit[] = []): SymbolicState => ({
  at: [0],
  values,
  guards,
});

/** The "optimised" formula as printed: for all x there are choices of both, x is the new value, and the guard implies a fit. */
function printedFormula({ formulas, inputs, fresh, known, compared }: Pair): boolean {
  const choices = Array.from(
    { length: 2 ** inputs.length },
    (_, chosen) => (input: number) => ((chosen >> inputs.indexOf(2 * input)) & 1) === 1,
  );
  const valueOf = ({ values }: SymbolicState, isTrue: (input: number) => boolean): string =>
    formulas
      .evaluate(
        compared.map((variable) => values[variable]!),
        isTrue,
      )
      .map(Number)
      .join("");
  const isGuarded = ({ guards }: SymbolicState, isTrue: (input: number) => boolean): boolean =>
    formulas.evaluate(guards, isTrue).every(Boolean);
  const all = Array.from({ length: 2 ** compared.length }, (_, bits) =>
    compared.map((_variable, index) => (bits >> index) & 1).join(""),
  );
  return all.every((x) =>
    choices.some((own) =>
      choices.some(
        (other) =>
          valueOf(fresh, own) === x &&
          (!isGuarded(fresh, own) ||
            (isGuarded(known, other) && valueOf(fresh, own) === valueOf(known, other))),
      ),
    ),
  );
}

describe.each(FIXPOINTS)("by $fixpoint, in groups: $splits", (how) => {
  test("a state covers itself", () => {
    const pair = byHand(() => [state([TRUE]), state([TRUE])]);
    expect(covered(pair, how)).toBe(true);
    expect(printedFormula(pair)).toBe(false); // the printed formula is not complete
  });

  test("{0, 1} is not covered by {0}", () => {
    const pair = byHand((_, a, b) => [state([a], [b]), state([FALSE])]);
    expect(covered(pair, how)).toBe(false);
    expect(printedFormula(pair)).toBe(true); // the printed formula would drop reachable states
  });

  test("a correlated set does not cover the product of its parts", () => {
    expect(
      covered(
        byHand((_, a, b) => [state([a, b]), state([a, a])]),
        how,
      ),
    ).toBe(false);
    expect(
      covered(
        byHand((_, a, b) => [state([a, a]), state([a, b])]),
        how,
      ),
    ).toBe(true);
  });

  test("a guard links the choices that it mentions", () => {
    const [yes, no] = [
      byHand((formulas, a, b) => [state([a, b]), state([a, b], [formulas.or(a, b)])]),
      byHand((formulas, a, b) => [state([a, b], [formulas.or(a, b)]), state([a, b])]),
    ];
    expect(covered(yes, how)).toBe(false);
    expect(covered(no, how)).toBe(true);
  });

  test("choices of the two states are different even if they are the same nodes", () => {
    expect(
      covered(
        byHand((_, a) => [state([a]), state([a ^ 1])]),
        how,
      ),
    ).toBe(true);
    expect(
      covered(
        byHand((_, a, b) => [state([a], [b]), state([a], [b ^ 1])]),
        how,
      ),
    ).toBe(true);
  });

  test("random pairs as brute force has them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), (seed) => {
        const pair = randomPair(seed);
        const [fresh, known] = [valuations(pair, pair.fresh), valuations(pair, pair.known)];
        const expected = fresh.size === 0 ? undefined : [...fresh].every((each) => known.has(each));
        expect(covered(pair, how)).toBe(expected);
      }),
      { numRuns: 1500 },
    );
  });
});

describeWithPeers("questions of coverage", ["depqbf"], () => {
  test("depqbf answers as we do", () => {
    expect(compareWithDepqbf(1, 60)).toEqual([]);
  });
});

test("the solver agrees with brute force on random clauses, also one question after the other", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.integer({ min: 0, max: 11 }), { minLength: 1, maxLength: 3 }), { maxLength: 30 }),
      fc.array(fc.array(fc.integer({ min: 0, max: 11 }), { maxLength: 2 }), { minLength: 1, maxLength: 4 }),
      (clauses, questions) => {
        const sat = new Cdcl();
        for (let variable = 0; variable < 6; variable++) sat.newVariable();
        for (const clause of clauses) sat.addClause(clause);
        const holds = (literals: readonly number[], bits: number): boolean =>
          literals.some((literal) => ((bits >> (literal >> 1)) & 1) !== (literal & 1));
        for (const assumptions of questions) {
          const fits = (bits: number): boolean =>
            clauses.every((clause) => holds(clause, bits)) &&
            assumptions.every((each) => holds([each], bits));
          const expected = Array.from({ length: 64 }, (_, bits) => bits).some(fits);
          expect(sat.solve(assumptions)).toBe(expected);
          if (!expected) continue;
          const bits = [0, 1, 2, 3, 4, 5].reduce(
            (so, variable) => so | ((sat.value(variable) ? 1 : 0) << variable),
            0,
          );
          expect(fits(bits)).toBe(true);
        }
      },
    ),
    { numRuns: 2000 },
  );
});
