/**
 * The invariant of a closed exploration, as SMT-LIB text over the names of the variables.
 *
 * It contains the closed abstract states, and of all others the expanded states alone: these lead to expanded states or into the
 * closed part.
 */
import { isAtom, type Part, type Term } from "../../model/terms.js";
import type { Abstraction } from "./abstraction.js";
import type { Closed } from "./checks.js";
import { regionOf, type Explored } from "./explore.js";

/** Undefined: too large. */
export function invariantOf(
  abstraction: Abstraction,
  explored: Explored,
  closed: Closed,
): string | undefined {
  const { logic } = abstraction;
  const { terms } = logic;
  const parts: Term[] = [];
  for (const key of closed.states) {
    const state = explored.abstract.get(key);
    if (!state) continue;
    const { values, constraints } = abstraction.concretisation(state);
    parts.push(terms.and([...pinned(abstraction, values), ...constraints]));
  }
  for (const node of explored.expanded) {
    if (closed.states.has(node.key)) continue;
    const region = regionOf(abstraction, node);
    if (!region) return undefined;
    parts.push(region);
  }
  return textOf(terms.or(parts));
}

const pinned = ({ logic }: Abstraction, values: readonly Term[]): Term[] =>
  values.flatMap((value, index) => {
    const variable = logic.variables[index];
    return variable && value.kind === "constant" ? [logic.terms.equal(variable, value)] : [];
  });

/** Conditions over integers alone. */
function textOf(term: Term): string {
  if (term.kind === "constant") return term.value === 1n ? "true" : "false";
  if (term.kind === "not") return `(not ${textOf(term.of)})`;
  if (term.kind === "and" || term.kind === "or") return `(${term.kind} ${term.all.map(textOf).join(" ")})`;
  if (!isAtom(term)) throw new Error(`an invariant has no ${term.kind}`);
  if (term.kind === "divides") return `(= (mod ${sumText(term.parts, term.bound)} ${term.divisor}) 0)`;
  return `(${term.kind === "equal" ? "=" : "<="} ${sumText(term.parts, 0n)} ${numberText(term.bound)})`;
}

function sumText(parts: readonly Part[], constant: bigint): string {
  const texts = parts.map(({ coefficient, of }) => {
    if (of.kind !== "variable") throw new Error("an invariant is over variables");
    return `(* ${numberText(coefficient)} |${of.name}|)`;
  });
  return `(+ ${texts.join(" ")} ${numberText(constant)})`;
}

const numberText = (value: bigint): string => (value < 0n ? `(- ${-value})` : `${value}`);
