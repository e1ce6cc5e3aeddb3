/**
 * A check as text for a terminal: the verdict first, then what was asked and answered, the trace that
 * shows a violation, the state it ends in, code that nothing reaches, the figures, and what to do next.
 */
import type { Scope, VerdictKind } from "../model/index.js";
import { visible } from "./diagnostics.js";
import { counted, formatBytes, formatCount, formatRate, formatSeconds } from "./figures.js";
import type { Narrative } from "./narrative.js";
import { palette, type Palette } from "./palette.js";
import {
  firstViolated,
  overallVerdict,
  type CheckReport,
  type PropertyReport,
  type UnreachedPart,
} from "./result.js";
import {
  renderPlace,
  renderPosition,
  renderState,
  renderSteps,
  type Elision,
  type TraceStyle,
} from "./trace-text.js";
import { clip, wrap } from "./wrap.js";

export interface TextOptions {
  readonly color?: boolean;
  /** Columns of the page; between 60 and 120 are used. */
  readonly width?: number;
  /** Where `--trace` has written the trace. */
  readonly traceFile?: string | undefined;
  /** The verdict line alone. */
  readonly isQuiet?: boolean;
}

export function renderCheck(report: CheckReport, options: TextOptions = {}): string {
  const colors = palette(options.color ?? false);
  const width = Math.min(120, Math.max(60, options.width ?? 100));
  const sections = [verdictLines(report, colors, width)];
  if (!options.isQuiet) {
    const style: TraceStyle = { colors, width, sources: report.sources, mainFile: report.file };
    const violated = firstViolated(report);
    sections.push(propertyLines(report, colors, width));
    if (violated?.trace) sections.push(traceLines(report, violated, violated.trace, style, options));
    if (report.unreached?.length) sections.push(unreachedLines(report.unreached, style));
    sections.push(figureLines(report, colors));
    if (violated?.trace) sections.push([replayHint(report, violated.trace, options, colors)]);
  }
  return sections.map((lines) => lines.map((line) => `${line}\n`).join("")).join("\n");
}

/** The verdict as one sentence: what is said, by what, over what. */
export function verdictSentence(report: CheckReport): string {
  const verdict = overallVerdict(report);
  switch (verdict) {
    case "holds":
      return scopeSentence(report.scope);
    case "violated": {
      const { reason, trace } = firstViolated(report)!;
      return trace ? `${reason}, after ${counted(trace.length, "step")}` : reason;
    }
    case "unknown":
      return unknownSentence(report);
  }
}

export function scopeSentence(scope: Scope): string {
  const notes = scope.notes.length > 0 ? ` (${scope.notes.join("; ")})` : "";
  switch (scope.kind) {
    case "complete":
      return scope.by === "exhaustion"
        ? `every execution was explored${notes}`
        : `for every execution, by ${scope.by}${notes}`;
    case "bounded":
      return `for every execution within the bounds, by ${scope.by}${notes}`;
    case "probabilistic":
      return `nothing was found, but states may have been missed${notes}`;
    case "partial":
      return `only part of the executions was explored${notes}`;
  }
}

/** One line for a property that says what a `holds`, `violated` or `unknown` stands for. */
export const verdictColor = (verdict: VerdictKind, colors: Palette): ((text: string) => string) =>
  ({ holds: colors.good, violated: colors.bad, unknown: colors.warning })[verdict];

/** The command that shows the trace again, or undefined if its schedule is too long for a command line. */
export function replayCommand(
  report: CheckReport,
  trace: Narrative,
  traceFile: string | undefined,
): string | undefined {
  if (traceFile !== undefined) return `everypath replay ${quote(traceFile)}`;
  if (trace.schedule.length > 200) return undefined;
  return [
    "everypath replay",
    quote(trace.schedule),
    quote(report.file),
    ...report.modelOptions.map(quote),
  ].join(" ");
}

/** Each reason with the properties it is about, unless it is about all of them. */
function unknownSentence(report: CheckReport): string {
  const unknown = report.properties.filter((p) => p.verdict === "unknown");
  const reasons = [...new Set(unknown.map((p) => p.reason))];
  const about = (reason: string): string =>
    unknown
      .filter((p) => p.reason === reason)
      .map((p) => p.property.name)
      .join(", ");
  const sentence =
    reasons.length === 1 && unknown.length === report.properties.length
      ? reasons[0]!
      : reasons.map((reason) => `${about(reason)}: ${reason}`).join("; ");
  return report.accepted
    ? `${sentence} (accepted: --accept ${report.accepted})`
    : sentence || "nothing was checked";
}

