/**
 * A trace as a link: a page without a server that reads the trace from the fragment of its address.
 *
 * The fragment is JSON, deflated, in base64url. The page contains no trace; one copy of it, in a folder or on any host, shows all links.
 * Links come from strangers: the script sets texts and classes, never markup.
 */
import { deflateRawSync } from "node:zlib";
import type { Sources } from "../model/index.js";
import { cut, effectsOf, huesOf, lineOf } from "./html.js";
import { script } from "./html-script.js";
import { style } from "./html-style.js";
import type { Narrative } from "./narrative.js";
import { version } from "./version.js";

export interface LinkedTrace {
  readonly file: string;
  readonly reason: string;
  readonly date: Date;
  readonly sources: Sources;
}

/** `trace=…&`: append it to the address of the page, after `#`. */
export function traceFragment(trace: Narrative, { file, reason, date, sources }: LinkedTrace): string {
  const { length, initial, steps, loopStart } = cut(trace, MOST_STEPS);
  const hueOf = huesOf(steps);
  const data = {
    everypath: version,
    file,
    reason,
    date: date.toISOString(),
    schedule: trace.schedule,
    length,
    loopStart: loopStart ?? null,
    initial: initial.map(({ name, value }) => [name, value]),
    steps: steps.map((step) => ({
      number: step.number,
      who: step.participants.join(" + "),
      action: step.action,
      effects: effectsOf(step),
      changes: [...step.changes],
      lines: step.sources.map((span) => lineOf(span, sources)),
      hue: hueOf(step),
      isFault: step.fault >= 0,
    })),
    sources: sources.files().map((name) => {
      const text = sources.text(name) ?? "";
      return { name, text: text.length > MOST_SOURCE ? null : text };
    }),
  };
  return `trace=${deflateRawSync(JSON.stringify(data), { level: 9 }).toString("base64url")}&`;
}

/** Longer traces are cut in the middle, longer sources omitted: browsers limit addresses to about 2 MB. */
const MOST_STEPS = 1000;
const MOST_SOURCE = 60_000;

export const renderTracePage = (): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Everypath: a trace</title>
<style>
${style}
[hidden] { display: none; }
</style>
</head>
<body>
<header class="violated"><p class="file mono" id="file"></p><h1 id="reason">No trace</h1></header>
<main>
<section id="missing"><p>The address of this page has no trace after <code>#</code>. <code>everypath replay TRACE FILE --export page=trace.html</code> writes such a page, and prints a link to it with a trace.</p></section>
<section aria-label="Trace" id="view" hidden>
<h2>Trace</h2>
<div class="toolbar">
<button type="button" id="first" aria-label="first step">⇤</button>
<button type="button" id="previous">previous</button>
<output id="counter"></output>
<button type="button" id="next">next</button>
<button type="button" id="last" aria-label="last step">⇥</button>
<span class="faint hint">arrow keys, or j and k; Home and End</span>
</div>
<div class="panes">
<div class="pane"><h3>Steps</h3><ol class="steps mono" id="steps"></ol></div>
<div class="pane"><div id="sources"></div><h3>Values</h3><div class="values mono"><table><tbody id="values"></tbody></table></div></div>
</div>
</section>
</main>
<footer id="footer"></footer>
<script type="application/json" id="trace-data"></script>
<script>
${viewer}
function start() {
${script}
}
</script>
</body>
</html>
`;

/** Builds the elements that the script of the report expects. */
const viewer = `
const make = (tag, className, text) => {
  const element = document.createElement(tag);
  element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};

async function decode(text) {
  const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

function stepItem(step) {
  const item = make("li", "");
  const button = make("button", "step hue-" + (Number(step.hue) || 0) + (step.isFault ? " fault" : ""));
  button.type = "button";
  button.append(make("span", "number", step.number), make("span", "process", step.who), make("span", "action", step.action));
  for (const [kind, text] of step.effects) button.append(make("span", kind === "message" ? "effect message" : "effect", text));
  item.append(button);
  return item;
}

function build(data) {
  document.title = data.file + ": " + data.reason;
  document.getElementById("file").textContent = data.file;
  document.getElementById("reason").textContent = data.reason;
  const { steps } = data;
  const widest = Math.max(6, ...steps.map(({ who }) => who.length));
  const list = document.getElementById("steps");
  list.style.setProperty("--process-width", Math.min(22, widest) + "ch");
  list.append(stepItem({ number: 0, who: "", action: "initial state", effects: [], hue: 0 }));
  let previous = 0;
  for (const step of steps) {
    if (step.number > previous + 1) list.append(make("li", "gap", "… " + (step.number - previous - 1) + " steps left out …"));
    if (data.loopStart === step.number - 1) list.append(make("li", "gap loop", "the loop begins here"));
    list.append(stepItem(step));
    previous = step.number;
  }
  if (data.loopStart !== null)
    list.append(make("li", "gap loop", data.loopStart === data.length
      ? "nothing can move any more: it stays like this forever" : "the loop goes back to step " + (data.loopStart + 1)));
  const used = new Set(steps.flatMap(({ lines }) => lines.map(([file]) => file)));
  for (const [index, { name, text }] of data.sources.entries()) {
    if (!used.has(index)) continue;
    const pane = make("pre", "source");
    pane.dataset.file = String(index);
    pane.tabIndex = 0;
    for (const [line, content] of (text === null ? [] : text.split(/\\r?\\n/)).entries()) {
      const span = make("span", "line", content);
      span.dataset.line = String(line + 1);
      pane.append(span);
    }
    document.getElementById("sources").append(make("h3", "", name), text === null ? make("p", "faint", "too long for a link") : pane);
  }
  document.getElementById("counter").dataset.length = String(data.length);
  document.getElementById("footer").textContent = "Everypath " + data.everypath + ", " + String(data.date).slice(0, 16).replace("T", " ") + " UTC. Schedule: " + data.schedule;
  document.getElementById("trace-data").textContent = JSON.stringify({ initial: data.initial, steps });
  document.getElementById("missing").hidden = true;
  document.getElementById("view").hidden = false;
}

const given = /[#&]trace=([\\w-]+)/.exec(location.hash);
if (given)
  decode(given[1]).then((data) => {
    build(data);
    document.body.dataset.fragment = "trace=" + given[1] + "&";
    start();
  }).catch(() => {
    document.getElementById("reason").textContent = "The trace in this address is damaged";
  });
window.addEventListener("hashchange", () => {
  const next = /[#&]trace=([\\w-]+)/.exec(location.hash);
  if (next && (!given || next[1] !== given[1])) location.reload();
});
`.trim();
