/** What a page shows of nets and of derivations. */
import { isCoverProperty, isNet, type Net } from "../model/index.js";
import { renderVector } from "./derivation-text.js";
import { escapeMarkup } from "./escape.js";
import type { Narrative } from "./narrative.js";
import { MOST_DRAWN, isDrawable, renderNet } from "./net-drawing.js";
import { firstViolated, type CheckReport, type PropertyReport } from "./result.js";

/** The net at the start and, where there is a trace, at its end. */
export function netSection(report: CheckReport): string {
  const net = report.subject;
  if (!isNet(net)) return "";
  if (!isDrawable(net))
    return `<section><h2>Net</h2>more than ${MOST_DRAWN} places and transitions are not drawn</section>`;
  const trace = firstViolated(report)?.trace;
  const start = renderNet(net, { title: `${net.name} at the start`, marked: targetPlaces(report) });
  const end =
    trace && `<h3>At the end of the trace</h3><div class="scroll">${finalDrawing(report, net, trace)}</div>`;
  return `<section aria-label="Net"><h2>Net</h2><div class="scroll">${start}</div>${end ?? ""}</section>`;
}

/** The net with the tokens at the end of the trace if there is one, else at the start. */
export function drawnNet(report: CheckReport, net: Net): string {
  const trace = firstViolated(report)?.trace;
  return trace ? finalDrawing(report, net, trace) : renderNet(net, { marked: targetPlaces(report) });
}

export function derivationSection(violated: PropertyReport | undefined): string {
  const derivation = violated?.derivation;
  if (!derivation) return "";
  const { steps } = derivation;
  const first = Math.max(0, steps.length - LONGEST);
  const rows = steps.slice(first).map(({ rule, premises }, index) => {
    const from = premises.map((premise) => premise + 1).join(" and ");
    const cells = [`${first + index + 1}`, rule.name, from, renderVector(derivation, first + index)];
    return `<tr>${cells.map((cell) => `<td>${escapeMarkup(cell)}</td>`).join("")}</tr>`;
  });
  const left = first > 0 ? `<p class="faint">the first ${first} steps are left out</p>` : "";
  const head = "<tr><th>step</th><th>rule</th><th>from</th><th>vector</th></tr>";
  return `<section aria-label="Derivation"><h2>Derivation</h2>${left}<div class="scroll"><table class="mono">${head}${rows.join("\n")}</table></div></section>`;
}

const finalDrawing = (report: CheckReport, net: Net, trace: Narrative): string =>
  renderNet(net, {
    title: `${net.name} at the end`,
    marking: [...trace.final.words],
    marked: targetPlaces(report),
  });

/** The places that the first violated property speaks of. */
function targetPlaces(report: CheckReport): ReadonlySet<number> {
  const property = firstViolated(report)?.property;
  const alternatives = property && isCoverProperty(property) ? property.alternatives : [];
  return new Set(alternatives.flatMap((tokens) => tokens.map(([place]) => place)));
}

/** A page must stay light. */
const LONGEST = 1000;
