/** Simulated states and edges are merged or removed, and the language stays. */
import { reduceStateBased } from "../../../../src/transforms/ltl/buchi.js";
import {
  backwards,
  forwards,
  reduceBySimulation,
} from "../../../../src/transforms/ltl/reductions/simulation.js";
import { trim } from "../../../../src/transforms/ltl/reductions/trim.js";
import { toStateBased } from "../../../../src/transforms/ltl/state-based.js";
import { reversed, testReductions } from "./kept.js";

testReductions({
  "forward simulation": [forwards, [538, 1040]],
  "backward simulation": [(automaton) => backwards(automaton, () => 0), [577, 1127]],
  "simulation and trimming": [(automaton) => reduceBySimulation(automaton, trim), [394, 684]],
});

testReductions(
  {
    "accepting states": [
      (automaton) =>
        reduceStateBased(toStateBased(automaton, { order: reversed(automaton), collect: "never" })),
      [715, 1382],
    ],
  },
  true,
);
