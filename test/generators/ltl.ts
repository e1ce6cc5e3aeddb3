/** Random formulas, words and automata for fast-check, shrinking to the smallest. */
import fc from "fast-check";
import type { Automaton, Formula } from "../../src/model/index.js";
import type { Lasso } from "../../src/transforms/ltl/index.js";

export const propositionNames = ["a", "b", "c"];

/** Every operator of `Formula`, over propositions `a`, `b` and `c`. */
export function anyFormula(depth = 3): fc.Arbitrary<Formula> {
  return fc.letrec<{ formula: Formula }>((tie) => ({
    formula: fc.oneof(
      { maxDepth: depth, depthIdentifier: "formula" },
      { weight: 4, arbitrary: fc.nat(2).map((index): Formula => ({ kind: "proposition", index })) },
      { weight: 1, arbitrary: fc.constantFrom("true", "false").map((kind): Formula => ({ kind })) },
      {
        weight: 4,
        arbitrary: fc
          .tuple(fc.constantFrom("not", "next", "eventually", "always"), tie("formula"))
          .map(([kind, operand]): Formula => ({ kind, operand })),
      },
      {
        weight: 5,
        arbitrary: fc
          .tuple(fc.constantFrom(...binaryKinds), tie("formula"), tie("formula"))
          .map(([kind, left, right]): Formula => ({ kind, left, right })),
      },
    ),
  })).formula;
}

const binaryKinds = [
  "and",
  "or",
  "until",
  "release",
  "weak-until",
  "strong-release",
  "implies",
  "equivalent",
  "xor",
] as const;

/** A word over the three propositions: a prefix and a cycle of at most `longest` letters each. */
export const anyLasso = (longest = 4): fc.Arbitrary<Lasso> =>
  fc.record({
    prefix: fc.array(fc.nat(7), { maxLength: longest }),
    cycle: fc.array(fc.nat(7), { minLength: 1, maxLength: longest }),
  });

/** Automata over the three propositions; some states may be unreachable. */
export const anyAutomaton = (mostStates = 5, mostConditions = 3): fc.Arbitrary<Automaton> =>
  fc.tuple(fc.integer({ min: 1, max: mostStates }), fc.nat(mostConditions)).chain(([count, conditions]) => {
    const cube = fc.tuple(fc.nat(7), fc.nat(7)).map(([care, bits]) => ({ care, value: bits & care }));
    const edge = fc.record({
      guard: fc.array(cube, { minLength: 1, maxLength: 2 }),
      marks: fc.nat(2 ** conditions - 1),
      to: fc.nat(count - 1),
    });
    return fc
      .array(fc.array(edge, { maxLength: 3 }), { minLength: count, maxLength: count })
      .map((states) => ({ propositions: propositionNames, conditions, initial: 0, states }));
  });
