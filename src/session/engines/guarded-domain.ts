/** Domains of the engines for guarded commands. */
import type { GuardedProgram } from "../../model/guarded.js";

/** The reason why the baseline refuses a program; undefined: it accepts. */
export function whyNotConcrete({ variables, transitions }: GuardedProgram): string | undefined {
  const open = variables.find(({ initial }) => initial === undefined);
  if (open) return `it needs one initial state, and \`${open.name}\` has no initial value`;
  const taking = transitions.find(({ assignments }) => assignments.some(({ value }) => value === "nondet"));
  return taking && "it takes no inputs, and a transition assigns `nondet`";
}
