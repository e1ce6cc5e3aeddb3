/** Describes violations of temporal properties. */
import type { TemporalProperty, Trace } from "../../model/index.js";
import { counted } from "../../report/index.js";

/** The reason shown with a trace that ends in a cycle. */
export function cycleReason(
  { kind, name, requirement }: TemporalProperty,
  { choices, loopStart }: Trace,
): string {
  const length = choices.length - loopStart!;
  const ending = length === 0 ? "an execution that ends" : `a cycle of ${counted(length, "step")}`;
  if (kind === "acceptance") return `acceptance cycle: ${ending} is at an accept label again and again`;
  if (kind === "progress") return `non-progress cycle: ${ending} passes no progress label`;
  return `${nameOf(kind, name)} is ${requirement.kind === "satisfies" ? "violated" : "matched"} by ${ending}`;
}

/** The reason shown with a finite trace: `state` is the state of the automaton at its end. */
export function finiteReason({ requirement, name, kind }: TemporalProperty, state: number): string {
  if (requirement.kind === "satisfies") return `${nameOf(kind, name)} is violated by every continuation`;
  const error = requirement.claim.errors.find((e) => e.state === state);
  return error?.message ?? `${nameOf(kind, name)} is matched by every continuation`;
}

const nameOf = (kind: TemporalProperty["kind"], name: string): string => {
  if (kind !== "never") return `the formula ${name}`;
  return name === "never" ? "the never claim" : `the never claim ${name}`;
};
