/** Derivations on a page. */
import { isOfTuples } from "../model/index.js";
import { renderDerivation } from "./derivation-drawing.js";
import { renderConclusion } from "./derivation-text.js";
import { escapeMarkup } from "./escape.js";
import type { PropertyReport } from "./result.js";

export function derivationSection(violated: PropertyReport | undefined): string {
  const derivation = violated?.derivation;
  if (!derivation) return "";
  const { steps } = derivation;
  const first = Math.max(0, steps.length - LONGEST);
  const rows = steps.slice(first).map(({ rule, premises }, index) => {
    const from = premises.map((premise) => premise + 1).join(" and ");
    const cells = [`${first + index + 1}`, rule.name, from, renderConclusion(derivation, first + index)];
    return `<tr>${cells.map((cell) => `<td>${escapeMarkup(cell)}</td>`).join("")}</tr>`;
  });
  const left = first > 0 ? `<p class="faint">the first ${first} steps are left out</p>` : "";
  const head = `<tr><th>step</th><th>rule</th><th>from</th><th>${isOfTuples(derivation) ? "tuple" : "vector"}</th></tr>`;
  const drawing = renderDerivation(derivation, "the derivation");
  const picture = drawing === undefined ? "" : `<div class="picture">${drawing}</div>`;
  return `<section aria-label="Derivation"><h2>Derivation</h2>${picture}${left}<div class="scroll"><table class="mono">${head}${rows.join("\n")}</table></div></section>`;
}

/** A page must stay light. */
const LONGEST = 1000;
