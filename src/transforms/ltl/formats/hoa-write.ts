/** The Hanoi omega-automata format, version 1 (Babiak et al., CAV 2015). */
import type { Automaton } from "../../../model/index.js";
import { marksOf, renderGuard } from "./guards.js";

export function renderHoa(automaton: Automaton, name = ""): string {
  const { initial, states, conditions, propositions } = automaton;
  const quoted = (text: string): string => `"${text.replace(/[\\"]/g, "\\$&")}"`;
  const sets = Array.from({ length: conditions }, (_, i) => `Inf(${i})`);
  const kind = ["all", "Buchi"][conditions] ?? `generalized-Buchi ${conditions}`;
  const notation = { true: "t", false: "f", and: "&", or: " | ", hasParentheses: false, atom: String };
  return [
    "HOA: v1",
    ...(name === "" ? [] : [`name: ${quoted(name)}`]),
    `States: ${states.length}`,
    `Start: ${initial}`,
    `AP: ${[propositions.length, ...propositions.map(quoted)].join(" ")}`,
    `acc-name: ${kind}`,
    `Acceptance: ${conditions} ${sets.length === 0 ? "t" : sets.join("&")}`,
    "properties: trans-labels explicit-labels trans-acc",
    "--BODY--",
    ...states.flatMap((edges, state) => [
      `State: ${state}`,
      ...edges.map(({ guard, marks, to }) => {
        const seen = marks === 0 ? "" : ` {${marksOf(marks).join(" ")}}`;
        return `[${renderGuard(guard, notation)}] ${to}${seen}`;
      }),
    ]),
    "--END--\n",
  ].join("\n");
}
