/** Writes the explicit text format of transition-based automata: `acc = …;`, then one edge per line. */
import { allMarks, type Automaton } from "../../../model/index.js";
import { marksOf, plainNotation, renderGuard } from "./guards.js";
import { nth } from "../../../model/known.js";

/** The source of the first edge is initial, so an initial state without edges gets one with an empty guard. */
export function renderTgba(automaton: Automaton): string {
  const { initial, states, conditions, propositions } = automaton;
  const header =
    conditions > 0
      ? [
          `acc = ${marksOf(allMarks(conditions))
            .map((c) => `c${c}`)
            .join(" ")};`,
        ]
      : [];
  const order = [initial, ...states.keys()].filter((state, i, all) => all.indexOf(state) === i);
  const notation = {
    ...plainNotation(propositions),
    atom: (i: number) => nameText(propositions[i] ?? `p${i}`),
  };
  const edges = order.flatMap((state) =>
    nth(states, state).map(({ guard, marks, to }) => {
      const text = renderGuard(guard, notation).replaceAll('"', '\\"');
      return `s${state}, s${to}, "${text}",${marksOf(marks)
        .map((c) => ` c${c}`)
        .join("")};`;
    }),
  );
  if (nth(states, initial).length === 0) edges.unshift(`s${initial}, s${initial}, "0",;`);
  return `${[...header, ...edges].join("\n")}\n`;
}

const nameText = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) && !/^(true|false)$/.test(name) ? name : `"${name}"`;
