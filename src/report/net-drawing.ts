/**
 * A net as a drawing in SVG: places are circles with their tokens, transitions are bars, arcs have their weights where these are not 1.
 * Dashed arcs test tokens without taking them, thick ones marked `all` move all tokens. No script; colours follow the reader's light or dark setting.
 */
import { isCoverProperty, type Net } from "../model/index.js";
import { escapeMarkup } from "./escape.js";
import { layoutNet, type NetArc, type NetLayout, type NetNode } from "./net-layout.js";
import type { Picture, Scene } from "./picture.js";
import { clip } from "./wrap.js";
import { nth } from "../model/known.js";

export interface DrawingOptions {
  readonly title?: string;
  /** By place; otherwise the initial marking. */
  readonly marking?: readonly number[];
  /** Places to be marked out, by number. */
  readonly marked?: ReadonlySet<number>;
  /** The transition that has just happened, by name. */
  readonly fired?: string | undefined;
}

/** The current tokens; the places of the property and the last transition are highlighted. */
export const netPicture = (net: Net): Picture => ({
  title: "Net",
  standsForChart: true,
  draw: (scene) => (isDrawable(net) ? drawnAt(net, scene) : tooLarge(net, scene)),
});

const drawnAt = (net: Net, { title, values, steps, property }: Scene): string =>
  renderNet(net, {
    title,
    marking: net.places.map(({ name }, place) => Number(values.get(name) ?? nth(net.initial, place))),
    marked: targetPlaces(net, property),
    fired: steps.at(-1)?.action,
  });

/** The places of the property, or of all properties if none is selected. */
function targetPlaces({ properties }: Net, property: string | undefined): ReadonlySet<number> {
  const meant = properties.filter(({ name }) => property === undefined || name === property);
  const alternatives = meant.filter(isCoverProperty).flatMap((cover) => cover.alternatives);
  return new Set(alternatives.flatMap((tokens) => tokens.map(([place]) => place)));
}

const tooLarge = ({ places, transitions }: Net, { title }: Scene): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" class="net" viewBox="0 0 560 60" width="560" height="60" role="img" aria-label="${escapeMarkup(title)}"><style>${style}</style><rect class="net-page" width="560" height="60"/><text x="280" y="34">${places.length} places and ${transitions.length} transitions: more than ${MOST_DRAWN} are not drawn</text></svg>\n`;

/** Limit of a readable drawing. */
export const MOST_DRAWN = 300;

export const isDrawable = (net: Net): boolean => net.places.length + net.transitions.length <= MOST_DRAWN;

export function renderNet(net: Net, options: DrawingOptions = {}): string {
  const layout = layoutNet(net);
  const { width, height } = layout;
  const marking = options.marking ?? net.initial;
  const title = escapeMarkup(options.title ?? `the net ${net.name}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="net" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<style>${style}</style>`,
    '<defs><marker id="net-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" class="net-arrow"/></marker></defs>',
    `<rect class="net-page" width="${width}" height="${height}"/>`,
    ...layout.arcs.map((arc) => drawnArc(arc, layout)),
    ...layout.nodes.map((node) =>
      node.kind === "place"
        ? drawnPlace(node, net, marking, options.marked)
        : drawnTransition(node, net, options.fired),
    ),
    "</svg>\n",
  ].join("\n");
}

const radius = 16;
const bar = { width: 10, height: 32 };

function drawnPlace(
  { x, y, number }: NetNode,
  net: Net,
  marking: readonly number[],
  marked?: ReadonlySet<number>,
): string {
  const count = marking[number] ?? 0;
  const name = nth(net.places, number).name;
  const isMarked = marked?.has(number) ?? false;
  return [
    `<g class="net-place${isMarked ? " is-marked" : ""}"><title>${escapeMarkup(`${name}: ${count}`)}</title>`,
    `<circle cx="${x}" cy="${y}" r="${radius}"/>`,
    ...tokens(x, y, count),
    `<text x="${x}" y="${y + radius + 13}">${escapeMarkup(clip(name, 16))}</text></g>`,
  ].join("");
}

/** Positions of the tokens in a place, by their number. */
const TOKENS: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [[0, 0]],
  [
    [-5, 0],
    [5, 0],
  ],
  [
    [-5, 4],
    [5, 4],
    [0, -5],
  ],
  [
    [-5, -5],
    [5, -5],
    [-5, 5],
    [5, 5],
  ],
];

