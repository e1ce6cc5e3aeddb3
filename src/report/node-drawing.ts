/**
 * Nodes and their messages as SVG: the nodes at given positions, links, numbered arrows, and below it the contents of each node.
 * No script; colours follow the reader's light or dark setting.
 */
import { escapeMarkup } from "./escape.js";
import { clip } from "./wrap.js";

export interface NodeDrawing {
  readonly title: string;
  readonly nodes: readonly DrawnNode[];
  readonly links: readonly DrawnLink[];
  readonly arrows: readonly DrawnArrow[];
  readonly notes: readonly Note[];
}

export interface DrawnNode {
  readonly name: string;
  readonly kind: "box" | "round" | "plain";
  readonly at: Point;
  /** Takes part in the last step. */
  readonly isActive: boolean;
}

export interface DrawnLink {
  readonly from: Point;
  readonly to: Point;
  readonly isDashed: boolean;
}

export interface DrawnArrow {
  readonly from: string;
  readonly to: string;
  readonly step: number;
  readonly text: string;
  /** In the last step. */
  readonly isNow: boolean;
}

/** Contents of a node. */
export interface Note {
  readonly title: string;
  readonly lines: readonly { readonly text: string; readonly isNew: boolean }[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const SIZE = 520;
const MIDDLE = SIZE / 2;
const LINE = 17;
/** Margin around the nodes for arrows beside the lines. */
const MARGIN = 34;

export function renderNodes({ title, nodes, links, arrows, notes }: NodeDrawing): string {
  const name = escapeMarkup(title);
  const rows = noteRows(notes);
  // The height of the nodes; the rest is for their contents, below.
  const top = Math.min(...nodes.map(({ at }) => at.y), MIDDLE) - MARGIN;
  const below = Math.max(...nodes.map(({ at }) => at.y), MIDDLE) + MARGIN;
  const height = below - top + (rows.length === 0 ? 0 : (rows.length + 1) * LINE);
  const places = new Map(nodes.map((node) => [node.name, node.at]));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="net" viewBox="0 ${top} ${SIZE} ${height}" width="${SIZE}" height="${height}" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    `<style>${STYLE}</style>`,
    `<defs>${["net-head", "net-head-now"].map(head).join("")}</defs>`,
    `<rect class="net-page" y="${top}" width="${SIZE}" height="${height}"/>`,
    ...links.map(
      ({ from, to, isDashed }) =>
        `<line class="net-link${isDashed ? " net-fails" : ""}" x1="${from.x}" y1="${from.y}" x2="${to.x}" y2="${to.y}"/>`,
    ),
    ...drawnArrows(arrows, places),
    ...nodes.map(drawnNode),
    ...rows.map(({ text, full, kind }, index) => {
      const y = below + (index + 0.8) * LINE;
      return `<text class="net-note ${kind}" x="${kind === "is-title" ? 14 : 26}" y="${y}"><title>${escapeMarkup(full)}</title>${escapeMarkup(text)}</text>`;
    }),
    "</svg>\n",
  ].join("\n");
}

/** On a circle around the middle, the first at the top. */
export const onCircle = (radius: number, part: number): Point => {
  const angle = 2 * Math.PI * part - Math.PI / 2;
  return {
    x: Math.round(MIDDLE + radius * Math.cos(angle)),
    y: Math.round(MIDDLE + radius * Math.sin(angle)),
  };
};

/** Values named `OWNER.part`, by owner; lists are shown one item a line. */
export function notesOf(
  owners: readonly string[],
  values: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, string> | undefined,
): Note[] {
  return owners.flatMap((owner): Note[] => {
    const lines = [...values].flatMap(([name, value]) => {
      if (name !== owner && !name.startsWith(`${owner}.`)) return [];
      const part = name === owner ? "" : `${name.slice(owner.length + 1)}: `;
      const old = new Set(before?.get(name)?.split("; "));
      return value
        .split("; ")
        .map((item) => ({ text: part + item, isNew: before !== undefined && !old.has(item) }));
    });
    return lines.length === 0 ? [] : [{ title: owner, lines }];
  });
}

interface NoteRow {
  readonly text: string;
  readonly full: string;
  readonly kind: string;
}

const noteRows = (notes: readonly Note[]): NoteRow[] =>
  notes.flatMap(({ title, lines }) => [
    { text: title, full: title, kind: "is-title" },
    ...lines.slice(0, MOST_LINES).map(({ text, isNew }) => ({
      text: clip(text, 67),
      full: text,
      kind: isNew ? "is-new" : "",
    })),
    ...(lines.length > MOST_LINES
      ? [{ text: `… and ${lines.length - MOST_LINES} more`, full: "", kind: "" }]
      : []),
  ]);

/** Limit for one node: the values beside the picture are complete. */
const MOST_LINES = 12;

const head = (id: string): string =>
  `<marker id="${id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="${id}" d="M0 0L8 4L0 8z"/></marker>`;

/** Beside the line between the nodes, each beside earlier ones. */
function drawnArrows(arrows: readonly DrawnArrow[], places: ReadonlyMap<string, Point>): string[] {
  const used = new Map<string, number>();
  return arrows.flatMap((arrow) => {
    const [start, end] = [places.get(arrow.from), places.get(arrow.to)];
    if (!start || !end) return [];
    const way = `${arrow.from}\n${arrow.to}`;
    const lane = used.get(way) ?? 0;
    used.set(way, lane + 1);
    return [drawnArrow(arrow, start, end, lane)];
  });
}

function drawnArrow({ step, text, isNow }: DrawnArrow, start: Point, end: Point, lane: number): string {
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const side = 7 + 12 * lane;
  const off = { x: (-(end.y - start.y) / length) * side, y: ((end.x - start.x) / length) * side };
  const along = (part: number): Point => ({
    x: Math.round(start.x + (end.x - start.x) * part + off.x),
    y: Math.round(start.y + (end.y - start.y) * part + off.y),
  });
  const [a, b, middle] = [along(0.25), along(0.75), along(0.5)];
  const line = `<line class="net-move" x1="${a.x}" y1="${a.y}" x2="${b.x}" y2="${b.y}" marker-end="url(#net-head${isNow ? "-now" : ""})"/>`;
  const label = `<text class="net-step" x="${middle.x}" y="${middle.y + 4}">${step}</text>`;
  return `<g${isNow ? ' class="is-now"' : ""} data-step="${step}"><title>${escapeMarkup(`step ${step}: ${text}`)}</title>${line}${label}</g>`;
}

function drawnNode({ name, kind, at: { x, y }, isActive }: DrawnNode): string {
  const width = Math.max(34, Math.min(name.length, 18) * 8 + 14);
  const corner = kind === "box" ? 3 : 13;
  return `<g class="net-${kind}${isActive ? " is-active" : ""}"><title>${escapeMarkup(name)}</title><rect x="${x - width / 2}" y="${y - 13}" width="${width}" height="26" rx="${corner}"/><text x="${x}" y="${y + 4}">${escapeMarkup(clip(name, 18))}</text></g>`;
}

const STYLE = `.net{--page:#fff;--ink:#1f2328;--faint:#57606a;--way:#8a6d3b;--now:#c62828;font:13px system-ui,sans-serif}@media (prefers-color-scheme:dark){.net{--page:#12161c;--ink:#e3e8ee;--faint:#9aa5b1;--way:#c9a66b;--now:#ff7b72}}.net-page{fill:var(--page)}.net text{text-anchor:middle;fill:var(--ink)}.net .net-note{text-anchor:start;font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:var(--faint)}.net .net-note.is-title{font-weight:700;fill:var(--ink)}.net .net-note.is-new{fill:var(--now);font-weight:600}.net-link{stroke:var(--faint);stroke-width:1.5}.net-fails{stroke-dasharray:6 4}.net-move{stroke:var(--way);stroke-width:1.6}.net-head{fill:var(--way)}.net-head-now{fill:var(--now)}.is-now .net-move{stroke:var(--now);stroke-width:2.6}.net .net-step{fill:var(--way);font-size:11px;font-weight:600;paint-order:stroke;stroke:var(--page);stroke-width:4px}.net .is-now .net-step{fill:var(--now);font-size:13px}.net-box rect{fill:#e3edff;stroke:#36c}.net-round rect{fill:#eef7e6;stroke:#583}.net-plain rect{fill:var(--page);stroke:var(--faint)}.net .is-active rect{stroke:var(--now);stroke-width:2.5}@media (prefers-color-scheme:dark){.net-box rect{fill:#1d2a44;stroke:#7aa2f7}.net-round rect{fill:#22301a;stroke:#8bc34a}}`;
