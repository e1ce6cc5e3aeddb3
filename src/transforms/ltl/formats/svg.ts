/**
 * Automata as self-contained SVG drawings: accepting states have a double circle, marks on edges are in braces; colours follow the
 * light or dark setting. `layout.ts` computes the positions.
 */
import type { Automaton } from "../../../model/index.js";
import { type Drawing, type DrawnEdge, layOut, lineHeight, type Point, radius } from "./layout.js";
import { isStateBased } from "./never.js";
import { nth } from "../../../model/known.js";

export function renderSvg(automaton: Automaton, title = "automaton"): string {
  const hasAcceptingStates = isStateBased(automaton);
  const drawing = layOut(automaton, hasAcceptingStates);
  const isAccepting = (state: number): boolean =>
    hasAcceptingStates && nth(automaton.states, state).some(({ marks }) => marks !== 0);
  const width = Math.max(drawing.width, title.length * 8 + 32);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="automaton" viewBox="0 0 ${width} ${drawing.height}" width="${width}" height="${drawing.height}" role="img" aria-label="${escape(title)}">`,
    `<title>${escape(title)}</title>`,
    `<style>${style}</style>`,
    tip,
    `<rect class="page" width="${width}" height="${drawing.height}"/>`,
    `<text class="title" x="16" y="20">${escape(title)}</text>`,
    start(nth(drawing.states, automaton.initial)),
    ...drawing.edges.map((edge) => curve(edge, drawing)),
    ...drawing.states.map((at, state) => circle(at, state, isAccepting(state))),
    ...drawing.edges.map(label),
    ...drawing.legend.map((line, i) => {
      const y = drawing.height - 12 - (drawing.legend.length - 1 - i) * lineHeight;
      return `<text class="legend" x="16" y="${y}">(${i + 1}) ${escape(line)}</text>`;
    }),
    "</svg>\n",
  ].join("\n");
}

const tip =
  '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path class="tip" d="M0 1L10 5L0 9z"/></marker></defs>';

const round = (value: number): number => Math.round(value * 10) / 10;

const start = ({ x, y }: Point): string =>
  `<path class="edge" marker-end="url(#tip)" d="M${round(x - radius - 36)} ${round(y)}L${round(x - radius - 2)} ${round(y)}"/>`;

function curve({ from, to, control }: DrawnEdge, { states }: Drawing): string {
  const [a, b] = [nth(states, from), nth(states, to)];
  if (!control) {
    const [x, y] = [a.x, a.y - radius + 4];
    return `<path class="edge" marker-end="url(#tip)" d="M${round(x - 10)} ${round(y)}C${round(x - 26)} ${round(y - 40)} ${round(x + 26)} ${round(y - 40)} ${round(x + 10)} ${round(y - 1)}"/>`;
  }
  const [first, last] = [towards(a, control, radius), towards(b, control, radius + 2)];
  return `<path class="edge" marker-end="url(#tip)" d="M${round(first.x)} ${round(first.y)}Q${round(control.x)} ${round(control.y)} ${round(last.x)} ${round(last.y)}"/>`;
}

/** The point at this distance from `a` in the direction of `b`. */
function towards(a: Point, b: Point, distance: number): Point {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  return { x: a.x + ((b.x - a.x) * distance) / length, y: a.y + ((b.y - a.y) * distance) / length };
}

function circle({ x, y }: Point, state: number, isAccepting: boolean): string {
  const at = `cx="${round(x)}" cy="${round(y)}"`;
  const inner = isAccepting ? `<circle class="ring" ${at} r="${radius - 4}"/>` : "";
  return `<g class="state" data-state="${state}"><circle ${at} r="${radius}"/>${inner}<text x="${round(x)}" y="${round(y + 4)}">${state}</text></g>`;
}

const label = ({ lines, label: box, from, to }: DrawnEdge): string => {
  const first = box.y - ((lines.length - 1) * lineHeight) / 2 + 4;
  const spans = lines.map(
    (line, i) => `<tspan x="${round(box.x)}" y="${round(first + i * lineHeight)}">${escape(line)}</tspan>`,
  );
  return `<text class="label" data-edge="${from} ${to}">${spans.join("")}</text>`;
};

const escape = (text: string): string =>
  text
    .replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, "\u00b7")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

const style = `
.automaton{--page:#fff;--ink:#1f2328;--line:#57606a;--state:#e6edf7;--mark:#0b5cad;font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (prefers-color-scheme:dark){.automaton{--page:#12161c;--ink:#e3e8ee;--line:#8f9aa6;--state:#22344d;--mark:#6cb2ff}}
.page{fill:var(--page)}
text{fill:var(--ink)}
.title{font-weight:600}
.edge{fill:none;stroke:var(--line);stroke-width:1.4}
.tip{fill:var(--line)}
.state circle{fill:var(--state);stroke:var(--ink);stroke-width:1.4}
.state .ring{fill:none}
.state text,.label{text-anchor:middle}
.label{fill:var(--mark);paint-order:stroke;stroke:var(--page);stroke-width:4px;stroke-linejoin:round}
`.trim();
