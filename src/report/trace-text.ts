/**
 * A trace as text: numbered steps with process, position and statement, and below each its effects.
 *
 *       3  P[0]   14:5   ring[1]!one(mine)
 *                        P[0] --ring[1]!one(3)--> P[1] in step 5
 *                        ring[1] = [one(3)]
 */
import type { Sources, Span } from "../model/index.js";
import { excerpt, formatPosition, visible } from "./diagnostics.js";
import { counted } from "./figures.js";
import { matchMessages, type Transfer } from "./messages.js";
import type { FinalState, NarratedStep, Narrative } from "./narrative.js";
import type { Palette } from "./palette.js";
import { clip, wrapList } from "./wrap.js";
import { nth } from "../model/known.js";

export interface TraceStyle {
  readonly colors: Palette;
  readonly width: number;
  readonly sources: Sources;
  /** Positions in this file are shown without its name. */
  readonly mainFile: string;
}

export interface Elision {
  /** Longer traces are cut in the middle. */
  readonly longest: number;
  readonly first: number;
  readonly last: number;
  /** Hint about omitted steps. */
  readonly advice: string;
}

/** All lines of the steps; with `elision`, of the first and last ones. */
export function renderSteps(trace: Narrative, style: TraceStyle, elision?: Elision): string[] {
  const isCut = elision !== undefined && trace.steps.length > elision.longest;
  const shown = isCut
    ? [...trace.steps.slice(0, elision.first), ...trace.steps.slice(-elision.last)]
    : trace.steps;
  const columns = measure(shown, style);
  const transfers = transfersByStep(trace);
  const lines: string[] = [];
  let previous = 0;
  for (const step of shown) {
    if (step.number !== previous + 1) lines.push(...gap(step.number - previous - 1, columns, style, elision));
    if (trace.loopStart !== undefined && step.number === trace.loopStart + 1)
      lines.push(style.colors.warning(`${indent(columns)}the loop begins here`));
    lines.push(...renderStep(step, columns, style, transfers.get(step.number) ?? []));
    previous = step.number;
  }
  const end = loopEnd(trace);
  return end === undefined ? lines : [...lines, style.colors.warning(`${indent(columns)}${end}`)];
}

/** The continuation of a lasso after its last step. */
function loopEnd({ loopStart, length }: Narrative): string | undefined {
  if (loopStart === undefined) return undefined;
  return loopStart === length
    ? "nothing can move any more: it stays like this forever"
    : `the loop goes back to step ${loopStart + 1}`;
}

/** One step on its own, as a simulation prints it. */
export function renderSingleStep(step: NarratedStep, style: TraceStyle): string[] {
  const columns = { number: 6, process: 14, place: 10 };
  return renderStep(
    step,
    columns,
    style,
    matchMessages([step]).map((transfer) => ({ transfer, steps: [step] })),
  );
}

/** Variables and the location of each process, in the number of columns that fits. */
export function renderState(final: FinalState, style: TraceStyle): string[] {
  const { colors, sources, width } = style;
  const lines = table(
    final.values.map(({ name, value }) => [name, value]),
    width,
    colors,
  );
  const names = Math.max(0, ...final.processes.map((p) => p.name.length));
  for (const { name, span, isAtEnd } of final.processes) {
    const text = sources.text(span.file)?.slice(span.start, span.end).split("\n")[0] ?? "";
    const where = `${colors.name(name.padEnd(names))}  at ${renderPosition(span, style)}`;
    lines.push(
      `  ${where}${isAtEnd ? colors.dim("  (may end here)") : ""}  ${colors.dim(clip(visible(text), 50))}`.trimEnd(),
    );
  }
  return lines;
}

/** `line:column`, with the file's name when it is not the main one. */
export function renderPosition(span: Span, { sources, mainFile }: TraceStyle): string {
  const { line, column } = sources.position(span.file, span.start);
  return span.file === mainFile ? `${line}:${column}` : `${span.file}:${line}:${column}`;
}

/** The source line of a fault with carets. */
export const renderPlace = (span: Span, style: TraceStyle): string[] => [
  `  ${formatPosition(span, style.sources)}`,
  ...excerpt(span, style.sources, style.colors.bad, style.colors).map((line) => `  ${line}`),
];

interface Columns {
  readonly number: number;
  readonly process: number;
  readonly place: number;
}

interface ShownTransfer {
  readonly transfer: Transfer;
  readonly steps: readonly NarratedStep[];
}

