/** Abstract states on a page. */
import { abstractMarks, abstractName, edgeKind, renderAbstractSvg } from "./abstract-drawing.js";
import { escapeMarkup } from "./escape.js";
import type { PropertyReport } from "./result.js";

export const abstractSections = (properties: readonly PropertyReport[]): string =>
  properties.map(sectionOf).join("\n");

function sectionOf({ property, abstraction }: PropertyReport): string {
  if (!abstraction) return "";
  const { states, edges } = abstraction;
  const title = `abstract states of ${property.name}`;
  const drawing = renderAbstractSvg(abstraction, title);
  const cell = (text: string): string => `<td>${escapeMarkup(text)}</td>`;
  const rows = states.map((state, number) => {
    const steps = edges
      .filter(({ from }) => from === number)
      .map(
        (edge) => `${edge.label} to ${abstractName(states[edge.to] ?? state, edge.to)} (${edgeKind(edge)})`,
      );
    return `<tr>${[abstractName(state, number), state.formulas.join(" and "), abstractMarks(state), steps.join("; ")].map(cell).join("")}</tr>`;
  });
  const head = "<tr><th>state</th><th>formulas</th><th></th><th>steps</th></tr>";
  const picture = drawing === undefined ? "" : `<div class="picture">${drawing}</div>`;
  return `<section aria-label="Abstract states"><h2>Abstract states: ${escapeMarkup(property.name)}</h2>${picture}<div class="scroll"><table class="mono">${head}${rows.join("\n")}</table></div></section>`;
}
