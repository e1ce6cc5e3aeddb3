/** From several conditions to one, against the short words that are accepted. */
import { expect, test } from "vitest";
import type { Automaton } from "../../../../src/model/index.js";
import { reduceStateBased, toBuchi } from "../../../../src/transforms/ltl/buchi.js";
import { degeneralise } from "../../../../src/transforms/ltl/degeneralise.js";
import { toStateBased } from "../../../../src/transforms/ltl/state-based.js";
import { expectSame, sizeOf } from "../obvious.js";
import { accepted, automata, reversed, type Sizes, testReductions } from "./kept.js";

testReductions(
  {
    "accepting states, simulated": [
      (automaton) =>
        reduceStateBased(toStateBased(automaton, { order: reversed(automaton), collect: "never" })),
      [715, 1382],
    ],
  },
  true,
);

const single: Readonly<Record<string, readonly [(automaton: Automaton) => Automaton, Sizes]>> = {
  degeneralised: [(automaton) => degeneralise(automaton), [742, 1658]],
  "degeneralised, lookahead": [
    (automaton) => degeneralise(automaton, { lookahead: true, order: reversed(automaton) }),
    [719, 1600],
  ],
  "one condition, edges": [(automaton) => toBuchi(automaton), [546, 1063]],
  "one condition, edges as they are": [(automaton) => toBuchi(automaton, { reduce: false }), [742, 1658]],
  "one condition, states": [(automaton) => toBuchi(automaton, { acceptance: "states" }), [677, 1343]],
  "one condition, states as they are": [
    (automaton) => toBuchi(automaton, { acceptance: "states", reduce: false, order: reversed(automaton) }),
    [933, 2160],
  ],
};

for (const [name, [make, sizes]] of Object.entries(single))
  test(name, () => {
    const made = automata.map((automaton, i) => {
      const result = make(automaton);
      expect(result.conditions).toBe(1);
      expectSame(result, accepted()[i]!, `automaton ${i}`);
      return result;
    });
    expect(sizeOf(made), name).toEqual(sizes);
  });
