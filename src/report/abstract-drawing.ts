/** Abstract states as a drawing, for Graphviz and as lines: exact steps are solid, others dashed, those of the trap thick. */
import type { AbstractEdge, AbstractGraph, AbstractState } from "../model/index.js";
import { nth } from "../model/known.js";
import { escapeMarkup } from "./escape.js";
import { layoutGraph } from "./net-layout.js";
import { clip } from "./wrap.js";

const LINE = 15;
const LETTER = 7.3;
const MOST_LETTERS = 30;
const MOST_FORMULAS = 8;
/** Beyond this size a drawing shows nothing; `--dot` has all of it. */
const MOST_DRAWN = 60;

/** `pc = 1, f = 0`; without explicit variables the number. */
export const abstractName = ({ values }: AbstractState, number: number): string =>
  values.length === 0
    ? `state ${number + 1}`
    : values.map(({ name, value }) => `${name} = ${value}`).join(", ");

/** What is special about a state. */
export const abstractMarks = ({ isInitial, isError }: AbstractState): string =>
  [...(isInitial ? ["initial"] : []), ...(isError ? ["error"] : [])].join(", ");

export const edgeKind = ({ isExact, isLoop, isTrap }: AbstractEdge): string =>
  [isExact ? "exact" : "inexact", ...(isLoop ? ["loop"] : []), ...(isTrap ? ["trap"] : [])].join(", ");

