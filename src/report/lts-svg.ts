/** Draws small transition systems as self-contained SVG, one below the other: states in layers, one curve for all labels between two states. */
import { TAU, type Lts } from "../model/index.js";
import { nth } from "../model/known.js";
import { escapeMarkup } from "./escape.js";
import { layoutGraph } from "./net-layout.js";

export interface DrawnLts {
  readonly title: string;
  readonly lts: Lts;
}

const RADIUS = 16;
const TITLE = 28;
const LINE = 14;
/** Beyond this size a drawing shows nothing. */
const MOST_STATES = 400;

export function renderLtsSvg(title: string, systems: readonly DrawnLts[]): string {
  const drawings = systems.map(drawingOf);
  const width = Math.max(
    240,
    ...drawings.map((each) => each.width),
    ...systems.map((each) => each.title.length * 8 + 32),
  );
  const height = drawings.reduce((sum, each) => sum + each.height + TITLE, 8);
  let top = 0;
  const groups = drawings.map(({ body, height: own }, i) => {
    const group = `<g transform="translate(0 ${top})"><text class="title" x="16" y="20">${escapeMarkup(nth(systems, i).title)}</text><g transform="translate(0 ${TITLE})">${body}</g></g>`;
    top += own + TITLE;
    return group;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="lts" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" role="img" aria-label="${escapeMarkup(title)}">`,
    `<title>${escapeMarkup(title)}</title>`,
    `<style>${STYLE}</style>`,
    TIP,
    `<rect class="page" width="${round(width)}" height="${round(height)}"/>`,
    ...groups,
    "</svg>\n",
  ].join("\n");
}

interface Drawing {
  readonly body: string;
  readonly width: number;
  readonly height: number;
}

function drawingOf({ lts }: DrawnLts): Drawing {
  if (lts.states > MOST_STATES)
    return { body: `<text x="16" y="20">${lts.states} states</text>`, width: 240, height: 40 };
  const edges = edgesOf(lts);
  const longest = Math.max(4, ...edges.flatMap(({ labels }) => labels.map(({ length }) => length)));
  const tallest = Math.max(1, ...edges.map(({ labels }) => labels.length));
  const spacing = { column: Math.max(110, longest * 8 + 60), row: Math.max(90, tallest * LINE + 60) };
  const roots = { starts: lts.initial, firstLayer: () => 0 };
  const { positions, width, height } = layoutGraph(lts.states, edges, roots, spacing);
  const shifted = positions.map(({ x, y }) => ({ x: x + longest * 4, y: y + tallest * LINE }));
  const body = [
    ...lts.initial.map((state) => start(nth(shifted, state))),
    ...edges.map((edge) => arrow(edge, shifted)),
    ...shifted.map(({ x, y }, state) => circle(x, y, state === lts.error ? "π" : `${state}`)),
    ...edges.map((edge) => label(edge, shifted)),
  ].join("\n");
  return { body, width: width + longest * 8, height: height + 2 * tallest * LINE };
}

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly labels: readonly string[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function edgesOf({ states, firsts, targets, actions, labels }: Lts): Edge[] {
  const found = new Map<string, { from: number; to: number; labels: string[] }>();
  for (let from = 0; from < states; from++)
    for (let t = nth(firsts, from); t < nth(firsts, from + 1); t++) {
      const to = nth(targets, t);
      const text = actions[t] === TAU ? "τ" : nth(labels, nth(actions, t));
      const known = found.get(`${from} ${to}`);
      if (known) known.labels.push(text);
      else found.set(`${from} ${to}`, { from, to, labels: [text] });
    }
  return [...found.values()];
}

/** The middle of the curve; opposite edges bend apart. */
function bend({ from, to }: Edge, at: readonly Point[]): Point {
  const [a, b] = [nth(at, from), nth(at, to)];
  if (from === to) return { x: a.x, y: a.y - RADIUS - 34 };
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const away = 26 + length / 12;
  return {
    x: (a.x + b.x) / 2 + ((b.y - a.y) / length) * away,
    y: (a.y + b.y) / 2 - ((b.x - a.x) / length) * away,
  };
}

function arrow(edge: Edge, at: readonly Point[]): string {
  const [a, b, control] = [nth(at, edge.from), nth(at, edge.to), bend(edge, at)];
  if (edge.from === edge.to)
    return path(
      `M${round(a.x - 9)} ${round(a.y - RADIUS + 3)}C${round(a.x - 26)} ${round(control.y)} ${round(a.x + 26)} ${round(control.y)} ${round(a.x + 9)} ${round(a.y - RADIUS + 2)}`,
    );
  const [first, last] = [towards(a, control, RADIUS), towards(b, control, RADIUS + 2)];
  return path(
    `M${round(first.x)} ${round(first.y)}Q${round(control.x)} ${round(control.y)} ${round(last.x)} ${round(last.y)}`,
  );
}

function label(edge: Edge, at: readonly Point[]): string {
  const { x, y } = bend(edge, at);
  const a = nth(at, edge.from);
  const b = nth(at, edge.to);
  const middle =
    edge.from === edge.to ? { x, y: y + 4 } : { x: (x + (a.x + b.x) / 2) / 2, y: (y + (a.y + b.y) / 2) / 2 };
  const isBelow = middle.y > (a.y + b.y) / 2;
  const first = isBelow ? middle.y + LINE : middle.y - (edge.labels.length - 1) * LINE - 3;
  const lines = edge.labels.map(
    (text, i) => `<tspan x="${round(middle.x)}" y="${round(first + i * LINE)}">${escapeMarkup(text)}</tspan>`,
  );
  return `<text class="label">${lines.join("")}</text>`;
}

const path = (d: string): string => `<path class="edge" marker-end="url(#lts-tip)" d="${d}"/>`;

const start = ({ x, y }: Point): string =>
  path(`M${round(x - RADIUS - 26)} ${round(y)}L${round(x - RADIUS - 2)} ${round(y)}`);

const circle = (x: number, y: number, text: string): string =>
  `<g class="state"><circle cx="${round(x)}" cy="${round(y)}" r="${RADIUS}"/><text x="${round(x)}" y="${round(y + 4)}">${text}</text></g>`;

/** The point at this distance from `a` in the direction of `b`. */
function towards(a: Point, b: Point, distance: number): Point {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  return { x: a.x + ((b.x - a.x) * distance) / length, y: a.y + ((b.y - a.y) * distance) / length };
}

const round = (value: number): number => Math.round(value * 10) / 10;

const TIP =
  '<defs><marker id="lts-tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path class="tip" d="M0 1L10 5L0 9z"/></marker></defs>';

const STYLE = `
.lts{--page:#fff;--ink:#1f2328;--line:#57606a;--state:#e6edf7;--mark:#0b5cad;font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (prefers-color-scheme:dark){.lts{--page:#12161c;--ink:#e3e8ee;--line:#8f9aa6;--state:#22344d;--mark:#6cb2ff}}
.lts .page{fill:var(--page)}.lts text{fill:var(--ink)}.lts .title{font-weight:600}
.lts .edge{fill:none;stroke:var(--line);stroke-width:1.4}.lts .tip{fill:var(--line)}
.lts .state circle{fill:var(--state);stroke:var(--ink);stroke-width:1.4}
.lts .state text,.lts .label{text-anchor:middle}
.lts .label{fill:var(--mark);paint-order:stroke;stroke:var(--page);stroke-width:4px;stroke-linejoin:round}
`.trim();
