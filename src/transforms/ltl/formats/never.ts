/** Automata as Promela never claims, in the style of `spin -f`. */
import type { Automaton, AutomatonEdge } from "../../../model/index.js";
import { toBuchi } from "../buchi.js";
import { renderGuard } from "./guards.js";
import { nth } from "../../../model/known.js";

/**
 * The claim ends, or visits its `accept` states infinitely often, on the words that the automaton accepts. Propositions are
 * expressions of Promela. An automaton with marks on edges is converted first.
 */
export function renderNeverClaim(automaton: Automaton, comment = ""): string {
  const claim = isStateBased(automaton) ? automaton : toBuchi(automaton, { acceptance: "states" });
  const labels = claim.states.map((_, state) => labelOf(claim, state));
  const order = [claim.initial, ...claim.states.keys()].filter((state, i, all) => all.indexOf(state) === i);
  const blocks = order.map((state) => renderState(claim, state, labels));
  const safe = comment.replaceAll("*/", "* /").replaceAll("\n", " ");
  return `never {${safe === "" ? "" : ` /* ${safe} */`}\n${blocks.join("")}}\n`;
}

/** One condition, with equal marks on all edges of a state. */
export const isStateBased = ({ conditions, states }: Automaton): boolean =>
  conditions === 1 && states.every((edges) => edges.every(({ marks }) => marks === nth(edges, 0).marks));

function renderState(claim: Automaton, state: number, labels: readonly string[]): string {
  const edges = nth(claim.states, state);
  if (acceptsAll(claim, state)) return `${labels[state]}:\n\tskip\n`;
  const lines =
    edges.length === 0
      ? ["\t:: false"]
      : edges.map((edge) => `\t:: ${guardOf(edge, claim.propositions)} -> goto ${labels[edge.to]}`);
  return `${labels[state]}:\n\tdo\n${lines.join("\n")}\n\tod;\n`;
}

function labelOf(claim: Automaton, state: number): string {
  if (acceptsAll(claim, state)) return "accept_all";
  const prefix = nth(claim.states, state).some(({ marks }) => marks !== 0) ? "accept_" : "T0_";
  return `${prefix}${state === claim.initial ? "init" : `S${state}`}`;
}

/** The claim ends in states that accept every continuation, so that Spin reports immediately. The initial state must not end it. */
const acceptsAll = ({ states, initial }: Automaton, state: number): boolean =>
  state !== initial &&
  nth(states, state).some(
    ({ guard, marks, to }) => to === state && marks !== 0 && guard.some(({ care }) => care === 0),
  );

const guardOf = (edge: AutomatonEdge, names: readonly string[]): string => {
  const text = renderGuard(edge.guard, {
    true: "1",
    false: "0",
    and: " && ",
    or: " || ",
    hasParentheses: true,
    atom: (proposition) => `(${names[proposition] ?? `p${proposition}`})`,
  });
  return `(${text})`;
};
