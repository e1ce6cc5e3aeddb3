/**
 * A check as one self-contained HTML page: verdict, properties, figures, the trace with source and
 * values and enabled steps at each step, the sequence chart. Everything but the selection of a step
 * works without script. The page has a maximum size; it lists omissions.
 */
import type { Model, Sources, Span } from "../model/index.js";
import { hasLanes, renderChart } from "./chart.js";
import { formatPosition } from "./diagnostics.js";
import { embedJson, escapeMarkup } from "./escape.js";
import { counted, formatBytes, formatCount, formatRate, formatSeconds } from "./figures.js";
import { abstractSections } from "./html-abstract.js";
import { derivationSection } from "./html-derivation.js";
import { overviewSection, pictureAlone, pictureOf, picturesAlong } from "./html-picture.js";
import { script } from "./html-script.js";
import { style } from "./html-style.js";
import type { NarratedStep, Narrative } from "./narrative.js";
import { firstViolated, overallVerdict, type CheckReport, type PropertyReport } from "./result.js";
import { propertyReason, propertyTitle, replayCommand, verdictSentence } from "./sentences.js";
import { version } from "./version.js";
import { walkAlong, type Walk } from "./walk.js";
import { known, nth } from "../model/known.js";

/** With the model that was checked, the page can be walked one step off the trace. */
export function renderHtml(report: CheckReport, model?: Model, date = new Date()): string {
  let page = "";
  for (const limit of limits) {
    page = renderWithin(report, model, limit, date);
    if (Buffer.byteLength(page) <= largestPage) break;
  }
  return page;
}

/** Bytes: it has to fit into a message to a colleague. */
const largestPage = 5e6;

/** Limit of described steps; longer traces are cut in the middle. */
interface Limit {
  readonly steps: number;
  readonly chartRows: number;
  /** Characters for enabled steps. */
  readonly walk: number;
  /** Characters of a source file that is shown. */
  readonly source: number;
  /** Characters of pictures, one per step. */
  readonly pictures: number;
}

/** From a light page to a page that always fits. */
const limits: readonly Limit[] = [
  { steps: 2000, chartRows: 400, walk: 1.5e6, source: 1e6, pictures: 1.5e6 },
  { steps: 600, chartRows: 200, walk: 4e5, source: 3e5, pictures: 4e5 },
  { steps: 60, chartRows: 60, walk: 0, source: 5e4, pictures: 0 },
];

function renderWithin(report: CheckReport, model: Model | undefined, limit: Limit, date: Date): string {
  const verdict = overallVerdict(report);
  const violated = firstViolated(report);
  const trace = violated?.trace && cut(violated.trace, limit.steps);
  const walk = model && trace ? walkAlong(model, trace, limit.walk) : undefined;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escapeMarkup(`${report.file}: ${verdict}`)}</title>