function renderStep(
  step: NarratedStep,
  columns: Columns,
  style: TraceStyle,
  transfers: readonly ShownTransfer[],
): string[] {
  const { colors } = style;
  const number = `${step.number}`.padStart(columns.number);
  const process = step.participants.join(" + ").padEnd(columns.process);
  const where = places(step, style).padEnd(columns.place);
  const room = Math.max(20, style.width - indent(columns).length);
  const head = `${colors.dim(number)}  ${colors.name(process)}  ${colors.dim(where)}  ${clip(visible(step.action), room)}`;
  const below = (text: string): string => `${indent(columns)}${text}`;
  return [
    head.trimEnd(),
    ...transfers.map((shown) => below(colors.name(clip(arrow(shown, step), room)))),
    ...wrapList(changes(step), room).map((line) => below(colors.dim(line))),
    ...outputLines(step).map((line) => below(`${colors.dim("prints")} ${clip(line, room - 7)}`)),
  ];
}

/** `P[0] --q!one(3)--> P[1]`; a buffered message names its step of arrival, or its origin. */
function arrow({ transfer, steps }: ShownTransfer, step: NarratedStep): string {
  const { from, to, channel, message, isLost } = transfer;
  const numberOf = (index: number): number => steps[index]?.number ?? 0;
  const isArrival = to !== undefined && numberOf(to.step) === step.number && !transfer.isRendezvous;
  const line = `--${channel}${isArrival ? "?" : "!"}${visible(message)}-->`;
  if (isLost) return `${from?.process ?? ""} ${line} lost`;
  if (isArrival) return `${from?.process ?? "(earlier)"} ${line} ${to.process}`;
  if (!to) return `${from?.process ?? ""} ${line}`;
  const arrival = transfer.isRendezvous ? "" : ` in step ${numberOf(to.step)}`;
  return `${from?.process ?? ""} ${line} ${to.process}${arrival}`;
}

function transfersByStep(trace: Narrative): ReadonlyMap<number, readonly ShownTransfer[]> {
  const byStep = new Map<number, ShownTransfer[]>();
  const add = (step: number, shown: ShownTransfer): void => {
    const { number } = nth(trace.steps, step);
    byStep.set(number, [...(byStep.get(number) ?? []), shown]);
  };
  for (const transfer of matchMessages(trace.steps)) {
    const shown = { transfer, steps: trace.steps };
    if (transfer.from) add(transfer.from.step, shown);
    if (transfer.to && transfer.to.step !== transfer.from?.step) add(transfer.to.step, shown);
  }
  return byStep;
}

const changes = (step: NarratedStep): string[] =>
  [...step.changes].map(([name, value]) =>
    value === null ? `${name} is gone` : `${name} = ${clip(value, 60)}`,
  );

const outputLines = (step: NarratedStep): string[] =>
  step.output === "" ? [] : step.output.replace(/\n$/, "").split("\n").map(visible);

function measure(steps: readonly NarratedStep[], style: TraceStyle): Columns {
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length));
  return {
    number: Math.max(5, `${steps.at(-1)?.number ?? 0}`.length + 2),
    process: Math.min(24, widest(steps.map((step) => step.participants.join(" + ")))),
    place: Math.min(24, widest(steps.map((step) => places(step, style)))),
  };
}

const indent = (columns: Columns): string => " ".repeat(columns.number + columns.process + columns.place + 6);

function gap(missing: number, columns: Columns, style: TraceStyle, elision: Elision | undefined): string[] {
  const dots = `${"…".padStart(columns.number)}  ${counted(missing, "step")} left out`;
  return [style.colors.dim(elision ? `${dots}: ${elision.advice}` : dots)];
}

const places = (step: NarratedStep, style: TraceStyle): string =>
  step.sources.map((span) => renderPosition(span, style)).join(", ");

/** `name value` pairs, column by column. */
function table(rows: readonly (readonly [string, string])[], width: number, colors: Palette): string[] {
  if (rows.length === 0) return [];
  const names = Math.min(32, Math.max(...rows.map(([name]) => name.length)));
  const values = Math.min(40, Math.max(...rows.map(([, value]) => value.length)));
  const cell = names + values + 5;
  const columns = Math.max(1, Math.floor((width - 2) / cell));
  const height = Math.ceil(rows.length / columns);
  return Array.from({ length: height }, (_, line) =>
    rows
      .filter((_, index) => index % height === line)
      .map(
        ([name, value]) =>
          `  ${name.padEnd(names)} ${colors.dim("=")} ${clip(value, Math.max(values, width - names - 6)).padEnd(values)}`,
      )
      .join("")
      .trimEnd(),
  );
}
