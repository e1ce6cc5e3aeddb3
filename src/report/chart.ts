/**
 * A trace as a message sequence chart in SVG: a lane for each process, a row for each step, time runs down.
 *
 * A rendezvous is a level arrow; a buffered message slopes from the row it was sent in to the row it was
 * received in; an unreceived message ends in a circle, a lost one in a cross. Other steps are boxes. The loop of a
 * lasso is a bracket on the left, with its arrow at the row where the loop begins.
 * `layout` computes positions, the rest renders. No script is needed; colours follow the
 * reader's light or dark setting. Rows carry `data-step` and the heads are one group, so that a page can mark
 * the current row and keep the heads in sight.
 */
import { escapeMarkup } from "./escape.js";
import { counted } from "./figures.js";
import { matchMessages, type Endpoint, type Transfer } from "./messages.js";
import type { NarratedStep, Narrative } from "./narrative.js";
import { clip } from "./wrap.js";

export interface ChartOptions {
  readonly title?: string;
  /** Longer traces are cut in the middle, with a mark in the chart. */
  readonly longest?: number;
  /** Instead: described steps from the first position up to the second. */
  readonly window?: readonly [from: number, to: number];
  /** Lanes for these processes only, and the steps that they take part in; all when absent. */
  readonly processes?: readonly string[];
  /** Steps that move no message and do not fail are counted, not drawn. */
  readonly collapsesInternal?: boolean;
}

/** Do lanes tell anything? Steps of rules belong to no process, send nothing and concern nobody else. */
export const hasLanes = ({ steps, final }: Narrative): boolean =>
  final.processes.length > 0 ||
  steps.some(({ messages, participants }) => messages.length > 0 || participants.length > 1);