<style>
${style}
</style>
</head>
<body>
<header class="${verdict}">
<p class="file mono">${escapeMarkup(report.file)}</p>
<h1><b class="${verdict}">${verdict}</b>: ${escapeMarkup(verdictSentence(report))}</h1>
</header>
<main>
${propertiesSection(report.properties)}
${trace ? traceSection(report, trace, walk, limit) : pictureAlone(report)}
${derivationSection(firstViolated(report))}
${abstractSections(report.properties)}
${unreachedSection(report)}
${figuresSection(report)}
${diagnosticsSection(report)}
</main>
<footer>${footer(report, trace, date)}</footer>
${trace ? scripts(trace, walk, report.sources) : ""}
</body>
</html>
`;
}

function propertiesSection(properties: readonly PropertyReport[]): string {
  const rows = properties.map((report) => {
    const { verdict, advice } = report;
    const hint = advice ? `<br><span class="faint">try: ${escapeMarkup(advice)}</span>` : "";
    const cells = [
      escapeMarkup(propertyTitle(report)),
      `<b class="${verdict}">${verdict}</b>`,
      escapeMarkup(propertyReason(report)) + hint,
    ];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  if (rows.length === 0) return "<section><h2>Properties</h2>none to check</section>";
  return `<section><h2>Properties</h2><table class="properties"><tbody>${rows.join("\n")}</tbody></table></section>`;
}

function figuresSection({ stats, engine, language, runs }: CheckReport): string {
  const { states, transitions, depth, seconds, totalSeconds, peakBytes, bytesPerState } = stats;
  const reductions = [...new Set(runs.flatMap((run) => run.reductions))];
  const times = { search: formatSeconds(seconds), all: formatSeconds(totalSeconds) };
  const counts: readonly (readonly [string, string])[] =
    stats.schedules === undefined
      ? [
          ["states", formatCount(states)],
          ["transitions", formatCount(transitions)],
          ["depth", formatCount(depth)],
          ["search", times.search],
          ["speed", seconds > 0 ? formatRate(states / seconds) : "–"],
          ["total time", times.all],
          ["memory", formatBytes(peakBytes)],
          ["bytes per state", bytesPerState > 0 ? bytesPerState.toFixed(1) : "–"],
        ]
      : [
          ["schedules", formatCount(stats.schedules)],
          ["turns, at most", formatCount(depth)],
          ["search", times.search],
          ["total time", times.all],
        ];
  const figures: readonly (readonly [string, string])[] = [
    ...counts,
    ["engine", engine],
    ["language", language],
    ...(reductions.length > 0 ? [["reduced by", reductions.join(", ")] as const] : []),
  ];
  const items = figures.map(([name, value]) => `<div><dt>${name}</dt><dd>${escapeMarkup(value)}</dd></div>`);
  return `<section><h2>Figures</h2><dl class="figures">${items.join("")}</dl></section>`;
}

function traceSection(report: CheckReport, trace: Narrative, walk: Walk | undefined, limit: Limit): string {
  const shown = trace.steps;
  const pictures = picturesAlong(report, trace, limit.pictures);
  return `<section aria-label="Trace">
