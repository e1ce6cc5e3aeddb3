/** How networks are drawn: switches on a circle, clients outside beside their switches, links between them. */
import type { Network } from "../model/network.js";
import { escapeMarkup } from "./escape.js";
import type { NarratedStep } from "./narrative.js";

export type DrawnNetwork = Pick<Network, "name" | "switches" | "clients" | "links">;

/** The page around what is drawn. */
export function picture(
  title: string,
  { width, height }: { readonly width: number; readonly height: number },
  parts: readonly string[],
): string {
  const name = escapeMarkup(title);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="net" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    `<style>${STYLE}</style>`,
    `<defs><marker id="net-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="net-head" d="M0 0L8 4L0 8z"/></marker></defs>`,
    `<rect class="net-page" width="${width}" height="${height}"/>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

/** The links; dashed where they may fail, marked where they have. */
export const lines = (
  { switches, clients, links }: DrawnNetwork,
  places: ReadonlyMap<string, Point>,
  failed: ReadonlySet<string>,
): string[] =>
  links.map(({ name, ends, mayFail }) => {
    const [from, to] = ends.map(({ kind, index }) =>
      places.get((kind === "switch" ? switches : clients)[index]!.name)!,
    );
    const kind = failed.has(name) ? " net-failed" : mayFail ? " net-fails" : "";
    return `<line class="net-link${kind}" x1="${from!.x}" y1="${from!.y}" x2="${to!.x}" y2="${to!.y}"/>`;
  });

export const SIZE = 520;
const MIDDLE = SIZE / 2;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Switches on an inner circle, clients on an outer one near the switch they are attached to. */
export function layout({ switches, clients, links }: DrawnNetwork): ReadonlyMap<string, Point> {
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
export function arrows(
  steps: readonly Pick<NarratedStep, "number" | "messages">[],
  places: ReadonlyMap<string, Point>,
): string[] {
  const used = new Map<string, number>();
  return steps.flatMap(({ number, messages }) =>
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

/** With what is queued there as a number, and all of it on hovering. */
export function box(
  name: string,
  { x, y }: Point,
  kind: "net-switch" | "net-client",
  queued: string,
): string {
  const width = Math.max(34, name.length * 8 + 14);
  const corner = kind === "net-client" ? 13 : 3;
  const label = `<text x="${x}" y="${y + 4}">${escapeMarkup(name)}</text>`;
  const rect = `<rect x="${x - width / 2}" y="${y - 13}" width="${width}" height="26" rx="${corner}"/>`;
  if (queued === "") return `<g class="${kind}">${rect}${label}</g>`;
  const packets = queued.split("; ");
  const badge = `<g class="net-queue"><title>${escapeMarkup(packets.join("\n"))}</title><circle cx="${x + width / 2}" cy="${y - 13}" r="9"/><text x="${x + width / 2}" y="${y - 9}">${packets.length}</text></g>`;
  return `<g class="${kind}">${rect}${label}${badge}</g>`;
}

const STYLE = `.net{font:13px system-ui,sans-serif;color-scheme:light dark}.net-page{fill:#fff}.net text{text-anchor:middle;fill:#222}.net-link{stroke:#999;stroke-width:2}.net-fails{stroke-dasharray:6 4}.net-move{stroke:#c22;stroke-width:1.6}.net-head{fill:#c22}.net .net-step{fill:#c22;font-size:11px;paint-order:stroke;stroke:#fff;stroke-width:3px}.net-switch rect{fill:#e3edff;stroke:#36c}.net-client rect{fill:#eef7e6;stroke:#583}.net-failed{stroke:#c22;stroke-dasharray:2 5}.net-queue circle{fill:#fff3d6;stroke:#b80}.net-queue text{font-size:11px}.net .net-line{text-anchor:start;font:12px ui-monospace,monospace}.net .net-pending{opacity:.7}@media (prefers-color-scheme:dark){.net-page{fill:#161616}.net text{fill:#eee}.net-switch rect{fill:#1d2a44}.net-client rect{fill:#22301a}.net-queue circle{fill:#4a3a10}.net .net-step{fill:#f77;stroke:#161616}}`;
