import type { Automaton, TemporalProperty } from "../../model/index.js";
import { AutomatonTooLarge } from "./symbolic.js";
import { translate } from "./translate.js";

/** The automaton of the executions that violate the property; undefined if it is too large. */
export function soughtBy({ requirement, propositions }: TemporalProperty): Automaton | undefined {
  if (requirement.kind === "avoids") return requirement.claim.automaton;
  try {
    const names = propositions.map((p) => p.name);
    return translate({ kind: "not", operand: requirement.formula }, names);
  } catch (error) {
    if (error instanceof AutomatonTooLarge) return undefined;
    throw error;
  }
}