<h2>Trace</h2>
<div class="toolbar">
<button type="button" id="first" aria-label="first step">⇤</button>
<button type="button" id="previous">previous</button>
<output id="counter" data-length="${trace.length}">${counted(trace.length, "step")}</output>
<button type="button" id="next">next</button>
<button type="button" id="last" aria-label="last step">⇥</button>
<span class="faint hint">arrow keys, or j and k; Home and End</span>
</div>
${pictureOf(report, trace, pictures)}
<div class="panes">
<div class="pane">
<h3>Steps</h3>
<ol class="steps mono" style="--process-width: ${processWidth(shown)}ch">
<li><button type="button" class="step"><span class="number">0</span><span class="process"></span><span class="action">initial state</span></button></li>
${stepItems(shown, trace, report.sources, huesOf(shown)).join("\n")}
</ol>
</div>
<div class="pane">
${walk ? walkPane : ""}
${sourcePanes(report, shown, limit.source)}
<h3>Values</h3>
<div class="values mono"><table><tbody id="values">${valueRows(trace)}</tbody></table></div>
</div>
</div>
${leftOut(trace, walk, pictures?.leftOut ?? 0, limit)}
</section>
${overviewSection(report, trace)}
${hasChart(report, trace) ? chartSection(report, trace, limit) : ""}`;
}

/** A chart is useless without messages if the system has a drawing, or no processes. */
const hasChart = ({ picture }: CheckReport, trace: Narrative): boolean =>
  picture ? trace.steps.some(({ messages }) => messages.length > 0) : hasLanes(trace);

const chartSection = (report: CheckReport, trace: Narrative, limit: Limit): string =>
  `<section aria-label="Sequence chart"><h2>Sequence chart</h2><div class="chart">${renderChart(trace, { title: `${report.file}: sequence chart`, longest: limit.chartRows })}</div></section>`;

const walkPane = `<h3>What can happen here</h3>
<p id="place" class="faint" role="status"></p>
<ul class="walk mono" id="walk"></ul>`;

/** Nothing is omitted silently. */
function leftOut(
  { length, steps }: Narrative,
  walk: Walk | undefined,
  pictures: number,
  { chartRows }: Limit,
): string {
  const parts = [
    ...(steps.length < length ? [counted(length - steps.length, "step")] : []),
    ...(walk && walk.leftOut > 0 ? [`the enabled steps in ${counted(walk.leftOut, "state")}`] : []),
    ...(pictures > 0 ? [counted(pictures, "picture")] : []),
    ...(length > chartRows ? [`${counted(length - chartRows, "row")} of the chart`] : []),
  ];
  if (parts.length === 0) return "";
  return `<p class="faint left-out">Omitted to keep this page small: ${parts.join("; ")}. The command at the end shows everything.</p>`;
}

/** Width of the column before the statements. */
const processWidth = (steps: readonly NarratedStep[]): number =>
  Math.min(22, Math.max(6, ...steps.map((step) => step.participants.join(" + ").length)));

function stepItems(
  steps: readonly NarratedStep[],
  { loopStart, length }: Narrative,
  sources: Sources,
  hueOf: (step: NarratedStep) => number,
): string[] {
  let previous = 0;
  const items = steps.map((step) => {
    const missing = step.number - previous - 1;
    previous = step.number;
    const gap = missing > 0 ? `<li class="gap">… ${counted(missing, "step")} left out …</li>\n` : "";
    const loop = loopStart === step.number - 1 ? '<li class="gap loop">the loop begins here</li>\n' : "";
    return `${gap}${loop}<li>${stepButton(step, sources, hueOf(step))}</li>`;
  });
  if (loopStart === undefined) return items;
  const end =
    loopStart === length
      ? "nothing can move any more: it stays like this forever"
      : `the loop goes back to step ${loopStart + 1}`;
  return [...items, `<li class="gap loop">${end}</li>`];
}

/** A colour for each participant, in the order of their first steps. */
export function huesOf(steps: readonly NarratedStep[]): (step: NarratedStep) => number {
  const names = [...new Set(steps.map(({ participants }) => participants[0] ?? ""))];
  return ({ participants }) => names.indexOf(participants[0] ?? "") % HUES;
}

/** Colours in the style sheet. */
const HUES = 6;

function stepButton(step: NarratedStep, sources: Sources, hue: number): string {
  const where = step.sources.map((span) => formatPosition(span, sources)).join(", ");
  const effects = effectsOf(step).map(([kind, text]) => effect(kind, text));
  return `<button type="button" class="step hue-${hue}${step.fault >= 0 ? " fault" : ""}" title="${escapeMarkup(where)}"><span class="number">${step.number}</span><span class="process">${escapeMarkup(step.participants.join(" + "))}</span><span class="action">${escapeMarkup(step.action)}</span>${effects.join("")}</button>`;
}

/** Messages, changes and output of a step, with their classes. */
export const effectsOf = (step: NarratedStep): (readonly [kind: string, text: string])[] => [
  ...step.messages.map(
    ({ kind, channel, message }) =>
      [
        "message",
        `${channel}${kind === "receive" ? "?" : "!"}${message}${kind === "lost" ? " (lost)" : ""}`,
      ] as const,
  ),
  ...[...step.changes].map(
    ([name, value]) => ["", value === null ? `${name} is gone` : `${name} = ${value}`] as const,
  ),
  ...(step.output === "" ? [] : [["", `prints ${step.output.trimEnd()}`] as const]),
];

const effect = (kind: string, text: string): string =>
  `<span class="effect ${kind}">${escapeMarkup(text)}</span>`;

/** One pane a file that the trace passes through, the checked file first. */
function sourcePanes(report: CheckReport, steps: readonly NarratedStep[], most: number): string {
  const used = new Set([report.file, ...steps.flatMap((step) => step.sources.map((span) => span.file))]);
  const files = report.sources.files().filter((file) => used.has(file));
  return files
    .map((file) => {
      const text = known(report.sources.text(file), "the text of a source");
      if (text.length > most)
        return `<h3>${escapeMarkup(file)}</h3>\n<p class="faint">too long to be shown here</p>`;
      const lines = text.split(/\r?\n/);
      const items = lines.map(
        (text, i) => `<span class="line" data-line="${i + 1}">${escapeMarkup(text)}</span>`,
      );
      const pane = `<pre class="source" data-file="${report.sources.files().indexOf(file)}" tabindex="0"><code>${items.join("")}</code></pre>`;
      return `<h3>${escapeMarkup(file)}</h3>\n${pane}`;
    })
    .join("\n");
}

const valueRows = (trace: Narrative): string =>
  trace.final.values
    .map(({ name, value }) => `<tr><td>${escapeMarkup(name)}</td><td>${escapeMarkup(value)}</td></tr>`)
    .join("");

function unreachedSection({ unreached, sources }: CheckReport): string {
  if (!unreached?.length) return "";
  const rows = unreached.map(
    ({ owner, text, span }) =>
      `<tr><td>${escapeMarkup(owner)}</td><td>${escapeMarkup(formatPosition(span, sources))}</td><td><code>${escapeMarkup(text)}</code></td></tr>`,
  );
  return `<section><h2>Never executed</h2><div class="scroll"><table class="mono">${rows.join("\n")}</table></div></section>`;
}

function diagnosticsSection({ diagnostics, sources }: CheckReport): string {
  if (diagnostics.length === 0) return "";
  const rows = diagnostics.map(({ severity, code, message, span, hint }) => {
    const advice = hint ? `<br><span class="faint">hint: ${escapeMarkup(hint)}</span>` : "";
    return `<tr><td class="mono">${escapeMarkup(formatPosition(span, sources))}</td><td>${severity}: ${escapeMarkup(message)} <span class="faint">[${escapeMarkup(code)}]</span>${advice}</td></tr>`;
  });
  return `<section><h2>Diagnostics</h2><table>${rows.join("\n")}</table></section>`;
}

function footer(report: CheckReport, trace: Narrative | undefined, date: Date): string {
  const command = trace && replayCommand(report, trace, undefined);
  const again = command ? `Again: <code>${escapeMarkup(command)}</code><br>` : "";
  return `${again}Everypath ${version}, <time datetime="${date.toISOString()}">${dateText(date)}</time>`;
}

/** In universal time, so that colleagues elsewhere read the same. */
export const dateText = (date: Date): string => `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;