export function renderChart(trace: Narrative, options: ChartOptions = {}): string {
  const chart = layout(trace, options);
  const { lanes, width, height, rows } = chart;
  const title = escapeMarkup(options.title ?? "Message sequence chart");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="msc" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<style>${style}</style>`,
    `<rect class="msc-page" width="${width}" height="${height}"/>`,
    ...rows.map((row) => rowBand(row, chart)),
    ...lanes.map((lane) => lifeline(lane, height)),
    ...chart.transfers.map((transfer) => arrow(transfer, chart)),
    ...rows.flatMap((row) => (row.kind === "step" ? stepMarks(row, chart) : [gapMark(row, width)])),
    ...labelled(chart),
    ...loopMark(trace, chart),
    `<g class="msc-heads"><rect class="msc-page" width="${width}" height="${headerHeight - 4}"/>`,
    ...lanes.map((lane) => laneHeader(lane, chart.laneWidth)),
    "</g>",
    "</svg>\n",
  ].join("\n");
}

const numberWidth = 52;
const rowHeight = 28;
const labelHeight = 13;
const headerHeight = 44;
const characterWidth = 6.7;

interface Lane {
  readonly process: string;
  readonly x: number;
}

type Row =
  | { readonly kind: "step"; readonly y: number; readonly index: number; readonly step: NarratedStep }
  | { readonly kind: "gap"; readonly y: number; readonly missing: number; readonly what: string };

interface Chart {
  readonly lanes: readonly Lane[];
  readonly laneWidth: number;
  readonly rows: readonly Row[];
  readonly transfers: readonly Transfer[];
  readonly width: number;
  readonly height: number;
  xOf(process: string): number;
  /** The row of a described step, or of the gap. */
  yOf(step: number): number;
}

function layout(trace: Narrative, options: ChartOptions): Chart {
  const { processes } = options;
  const rows = rowsOf(trace, options);
  const names = processesOf(trace.steps).filter((name) => processes?.includes(name) ?? true);
  const laneWidth = widthOfLane(rows, names);
  const lanes = names.map((process, index) => ({ process, x: numberWidth + laneWidth * (index + 0.5) }));
  const xs = new Map(lanes.map(({ process, x }) => [process, x]));
  const ys = new Map(rows.flatMap((row) => (row.kind === "step" ? [[row.index, row.y] as const] : [])));
  const gapY = rows.find((row) => row.kind === "gap")?.y ?? headerHeight;
  const isShown = ({ from, to }: Transfer): boolean =>
    [from, to].some((end) => end !== undefined && ys.has(end.step) && xs.has(end.process));
  const last = rows.at(-1);
  const chart: Chart = {
    lanes,
    laneWidth,
    rows,
    transfers: matchMessages(trace.steps).filter(isShown),
    width: Math.max(240, Math.ceil(numberWidth + laneWidth * lanes.length + 12)),
    height: (last ? last.y + rowHeight / 2 : headerHeight) + 20,
    xOf: (process) => xs.get(process) ?? numberWidth,
    yOf: (step) => ys.get(step) ?? gapY,
  };
  // A message of the last lane that nobody receives has its name on the right of all lanes.
  const farthest = labelsOf(chart).map(({ x, isLeftwards, text }) =>
    isLeftwards ? 0 : x + widthOf(text) + 8,
  );
  return { ...chart, width: Math.ceil(Math.max(chart.width, ...farthest)) };
}

function rowsOf({ steps, length }: Narrative, options: ChartOptions): Row[] {
  const isInside = isInWindow(steps.length, options);
  const isDrawn = (step: NarratedStep): boolean =>
    (options.processes === undefined || takesPart(step, options.processes)) &&
    !(options.collapsesInternal && isInternal(step));
  const rows: Row[] = [];
  // A row has room for the names of all its messages, one above the other.
  let bottom = headerHeight;
  const nextY = (names = 1): number => {
    bottom += rowHeight + labelHeight * Math.max(0, names - 1);
    return bottom - rowHeight / 2;
  };
  let previous = 0;
  let isCut = false;
  const gap = (missing: number): void => {
    const what = isCut ? "left out" : "not drawn";
    if (missing > 0) rows.push({ kind: "gap", y: nextY(), missing, what });
    isCut = false;
  };
  for (const [index, step] of steps.entries()) {
    isCut ||= !isInside(index) || step.number !== (steps[index - 1]?.number ?? 0) + 1;
    if (!isInside(index) || !isDrawn(step)) continue;
    gap(step.number - previous - 1);
    rows.push({ kind: "step", y: nextY(new Set(labels(step)).size), index, step });
    previous = step.number;
  }
  gap(length - previous);
  return rows;
}

function isInWindow(length: number, { window, longest = 400 }: ChartOptions): (index: number) => boolean {
  if (window) return (index) => index >= window[0] && index < window[1];
  const head = Math.floor(longest / 2);
  return (index) => length <= longest || index < head || index >= length - (longest - head);
}

const takesPart = (step: NarratedStep, processes: readonly string[]): boolean =>
  step.participants.some((name) => processes.includes(name)) ||
  step.messages.some(({ from, to }) => [from, to].some((name) => name && processes.includes(name)));

const isInternal = (step: NarratedStep): boolean => step.messages.length === 0 && step.fault < 0;

/** In order of their numbers (`P[1]` before `P[10]`), which is the order of creation; others by appearance. */
function processesOf(steps: readonly NarratedStep[]): string[] {
  const names = new Set<string>();
  for (const { participants, messages } of steps) {
    for (const process of participants) names.add(process);
    for (const { from, to } of messages) for (const process of [from, to]) if (process) names.add(process);
  }
  const numberOf = (name: string): number => Number(/\[(\d+)\]$/.exec(name)?.[1] ?? Infinity);
  return [...names].sort((a, b) => (numberOf(a) === numberOf(b) ? 0 : numberOf(a) - numberOf(b)));
}

function widthOfLane(rows: readonly Row[], names: readonly string[]): number {
  const texts = rows.flatMap((row) => (row.kind === "step" ? [boxText(row.step), ...labels(row.step)] : []));
  const longest = Math.max(0, ...texts.map((text) => text.length), ...names.map((name) => name.length + 2));
  return Math.min(230, Math.max(130, longest * characterWidth + 30));
}

const labels = (step: NarratedStep): string[] => step.messages.map((m) => `${m.channel}!${m.message}`);

const boxText = (step: NarratedStep): string =>
  step.output === "" ? step.action : `prints ${step.output.trimEnd().replaceAll("\n", " / ")}`;

// ---- marks ---------------------------------------------------------------------------------------

/** `data-x` is the lane of the row's first process. */
function rowBand(row: Row, { width, xOf }: Chart): string {
  if (row.kind === "gap") return "";
  const { number, participants } = row.step;
  const x = xOf(participants[0] ?? "");
  return `<rect class="msc-row" data-step="${number}" data-x="${x}" x="0" y="${row.y - rowHeight / 2}" width="${width}" height="${rowHeight}"/>`;
}

const lifeline = ({ x }: Lane, height: number): string =>
  `<line class="msc-line" x1="${x}" y1="${headerHeight - 6}" x2="${x}" y2="${height - 8}"/>`;

function laneHeader({ process, x }: Lane, laneWidth: number): string {
  const width = laneWidth - 16;
  const name = escapeMarkup(clip(process, Math.floor(width / characterWidth)));
  return `<g><rect class="msc-head" x="${x - width / 2}" y="10" width="${width}" height="26" rx="5"/><text class="msc-name" x="${x}" y="27">${name}</text></g>`;
}

function stepMarks(row: Row & { kind: "step" }, chart: Chart): string[] {
  const { step, y } = row;
  const number = `<text class="msc-number" x="${numberWidth - 14}" y="${y + 4}">${step.number}</text>`;
  if (step.messages.length > 0 && step.fault < 0) return [number];
  const drawn = step.participants.filter((process) => chart.lanes.some((lane) => lane.process === process));
  return [number, ...drawn.map((process) => box(step, chart.xOf(process), y, chart.laneWidth))];
}

function box(step: NarratedStep, x: number, y: number, laneWidth: number): string {
  const text = boxText(step);
  const shown = clip(text, Math.floor((laneWidth - 26) / characterWidth));
  const width = shown.length * characterWidth + 14;
  const kind = step.fault >= 0 ? "msc-box msc-fault" : "msc-box";
  return `<g><title>${escapeMarkup(step.action)}</title><rect class="${kind}" x="${x - width / 2}" y="${y - 10}" width="${width}" height="20" rx="4"/><text class="msc-text" x="${x}" y="${y + 4}">${escapeMarkup(shown)}</text></g>`;
}

function gapMark({ y, missing, what }: Row & { kind: "gap" }, width: number): string {
  return `<g><rect class="msc-gap" x="0" y="${y - 11}" width="${width}" height="22"/><text class="msc-number msc-omission" x="${numberWidth}" y="${y + 4}">… ${counted(missing, "step")} ${what} …</text></g>`;
}

/** From the last row back to the first of the loop; nothing for a trace without one. */
function loopMark({ loopStart, length }: Narrative, { rows }: Chart): string[] {
  const last = rows.at(-1);
  if (loopStart === undefined || !last) return [];
  const isInLoop = (row: Row): boolean => row.kind === "step" && row.step.number > loopStart;
  const bottom = last.y;
  const top = (rows.find(isInLoop) ?? last).y;
  const what =
    loopStart === length ? "nothing can move any more" : `the loop: steps ${loopStart + 1} to ${length}`;
  const path = `M12 ${bottom + 10}L5 ${bottom + 10}L5 ${top - 8}L12 ${top - 8}`;
  const tip = head({ x: 14, y: top - 8 }, 0);
  return [`<g class="msc-loop"><title>${what}</title><path class="msc-path" d="${path}"/>${tip}</g>`];
}

function arrow(transfer: Transfer, chart: Chart): string {
  const { from, to, isLost } = transfer;
  const { start, end } = ends(transfer, chart);
  const kind = isLost ? "msc-arrow msc-lost" : to ? "msc-arrow" : "msc-arrow msc-waiting";
  const shape = from && to && start.x === end.x ? selfArrow(start, end) : straightArrow(start, end);
  const tip = to ? head(shape.tip, shape.angle) : stop(end, isLost);
  return `<g class="${kind}"><title>${escapeMarkup(summary(transfer))}</title><path class="msc-path" d="${shape.path}"/>${tip}<circle class="msc-dot" cx="${start.x}" cy="${start.y}" r="2.5"/></g>`;
}

/** Start and end of the arrow; if the trace lacks the send, the arrow starts at its arrival. */
function ends({ from, to }: Transfer, chart: Chart): { start: Point; end: Point } {
  const start = point(from ?? to!, chart);
  return { start, end: to ? point(to, chart) : strayEnd(start) };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const point = ({ process, step }: Endpoint, chart: Chart): Point => ({
  x: chart.xOf(process),
  y: chart.yOf(step),
});

/** An unreceived message gets a short arrow to the right. */
const strayEnd = ({ x, y }: Point): Point => ({ x: x + 54, y });

function straightArrow(start: Point, end: Point): { path: string; tip: Point; angle: number } {
  const angle = Math.atan2(end.y - start.y, end.x - start.x);
  return { path: `M${start.x} ${start.y}L${end.x} ${end.y}`, tip: end, angle };
}

function selfArrow(start: Point, end: Point): { path: string; tip: Point; angle: number } {
  const bulge = start.x + 40;
  const path = `M${start.x} ${start.y}C${bulge} ${start.y} ${bulge} ${end.y} ${end.x} ${end.y}`;
  return { path, tip: end, angle: Math.PI };
}

function head({ x, y }: Point, angle: number): string {
  const degrees = Math.round((angle * 180) / Math.PI);
  return `<path class="msc-tip" d="M0 0L-9 -4L-9 4Z" transform="translate(${x} ${y}) rotate(${degrees})"/>`;
}

const stop = ({ x, y }: Point, isLost: boolean): string =>
  isLost
    ? `<path class="msc-path" d="M${x - 5} ${y - 5}l10 10m0 -10l-10 10"/>`
    : `<circle class="msc-open" cx="${x}" cy="${y}" r="4"/>`;

const labelled = (chart: Chart): string[] =>
  labelsOf(chart).map(
    ({ x, y, isLeftwards, text }) =>
      `<text class="msc-label" x="${x}" y="${y}" text-anchor="${isLeftwards ? "end" : "start"}">${escapeMarkup(text)}</text>`,
  );

interface Label extends Point {
  readonly isLeftwards: boolean;
  readonly text: string;
}

/** A message to several receivers is named once; different messages with a common start are stacked. */
function labelsOf(chart: Chart): Label[] {
  const named = new Map<string, string[]>();
  return chart.transfers.flatMap((transfer) => {
    const { start, end } = ends(transfer, chart);
    const place = `${start.x} ${start.y} ${end.x < start.x}`;
    const before = named.get(place) ?? [];
    const name = `${transfer.channel}!${transfer.message}`;
    if (before.includes(name)) return [];
    named.set(place, [...before, name]);
    return [labelOf(name, start, end, chart.laneWidth, labelHeight * before.length)];
  });
}

/** Near the sender, on the side to which the message goes, just above the line; at most as wide as the way to the next lane. */
function labelOf(name: string, start: Point, end: Point, laneWidth: number, higher: number): Label {
  const isLeftwards = end.x < start.x;
  const x = start.x + (isLeftwards ? -12 : 12);
  const slope = end.x === start.x ? 0 : (end.y - start.y) / (end.x - start.x);
  const y = Math.round(start.y + Math.min(10, Math.abs(slope) * 12) - 7 - higher);
  return { x, y, isLeftwards, text: clip(name, Math.floor((laneWidth - 24) / characterWidth)) };
}

const widthOf = (text: string): number => text.length * characterWidth;

function summary({ from, to, channel, message, isLost }: Transfer): string {
  const end = isLost ? "lost" : (to?.process ?? "not received");
  return `${from?.process ?? "(earlier)"} --${channel}!${message}--> ${end}`;
}

const style = `
.msc{--page:#fff;--ink:#1f2328;--faint:#6a737d;--line:#c9d1d9;--box:#f3f5f8;--head:#e6edf7;--arrow:#0b5cad;--bad:#c62828;--mark:#fff3c4;font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (prefers-color-scheme:dark){.msc{--page:#12161c;--ink:#e3e8ee;--faint:#8f9aa6;--line:#3a4450;--box:#1e252e;--head:#22344d;--arrow:#6cb2ff;--bad:#ff7b72;--mark:#4a3d10}}
.msc-page{fill:var(--page)}
.msc-row{fill:transparent}.msc-row.is-current{fill:var(--mark)}
.msc-line{stroke:var(--line);stroke-width:1.5}
.msc-head{fill:var(--head);stroke:var(--line)}
.msc text{fill:var(--ink);text-anchor:middle;font-size:11px}
.msc .msc-name{font-weight:600;font-size:12px}
.msc .msc-number{fill:var(--faint);text-anchor:end;font-size:10px}
.msc .msc-omission{text-anchor:start;font-size:11px}
.msc-gap{fill:var(--box)}
.msc-box{fill:var(--box);stroke:var(--line)}
.msc-fault{fill:var(--page);stroke:var(--bad);stroke-width:2}
.msc-path{fill:none;stroke:var(--arrow);stroke-width:1.5}
.msc-tip,.msc-dot{fill:var(--arrow)}.msc-open{fill:var(--page);stroke:var(--arrow)}
.msc-waiting .msc-path{stroke-dasharray:4 3}
.msc-lost .msc-path,.msc-loop .msc-path{stroke:var(--bad)}.msc-loop .msc-tip{fill:var(--bad)}
.msc .msc-label{fill:var(--arrow);paint-order:stroke;stroke:var(--page);stroke-width:4px;stroke-linejoin:round}
.msc .msc-label[text-anchor=start]{text-anchor:start}.msc .msc-label[text-anchor=end]{text-anchor:end}
`.trim();
