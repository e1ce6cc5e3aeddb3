/** Automata for Graphviz. */
import type { Automaton } from "../../../model/index.js";
import { marksOf, plainNotation, renderGuard } from "./guards.js";

export function renderDot(automaton: Automaton, title = ""): string {
  const { initial, states, propositions } = automaton;
  const lines = states.flatMap((edges, state) => [
    `  ${state} [label="${state}"];`,
    ...edges.map(
      ({ guard, marks, to }) =>
        `  ${state} -> ${to} [label="${escape(edgeLabel(renderGuard(guard, plainNotation(propositions)), marks))}"];`,
    ),
  ]);
  return [
    "digraph automaton {",
    "  rankdir=LR;",
    `  label="${escape(title)}";`,
    '  labelloc="t";',
    "  node [shape=circle];",
    '  start [shape=point, label=""];',
    `  start -> ${initial};`,
    ...lines,
    "}\n",
  ].join("\n");
}

/** The guard, and the marks in braces. */
const edgeLabel = (guard: string, marks: number): string =>
  marks === 0 ? guard : `${guard} {${marksOf(marks).join(" ")}}`;

const escape = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
