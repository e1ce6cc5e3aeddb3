/**
 * A network as a picture: switches on a circle, clients outside beside their switches, links between them; the moves of packets as
 * numbered arrows, and below it the rules in each table and the packets that wait.
 */
import type { Endpoint, Network } from "../model/network.js";
import { escapeMarkup } from "./escape.js";
import { valuesAfter, type Narrative } from "./narrative.js";
import { notesOf, onCircle, renderNodes, type DrawnArrow, type Point } from "./node-drawing.js";
import type { Picture, Scene } from "./picture.js";
import { nth, entryOf, lastOf } from "../model/known.js";

export type DrawnNetwork = Pick<Network, "name" | "switches" | "clients" | "links">;

export const networkPicture = (network: DrawnNetwork): Picture => ({
  title: "Network",
  standsForChart: true,
  draw: (scene) => renderNetwork(network, scene),
  overview: (trace) => `<h2>Tables</h2>${renderTables(network, trace)}`,
});

function renderNetwork(network: DrawnNetwork, { title, values, before, steps }: Scene): string {
  const { switches, clients, links } = network;
  const places = layout(network);
  const at = (name: string): Point => entryOf(places, name);
  const active = new Set(steps.at(-1)?.participants);
  const node =
    (kind: "box" | "round") =>
    ({ name }: { readonly name: string }) => ({
      name,
      kind,
      at: at(name),
      isActive: active.has(name),
    });
  const nameOf = ({ kind, index }: Endpoint): string =>
    (kind === "switch" ? nth(switches, index) : nth(clients, index)).name;
  return renderNodes({
    title,
    nodes: [...switches.map(node("box")), ...clients.map(node("round"))],
    // Failed links are not drawn.
    links: links.flatMap(({ name, ends, mayFail }) => {
      if (values.get(`link ${name}`) === "failed") return [];
      const [from, to] = ends;
      return [{ from: at(nameOf(from)), to: at(nameOf(to)), isDashed: mayFail }];
    }),
    arrows: moves(steps),
    notes: notesOf(
      [...switches, ...clients, { name: "controller" }].map(({ name }) => name),
      values,
      before,
    ),
  });
}

/** The rules in every table after each step that changed one, as an HTML table. */
function renderTables({ switches }: DrawnNetwork, trace: Narrative): string {
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

/** Switches on an inner circle, clients on an outer one near the switch they are attached to. */
function layout({ switches, clients, links }: DrawnNetwork): ReadonlyMap<string, Point> {
  const places = new Map<string, Point>();
  const part = (index: number): number => index / Math.max(1, switches.length);
  const inner = switches.length === 1 ? 0 : 130;
  switches.forEach(({ name }, i) => places.set(name, onCircle(inner, part(i))));
  const homes = clients.map((_, client) => {
    const ends = links.find(({ ends: both }) =>
      both.some((end) => end.kind === "client" && end.index === client),
    )?.ends;
    return ends?.find((end) => end.kind === "switch")?.index ?? 0;
  });
  clients.forEach(({ name }, i) => {
    const sharing = homes.flatMap((home, other) => (home === homes[i] ? [other] : []));
    const room = 1 / Math.max(1, switches.length);
    const shift = ((sharing.indexOf(i) + 1) / (sharing.length + 1) - 0.5) * room;
    places.set(name, onCircle(220, part(nth(homes, i)) + shift));
  });
  return places;
}

/** One arrow for each copy that moved. */
const moves = (steps: Scene["steps"]): DrawnArrow[] =>
  steps.flatMap(({ number, messages }) =>
    messages.flatMap(({ channel, message, from, to }) =>
      channel !== "packet" || from === undefined || to === undefined
        ? []
        : [{ from, to, step: number, text: message, isNow: number === lastOf(steps).number }],
    ),
  );