function verdictLines(report: CheckReport, colors: Palette, width: number): string[] {
  const verdict = overallVerdict(report);
  const title = `${report.file}: ${verdict}`;
  const [first = "", ...more] = wrap(verdictSentence(report), Math.max(30, width - title.length - 2));
  const painted = `${colors.bold(report.file)}: ${colors.bold(verdictColor(verdict, colors)(verdict))}`;
  return [`${painted}: ${first}`, ...more.map((line) => `${" ".repeat(title.length + 2)}${line}`)];
}

function propertyLines(report: CheckReport, colors: Palette, width: number): string[] {
  const names = Math.min(30, Math.max(0, ...report.properties.map((p) => title(p).length)));
  const lines = [colors.bold("Properties")];
  for (const property of report.properties) {
    const { verdict, advice } = property;
    const [first = "", ...more] = wrap(details(property), width - names - 14);
    const margin = " ".repeat(names + 14);
    const name = clip(title(property), names).padEnd(names);
    lines.push(`  ${name}  ${verdictColor(verdict, colors)(verdict.padEnd(8))}  ${first}`.trimEnd());
    lines.push(...more.map((line) => `${margin}${line}`));
    if (advice)
      lines.push(...wrap(`try: ${advice}`, width - names - 14).map((line) => margin + colors.dim(line)));
  }
  if (report.unchecked.length > 0)
    lines.push(colors.dim(`  not checked: ${report.unchecked.map((p) => p.name).join(", ")}`));
  return lines;
}

function title({ property, fault }: PropertyReport): string {
  return fault && fault !== property.kind ? `${property.name} (${fault})` : property.name;
}

function details({ reason, verdict, violations }: PropertyReport): string {
  if (verdict !== "violated" || violations.length < 2) return reason;
  return `${reason} (the first of ${formatCount(violations.length)})`;
}

function traceLines(
  report: CheckReport,
  violated: PropertyReport,
  trace: Narrative,
  style: TraceStyle,
  options: TextOptions,
): string[] {
  const { colors } = style;
  const place = trace.fault >= 0 ? trace.steps.at(-1)?.sources[0] : undefined;
  return [
    `${colors.bold("Trace")}  ${counted(trace.length, "step")} to: ${violated.reason}`,
    ...renderSteps(trace, style, elision(report, trace, options)),
    ...(place ? ["", colors.bad(colors.bold(violated.reason)), ...renderPlace(place, style)] : []),
    "",
    colors.bold("State at the end"),
    ...renderState(trace.final, style),
  ];
}

function elision(report: CheckReport, trace: Narrative, options: TextOptions): Elision {
  const command = replayCommand(report, trace, options.traceFile);
  const advice =
    command === undefined ? "--trace FILE or --html FILE keeps them" : "the replay below shows all";
  return { longest: 60, first: 20, last: 30, advice };
}

function unreachedLines(unreached: readonly UnreachedPart[], style: TraceStyle): string[] {
  const { colors } = style;
  const lines = [`${colors.bold("Never executed")}  ${counted(unreached.length, "statement")}`];
  for (const owner of new Set(unreached.map((part) => part.owner))) {
    const parts = unreached.filter((part) => part.owner === owner);
    lines.push(`  ${colors.name(owner)}`);
    for (const { span, text } of parts.slice(0, 20))
      lines.push(`    ${colors.dim(renderPosition(span, style).padEnd(6))}  ${clip(visible(text), 60)}`);
    if (parts.length > 20) lines.push(colors.dim(`    … and ${formatCount(parts.length - 20)} more`));
  }
  return lines;
}

function figureLines({ stats, engine }: CheckReport, colors: Palette): string[] {
  const { states, transitions, depth, seconds, totalSeconds, peakBytes, bytesPerState } = stats;
  const rate = seconds > 0 ? ` (${formatRate(states / seconds)})` : "";
  const bytes = bytesPerState > 0 ? `, ${bytesPerState.toFixed(1)} bytes a state` : "";
  const counts = [
    counted(states, "state"),
    counted(transitions, "transition"),
    `depth ${formatCount(depth)}`,
  ];
  return [
    `${colors.bold("Figures")}  ${counts.join(", ")}`,
    `         ${formatSeconds(seconds)} searching${rate}, ${formatSeconds(totalSeconds)} in all`,
    `         ${formatBytes(peakBytes)} for states${bytes}; engine: ${engine}`,
  ];
}

function replayHint(report: CheckReport, trace: Narrative, options: TextOptions, colors: Palette): string {
  const command = replayCommand(report, trace, options.traceFile);
  if (command === undefined) return colors.dim("Again: add --trace FILE, then everypath replay FILE");
  return `${colors.dim("Again:")} ${command}`;
}

/** As a shell reads it. */
const quote = (argument: string): string =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
