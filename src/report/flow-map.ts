/**
 * Draws the communication structure in SVG: principals are boxes, channels are rounded boxes, an arrow leads from a principal to
 * each channel that it sends to and from a channel to each principal that receives from it. The path of a trace is highlighted.
 * Pure: a program and a trace in, a text out; no script, colours follow the reader's light or dark setting.
 */
import type { MessageProgram } from "../model/index.js";
import { escapeMarkup } from "./escape.js";
import type { Narrative } from "./narrative.js";
import { layoutGraph } from "./net-layout.js";
import { clip } from "./wrap.js";
import { nth } from "../model/known.js";

export interface FlowOptions {
  readonly title?: string;
  /** Its messages are highlighted. */
  readonly trace?: Narrative | undefined;
}

/** Limit of a readable drawing. */
const MOST_NODES = 120;

/** For embedding in a page. */
export function flowMap(program: MessageProgram, trace?: Narrative): string {
  const { principals, channels } = program;
  if (principals.length + channels.length > MOST_NODES)
    return `<p>more than ${MOST_NODES} principals and channels are not drawn</p>`;
  return `<div class="scroll">${renderFlowMap(program, { trace })}</div>`;
}

export function renderFlowMap(
  program: MessageProgram,
  { title = "who sends to whom", trace }: FlowOptions = {},
): string {
  const { principals, channels } = program;
  const arcs = arcsOf(program);
  const used = trace ? usedBy(program, trace) : new Set<string>();
  const senders = principals.flatMap((_, p) =>
    arcs.some(({ from }) => from === p) && !arcs.some(({ to }) => to === p) ? [p] : [],
  );
  const { positions, width, height } = layoutGraph(
    principals.length + channels.length,
    arcs,
    { starts: senders.length > 0 ? senders : [0], firstLayer: (node) => (node < principals.length ? 0 : 1) },
    { column: 150, row: 64 },
  );
  const label = escapeMarkup(title);
  const page = width + SIDE;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="flow" viewBox="${-SIDE / 2} 0 ${page} ${height}" width="${page}" height="${height}" role="img" aria-label="${label}">`,
    `<title>${label}</title>`,
    `<style>${style}</style>`,
    '<defs><marker id="flow-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" class="flow-arrow"/></marker></defs>',
    ...arcs.map((arc) =>
      drawnArc(arc, nth(positions, arc.from), nth(positions, arc.to), used.has(`${arc.from}>${arc.to}`)),
    ),
    ...principals.map(({ name }, p) => drawnNode("flow-principal", name, nth(positions, p), 3)),
    ...channels.map((name, c) =>
      drawnNode("flow-channel", name, nth(positions, principals.length + c), box.height / 2),
    ),
    "</svg>\n",
  ].join("\n");
}

const SIDE = 60;
const box = { width: 104, height: 28 };

interface Arc {
  readonly from: number;
  readonly to: number;
  readonly kind: "send" | "receive" | "spawn";
}

/** Nodes are the principals, then the channels. */
function arcsOf({ principals }: MessageProgram): Arc[] {
  const arcs = new Map<string, Arc>();
  for (const [p, { locations }] of principals.entries())
    for (const { action } of locations.flat()) {
      const arc: Arc | undefined =
        action.kind === "send"
          ? { from: p, to: principals.length + action.channel, kind: "send" }
          : action.kind === "receive"
            ? { from: principals.length + action.channel, to: p, kind: "receive" }
            : action.kind === "spawn"
              ? { from: p, to: action.principal, kind: "spawn" }
              : undefined;
      if (arc) arcs.set(`${arc.from}>${arc.to}`, arc);
    }
  return [...arcs.values()];
}

/** The arcs that messages of the trace have taken. */
function usedBy({ principals, channels }: MessageProgram, { steps }: Narrative): Set<string> {
  const used = new Set<string>();
  for (const { participants, messages } of steps)
    for (const { kind, channel } of messages) {
      const p = principals.findIndex(
        ({ name }) => participants[0] === name || participants[0]?.startsWith(`${name}[`),
      );
      const c = principals.length + channels.indexOf(channel);
      if (p >= 0) used.add(kind === "receive" ? `${c}>${p}` : `${p}>${c}`);
    }
  return used;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const drawnNode = (kind: string, name: string, { x, y }: Point, round: number): string =>
  `<g class="${kind}"><title>${escapeMarkup(name)}</title><rect x="${x - box.width / 2}" y="${y - box.height / 2}" width="${box.width}" height="${box.height}" rx="${round}"/><text x="${x}" y="${y + 4}">${escapeMarkup(clip(name, 15))}</text></g>`;

/** Curved, so that arcs in opposite directions do not overlap. */
function drawnArc({ kind }: Arc, a: Point, b: Point, isUsed: boolean): string {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy) || 1;
  const bend = dx > 0 ? 0.06 * length : 0.22 * length;
  const middle = { x: (a.x + b.x) / 2 - (dy / length) * bend, y: (a.y + b.y) / 2 + (dx / length) * bend };
  const [start, end] = [edgeOf(a, middle), edgeOf(b, middle)];
  const path = `M${start.x.toFixed(1)} ${start.y.toFixed(1)}Q${middle.x.toFixed(1)} ${middle.y.toFixed(1)} ${end.x.toFixed(1)} ${end.y.toFixed(1)}`;
  const classes = ["flow-arc", ...(kind === "spawn" ? ["is-spawn"] : []), ...(isUsed ? ["is-used"] : [])];
  return `<path class="${classes.join(" ")}" d="${path}" marker-end="url(#flow-tip)"/>`;
}

/** The point at which a line from the centre of a box to another point leaves the box. */
function edgeOf(from: Point, towards: Point): Point {
  const [dx, dy] = [towards.x - from.x, towards.y - from.y];
  const reach = Math.min(
    box.width / 2 / Math.max(Math.abs(dx), 1e-6),
    box.height / 2 / Math.max(Math.abs(dy), 1e-6),
  );
  return { x: from.x + dx * Math.min(1, reach), y: from.y + dy * Math.min(1, reach) };
}

const style = `
.flow{--page:#fff;--ink:#1f2328;--line:#57606a;--box:#f3f5f8;--mark:#c62828;font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (prefers-color-scheme:dark){.flow{--page:#12161c;--ink:#e3e8ee;--line:#8f9aa6;--box:#1e252e;--mark:#ff7b72}}
.flow text{fill:var(--ink);text-anchor:middle}
.flow-principal>rect{fill:var(--box);stroke:var(--line);stroke-width:1.5}
.flow-channel>rect{fill:var(--page);stroke:var(--line);stroke-dasharray:4 2}
.flow-arc{fill:none;stroke:var(--line)}.flow-arc.is-spawn{stroke-dasharray:2 3}.flow-arc.is-used{stroke:var(--mark);stroke-width:2.5}
.flow-arrow{fill:var(--line)}
`.trim();
