/**
 * Networks as pictures, for reports and for whoever steps through one: pure functions from a network and what is shown of it to
 * SVG or HTML. No script is needed.
 *
 * `renderNetwork` draws the way of packets through a whole trace, `renderNetworkState` one state with what moved into it,
 * `renderTables` the rules in each table, step by step.
 */
import { escapeMarkup } from "./escape.js";
import { valuesAfter, type NarratedStep, type Narrative } from "./narrative.js";
import { arrows, box, layout, lines, picture, SIZE, type DrawnNetwork } from "./network-drawing.js";

export type { DrawnNetwork } from "./network-drawing.js";

/** Every move of a packet as an arrow with the number of its step. */
export function renderNetwork(network: DrawnNetwork, trace: Narrative | undefined, title: string): string {
  const places = layout(network);
  return picture(title, { width: SIZE, height: SIZE }, [
    ...lines(network, places, new Set()),
    ...(trace ? arrows(trace.steps, places) : []),
    ...network.switches.map(({ name }) => box(name, places.get(name)!, "net-switch", "")),
    ...network.clients.map(({ name }) => box(name, places.get(name)!, "net-client", "")),
  ]);
}

/** What is shown of a state, by name as in traces (`s1.packets`, `s1.table`, `link NAME`), and the step that led to it. */
export interface NetworkState {
  readonly values: ReadonlyMap<string, string>;
  readonly step?: Pick<NarratedStep, "number" | "messages"> | undefined;
}

/** One state: packets in the queues, what has just moved, failed links; below, the rules of each switch. */
export function renderNetworkState(
  network: DrawnNetwork,
  { values, step }: NetworkState,
  title: string,
): string {
  const places = layout(network);
  const failed = new Set(
    network.links.flatMap(({ name }) => (values.get(`link ${name}`) === "failed" ? [name] : [])),
  );
  const node = (name: string, kind: "net-switch" | "net-client"): string =>
    box(name, places.get(name)!, kind, values.get(`${name}.packets`) ?? "");
  const tables = network.switches.flatMap(({ name }) => tableLines(name, values));
  const height = SIZE + (tables.length === 0 ? 0 : tables.length * LINE + 2 * MARGIN);
  const width = Math.max(SIZE, ...tables.map(({ text }) => 2 * MARGIN + text.length * LETTER));
  return picture(title, { width, height }, [
    ...lines(network, places, failed),
    ...(step ? arrows([step], places) : []),
    ...network.switches.map(({ name }) => node(name, "net-switch")),
    ...network.clients.map(({ name }) => node(name, "net-client")),
    ...tables.map(
      ({ text, kind }, i) =>
        `<text class="net-line ${kind}" x="${MARGIN}" y="${SIZE + MARGIN + i * LINE}">${escapeMarkup(text)}</text>`,
    ),
  ]);
}

const LINE = 16;
const LETTER = 7.5;
const MARGIN = 16;

/** What is installed, what is on its way, and what the switch waits for. */
function tableLines(name: string, values: ReadonlyMap<string, string>): { text: string; kind: string }[] {
  const parts = (part: string): string[] => (values.get(`${name}.${part}`) ?? "").split("; ").filter(Boolean);
  const told = [
    ...parts("table").map((text) => ({ text, kind: "net-rule" })),
    ...parts("pending").map((text) => ({ text: `pending: ${text}`, kind: "net-pending" })),
    ...parts("waits").map((text) => ({ text: `waits ${text}`, kind: "net-pending" })),
  ];
  return told.map(({ text, kind }, i) => ({ text: `${i === 0 ? `${name}: ` : ""}${text}`, kind }));
}

/** A picture of the state after each step, to be opened one by one. */
export function renderNetworkSteps(network: DrawnNetwork, trace: Narrative): string {
  const shown = trace.steps.slice(0, MOST_PICTURES);
  const pictures = shown.map((step, i) => {
    const title = `step ${step.number}: ${step.participants.join(", ")} ${step.action}`;
    const values = valuesAfter(trace, i + 1);
    const svg = renderNetworkState(network, { values, step }, title);
    return `<details><summary>${escapeMarkup(title)}</summary><div class="chart">${svg}</div></details>`;
  });
  const rest = trace.steps.length - shown.length;
  return `${pictures.join("\n")}${rest > 0 ? `<p>${rest} more steps have no picture here.</p>` : ""}`;
}

const MOST_PICTURES = 60;

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
