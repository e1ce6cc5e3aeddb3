/**
 * A network as SVG: switches on a circle, clients outside beside their switches, links between them; the moves of packets in a
 * trace as numbered arrows. Below it the rules in each table, step by step. No script is needed.
 */
import type { Network } from "../model/network.js";
import { escapeMarkup } from "./escape.js";
import { valuesAfter, type Narrative } from "./narrative.js";

export type DrawnNetwork = Pick<Network, "name" | "switches" | "clients" | "links">;

export function renderNetwork(network: DrawnNetwork, trace: Narrative | undefined, title: string): string {
  const places = layout(network);
  const at = (name: string): Point | undefined => places.get(name);
  const links = network.links.map(({ ends, mayFail }) => {
    const [from, to] = ends.map(({ kind, index }) =>
      at((kind === "switch" ? network.switches : network.clients)[index]!.name)!,
    );
    return `<line class="net-link${mayFail ? " net-fails" : ""}" x1="${from!.x}" y1="${from!.y}" x2="${to!.x}" y2="${to!.y}"/>`;
  });
  const name = escapeMarkup(title);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="net" viewBox="0 0 ${SIZE} ${SIZE}" width="${SIZE}" height="${SIZE}" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    `<style>${STYLE}</style>`,
    `<defs><marker id="net-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="net-head" d="M0 0L8 4L0 8z"/></marker></defs>`,
    `<rect class="net-page" width="${SIZE}" height="${SIZE}"/>`,
    ...links,
    ...(trace ? arrows(trace, places) : []),
    ...network.switches.map((node) => box(node.name, at(node.name)!, "net-switch")),
    ...network.clients.map((node) => box(node.name, at(node.name)!, "net-client")),
    "</svg>\n",
  ].join("\n");
}

/** The rules in every table after each step that changed one, as an HTML table. */
export function renderTables({ switches }: DrawnNetwork, trace: Narrative): string {
  const changed = trace.steps.filter(({ changes }) =>
    switches.some(({ name }) => changes.has(`${name}.table`)),
  );
  if (changed.length === 0) return "<p>No rule was installed.</p>";
  const rows = changed.map((step) => {
    const values = valuesAfter(trace, trace.steps.indexOf(step) + 1);
    const cells = switches.map(({ name }) => `<td>${escapeMarkup(values.get(`${name}.table`) ?? "")}</td>`);
    return `<tr><td>${step.number}</td>${cells.join("")}</tr>`;
  });
  const heads = ["step", ...switches.map(({ name }) => name)].map((head) => `<th>${escapeMarkup(head)}</th>`);
  return `<div class="scroll"><table class="mono"><thead><tr>${heads.join("")}</tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`;
}

const SIZE = 520;
const MIDDLE = SIZE / 2;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Switches on an inner circle, clients on an outer one near the switch they are attached to. */
function layout({ switches, clients, links }: DrawnNetwork): ReadonlyMap<string, Point> {
  const places = new Map<string, Point>();
  const angleOf = (index: number): number =>
    (2 * Math.PI * index) / Math.max(1, switches.length) - Math.PI / 2;
  const inner = switches.length === 1 ? 0 : 130;
  switches.forEach(({ name }, i) => places.set(name, polar(inner, angleOf(i))));
  const homes = clients.map((_, client) => {
    const ends = links.find(({ ends: both }) =>
      both.some((end) => end.kind === "client" && end.index === client),
    )?.ends;
    return ends?.find((end) => end.kind === "switch")?.index ?? 0;
  });
  clients.forEach(({ name }, i) => {
    const sharing = homes.flatMap((home, other) => (home === homes[i] ? [other] : []));
    const room = (2 * Math.PI) / Math.max(1, switches.length);
    const shift = ((sharing.indexOf(i) + 1) / (sharing.length + 1) - 0.5) * room;
    places.set(name, polar(220, angleOf(homes[i]!) + shift));
  });
  return places;
}

const polar = (radius: number, angle: number): Point => ({
  x: Math.round(MIDDLE + radius * Math.cos(angle)),
  y: Math.round(MIDDLE + radius * Math.sin(angle)),
});

/** One arrow for each copy that moved, beside the link, with the number of its step. */
function arrows(trace: Narrative, places: ReadonlyMap<string, Point>): string[] {
  const used = new Map<string, number>();
  return trace.steps.flatMap(({ number, messages }) =>
    messages.flatMap(({ channel, message, from, to }) => {
      const start = from === undefined ? undefined : places.get(from);
      const end = to === undefined ? undefined : places.get(to);
      if (channel !== "packet" || !start || !end) return [];
      const lane = used.get(`${from},${to}`) ?? 0;
      used.set(`${from},${to}`, lane + 1);
      return [arrow(start, end, lane, number, message)];
    }),
  );
}

function arrow(start: Point, end: Point, lane: number, step: number, message: string): string {
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const side = 7 + 12 * lane;
  const off = { x: (-(end.y - start.y) / length) * side, y: ((end.x - start.x) / length) * side };
  const along = (part: number): Point => ({
    x: Math.round(start.x + (end.x - start.x) * part + off.x),
    y: Math.round(start.y + (end.y - start.y) * part + off.y),
  });
  const [a, b, middle] = [along(0.25), along(0.75), along(0.5)];
  return `<g data-step="${step}"><title>${escapeMarkup(`step ${step}: ${message}`)}</title><line class="net-move" x1="${a.x}" y1="${a.y}" x2="${b.x}" y2="${b.y}" marker-end="url(#net-head)"/><text class="net-step" x="${middle.x}" y="${middle.y}">${step}</text></g>`;
}

function box(name: string, { x, y }: Point, kind: string): string {
  const width = Math.max(34, name.length * 8 + 14);
  const corner = kind === "net-client" ? 13 : 3;
  return `<g class="${kind}"><rect x="${x - width / 2}" y="${y - 13}" width="${width}" height="26" rx="${corner}"/><text x="${x}" y="${y + 4}">${escapeMarkup(name)}</text></g>`;
}

const STYLE = `.net{font:13px system-ui,sans-serif;color-scheme:light dark}.net-page{fill:#fff}.net text{text-anchor:middle;fill:#222}.net-link{stroke:#999;stroke-width:2}.net-fails{stroke-dasharray:6 4}.net-move{stroke:#c22;stroke-width:1.6}.net-head{fill:#c22}.net .net-step{fill:#c22;font-size:11px;paint-order:stroke;stroke:#fff;stroke-width:3px}.net-switch rect{fill:#e3edff;stroke:#36c}.net-client rect{fill:#eef7e6;stroke:#583}@media (prefers-color-scheme:dark){.net-page{fill:#161616}.net text{fill:#eee}.net-switch rect{fill:#1d2a44}.net-client rect{fill:#22301a}.net .net-step{fill:#f77;stroke:#161616}}`;
