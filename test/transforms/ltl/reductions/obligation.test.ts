/** With the automaton of the negation: states are merged, and the smallest deterministic automaton is found. */
import { expect, test } from "vitest";
import type { Formula } from "../../../../src/model/index.js";
import { format } from "../../../../src/transforms/ltl/formulas/format.js";
import { mergeByLanguage } from "../../../../src/transforms/ltl/reductions/merge.js";
import { smallestWeakDeterministic } from "../../../../src/transforms/ltl/reductions/obligation.js";
import { names, proposition } from "../obvious.js";
import { sidesOf, testWithNegation } from "./kept.js";

testWithNegation("states are merged", mergeByLanguage, [558, 713], false);

testWithNegation(
  "the smallest deterministic automaton is found",
  (automaton, complement) => smallestWeakDeterministic(automaton, complement, 100),
  [485, 566],
  true,
);

test("where infinitely many letters count, none is deterministic and weak", () => {
  const always = (operand: Formula): Formula => ({ kind: "always", operand });
  const eventually = (operand: Formula): Formula => ({ kind: "eventually", operand });
  const literals = [0, 1].flatMap((index): Formula[] => [
    proposition(index),
    { kind: "not", operand: proposition(index) },
  ]);
  for (const literal of literals)
    for (const formula of [always(eventually(literal)), eventually(always(literal))])
      expect(smallestWeakDeterministic(...sidesOf(formula), 100), format(formula, names)).toBeUndefined();
});