function scripts(trace: Narrative, walk: Walk | undefined, sources: Sources): string {
  const data = {
    initial: trace.initial.map(({ name, value }) => [name, value]),
    steps: trace.steps.map((step) => ({
      number: step.number,
      changes: [...step.changes],
      lines: step.sources.map((span) => lineOf(span, sources)),
    })),
    ...(walk ? { walk: walkData(walk, sources) } : {}),
  };
  return `<script type="application/json" id="trace-data">${embedJson(data)}</script>\n<script>\n${script}\n</script>`;
}

/** By the number of the step before the state. */
const walkData = ({ states }: Walk, sources: Sources): object =>
  Object.fromEntries(
    [...states].map(([number, choices]) => [
      number,
      choices.map(({ participants, action, changes, messages, output, fault, isTaken, sources: spans }) => ({
        who: participants.join(" + "),
        action,
        changes: [...changes],
        effects: [
          ...messages.map(
            ({ kind, channel, message }) => `${channel}${kind === "receive" ? "?" : "!"}${message}`,
          ),
          ...(output === "" ? [] : [`prints ${output.trimEnd()}`]),
        ],
        lines: spans.map((span) => lineOf(span, sources)),
        ...(fault === undefined ? {} : { fault }),
        ...(isTaken ? { isTaken } : {}),
      })),
    ]),
  );

export const lineOf = (span: Span, sources: Sources): readonly [number, number] => [
  sources.files().indexOf(span.file),
  sources.position(span.file, span.start).line,
];

/** The first and last steps of a long trace; changes in between are attributed to the first step after the gap. */
export function cut(trace: Narrative, longest: number): Narrative {
  const { steps } = trace;
  if (steps.length <= longest) return trace;
  const half = longest / 2;
  const tail = steps.slice(-half);
  const changes = new Map([...steps.slice(half, -half), nth(tail, 0)].flatMap((step) => [...step.changes]));
  return { ...trace, steps: [...steps.slice(0, half), { ...nth(tail, 0), changes }, ...tail.slice(1)] };
}