/** Undefined if there are too many states for a readable drawing. */
export function renderAbstractSvg(graph: AbstractGraph, title: string): string | undefined {
  const { states, edges } = graph;
  if (states.length > MOST_DRAWN || states.length === 0) return undefined;
  const texts = states.map((state, number) => linesOf(state, number));
  const width = 20 + LETTER * Math.max(...texts.flat().map(({ length }) => length));
  const height = 12 + LINE * Math.max(...texts.map(({ length }) => length));
  const starts = states.flatMap(({ isInitial }, number) => (isInitial ? [number] : []));
  const layout = layoutGraph(
    states.length,
    edges,
    { starts, firstLayer: () => 0 },
    { column: width + 110, row: height + 46 },
  );
  const places = layout.positions.map(({ x, y }) => ({ x: x - 40, y }));
  const size = [layout.width + width, layout.height + height].map((each) => Math.round(each)).join(" ");
  const name = escapeMarkup(title);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="abstract" viewBox="0 0 ${size}" role="img" aria-label="${name}">`,
    `<title>${name}</title><style>${STYLE}</style>${TIP}`,
    ...joined(edges).map((edge) => arrow(edge, places, width, height)),
    ...states.map((state, number) => box(state, nth(texts, number), nth(places, number), width, height)),
    "</svg>\n",
  ].join("\n");
}

function linesOf(state: AbstractState, number: number): string[] {
  const { formulas } = state;
  const left = formulas.length - MOST_FORMULAS;
  return [
    clip(abstractName(state, number), MOST_LETTERS),
    ...formulas.slice(0, left > 0 ? MOST_FORMULAS : undefined).map((each) => clip(each, MOST_LETTERS)),
    ...(left > 0 ? [`… ${left} more`] : []),
  ];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Joined extends AbstractEdge {
  readonly labels: readonly string[];
}

/** One arrow for all steps of a kind between two states. */
function joined(edges: readonly AbstractEdge[]): Joined[] {
  const found = new Map<string, Joined>();
  for (const edge of edges) {
    const key = `${edge.from} ${edge.to} ${edgeKind(edge)}`;
    found.set(key, { ...edge, labels: [...(found.get(key)?.labels ?? []), edge.label] });
  }
  return [...found.values()];
}

function arrow(edge: Joined, places: readonly Point[], width: number, height: number): string {
  const [a, b] = [nth(places, edge.from), nth(places, edge.to)];
  const kind = edgeKind(edge);
  const label = escapeMarkup(clip(edge.labels.join(", "), MOST_LETTERS));
  const isBack = b.x <= a.x;
  const [fromX, toX] = isBack ? [a.x + width / 2, b.x + width / 2] : [a.x + width, b.x];
  const [fromY, toY] = isBack ? [a.y, b.y] : [a.y + height / 2, b.y + height / 2];
  const lift = isBack ? 34 + Math.abs(a.x - b.x) / 12 : 0;
  const side = isBack && edge.from === edge.to ? 26 : 0;
  const path = isBack
    ? `M${round(fromX - side)} ${round(fromY)}C${round(fromX - side)} ${round(fromY - lift)} ${round(toX + side)} ${round(toY - lift)} ${round(toX + side)} ${round(toY)}`
    : `M${round(fromX)} ${round(fromY)}C${round(fromX + 50)} ${round(fromY)} ${round(toX - 50)} ${round(toY)} ${round(toX)} ${round(toY)}`;
  const [middleX, middleY] = [(fromX + toX) / 2, (fromY + toY) / 2 - lift * 0.75 - 4];
  const classes = `edge${edge.isExact ? "" : " is-inexact"}${edge.isTrap ? " is-trap" : ""}`;
  return `<g><title>${label}: ${kind}</title><path class="${classes}" marker-end="url(#abstract-tip)" d="${path}"/><text class="label" x="${round(middleX)}" y="${round(middleY)}">${label}</text></g>`;
}

function box(
  state: AbstractState,
  lines: readonly string[],
  { x, y }: Point,
  width: number,
  height: number,
): string {
  const marks = abstractMarks(state);
  const title = escapeMarkup(`${state.formulas.join(" and ")}${marks === "" ? "" : ` (${marks})`}`);
  const classes = `${state.isInitial ? " is-initial" : ""}${state.isError ? " is-error" : ""}`;
  const texts = lines.map(
    (line, index) =>
      `<text${index === 0 ? ' class="name"' : ""} x="${round(x + 10)}" y="${round(y + 18 + index * LINE)}">${escapeMarkup(line)}</text>`,
  );
  return `<g class="state${classes}"><title>${title}</title><rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="5"/>${texts.join("")}</g>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** For Graphviz. */
export function renderAbstractDot({ states, edges }: AbstractGraph): string {
  const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
  const nodes = states.map((state, number) => {
    const label = [abstractName(state, number), ...state.formulas].map((line) =>
      line.replaceAll(/["\\]/g, "\\$&"),
    );
    const marks = `${state.isInitial ? ", peripheries = 2" : ""}${state.isError ? ", color = red" : ""}`;
    return `  ${number} [label = "${label.join("\\n")}"${marks}];`;
  });
  const arrows = edges.map((edge) => {
    const style = `style = ${quoted(`${edge.isExact ? "solid" : "dotted"}${edge.isLoop ? ",bold" : ""}`)}`;
    return `  ${edge.from} -> ${edge.to} [label = ${quoted(edge.label)}, ${style}${edge.isTrap ? ", color = blue" : ""}];`;
  });
  return ["digraph abstract {", "  rankdir = LR;", "  node [shape = box];", ...nodes, ...arrows, "}\n"].join(
    "\n",
  );
}

/** The states and their formulas, for a terminal. */
export function abstractLines({ states, edges }: AbstractGraph): string[] {
  return states.slice(0, MOST_LINES).map((state, number) => {
    const marks = abstractMarks(state);
    const leaving = edges.filter(({ from }) => from === number).length;
    const steps = `${leaving} ${leaving === 1 ? "step" : "steps"}`;
    return `  ${abstractName(state, number)}: ${state.formulas.join(" && ") || "true"}  (${marks === "" ? "" : `${marks}, `}${steps})`;
  });
}

const MOST_LINES = 100;

const TIP =
  '<defs><marker id="abstract-tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="tip" d="M0 1L10 5L0 9z"/></marker></defs>';

const STYLE = `
.abstract{--page:#fff;--ink:#1f2328;--line:#57606a;--box:#f3f5f8;--mark:#0b5cad;--bad:#c62828;font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (prefers-color-scheme:dark){.abstract{--page:#12161c;--ink:#e3e8ee;--line:#9aa5b1;--box:#1e252e;--mark:#6cb2ff;--bad:#ff7b72}}
.abstract text{fill:var(--ink)}.abstract .name{font-weight:600}
.abstract .state rect{fill:var(--box);stroke:var(--line)}.abstract .is-initial rect{stroke-width:3}.abstract .is-error rect{stroke:var(--bad);stroke-width:3}
.abstract .edge{fill:none;stroke:var(--line);stroke-width:1.3}.abstract .is-inexact{stroke-dasharray:4 4}.abstract .is-trap{stroke:var(--mark);stroke-width:2.6}
.abstract .tip{fill:var(--line)}.abstract .label{text-anchor:middle;paint-order:stroke;stroke:var(--page);stroke-width:4px;stroke-linejoin:round}
`.trim();