/** Up to four as dots, more as a number. */
function tokens(x: number, y: number, count: number): string[] {
  if (count > 4) return [`<text class="net-count" x="${x}" y="${y + 4}">${count}</text>`];
  const spots = TOKENS[count] ?? [];
  return spots.map(([dx, dy]) => `<circle class="net-token" cx="${x + dx}" cy="${y + dy}" r="3.5"/>`);
}

const drawnTransition = ({ x, y, number }: NetNode, net: Net, fired: string | undefined): string => {
  const { name } = nth(net.transitions, number);
  return `<g class="net-transition${name === fired ? " is-fired" : ""}"><title>${escapeMarkup(name)}</title><rect x="${x - bar.width / 2}" y="${y - bar.height / 2}" width="${bar.width}" height="${bar.height}"/><text x="${x}" y="${y + bar.height / 2 + 12}">${escapeMarkup(clip(name, 16))}</text></g>`;
};

/** A bent line: arcs there and back between the same two do not lie on each other. */
function drawnArc({ from, to, weight, isTest, isTransfer = false }: NetArc, { nodes }: NetLayout): string {
  const a = nth(nodes, from);
  const b = nth(nodes, to);
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy) || 1;
  const bend = Math.min(90, (dx > 0 ? 0.1 : 0.25) * length); // limited by the margin
  const [mx, my] = [(a.x + b.x) / 2 - (dy / length) * bend, (a.y + b.y) / 2 + (dx / length) * bend];
  const start = edgeOf(a, mx, my);
  const end = edgeOf(b, mx, my);
  const path = `M${start.x.toFixed(1)} ${start.y.toFixed(1)}Q${mx.toFixed(1)} ${my.toFixed(1)} ${end.x.toFixed(1)} ${end.y.toFixed(1)}`;
  const text = isTransfer ? "all" : weight === 1 ? "" : `${weight}`;
  const label =
    text === "" ? "" : `<text class="net-weight" x="${mx.toFixed(1)}" y="${my.toFixed(1)}">${text}</text>`;
  return `<path class="net-arc${isTest ? " is-test" : ""}${isTransfer ? " is-transfer" : ""}" d="${path}"${isTest ? "" : ' marker-end="url(#net-tip)"'}/>${label}`;
}

/** The point at which a line to another point leaves the node. */
function edgeOf(
  { kind, x, y }: NetNode,
  towardsX: number,
  towardsY: number,
): { readonly x: number; readonly y: number } {
  const [dx, dy] = [towardsX - x, towardsY - y];
  const length = Math.hypot(dx, dy) || 1;
  const reach =
    kind === "place"
      ? radius
      : Math.min(
          bar.width / 2 / Math.max(Math.abs(dx / length), 1e-6),
          bar.height / 2 / Math.max(Math.abs(dy / length), 1e-6),
        );
  return { x: x + (dx / length) * reach, y: y + (dy / length) * reach };
}

const style = `
.net{--page:#fff;--ink:#1f2328;--line:#57606a;--box:#f3f5f8;--mark:#c62828;font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (prefers-color-scheme:dark){.net{--page:#12161c;--ink:#e3e8ee;--line:#8f9aa6;--box:#1e252e;--mark:#ff7b72}}
.net-page{fill:var(--page)}
.net text{fill:var(--ink);text-anchor:middle;paint-order:stroke;stroke:var(--page);stroke-width:3px;stroke-linejoin:round}
.net-place>circle{fill:var(--box);stroke:var(--line);stroke-width:1.5}
.net-place>.net-token{fill:var(--ink);stroke:none}
.net-place.is-marked>circle:first-of-type{stroke:var(--mark);stroke-width:3}
.net .net-count{font-weight:600;stroke:none}
.net-transition>rect{fill:var(--line)}
.net-transition.is-fired>rect{fill:var(--mark)}.net .net-transition.is-fired>text{fill:var(--mark);font-weight:600}
.net-arc{fill:none;stroke:var(--line)}.net-arc.is-test{stroke-dasharray:3 3}.net-arc.is-transfer{stroke-width:2.5}
.net-arrow{fill:var(--line)}
`.trim();
