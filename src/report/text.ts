/**
 * A check as text for a terminal: the verdict first, then the properties, the trace that
 * shows a violation, its final state, unreachable code, the figures, and advice.
 */
import { premiseText, type VerdictKind } from "../model/index.js";
import { visible } from "./diagnostics.js";
import { assumptionFsp } from "./lts-fsp.js";
import { counted, formatBytes, formatCount, formatRate, formatSeconds } from "./figures.js";
import type { Narrative } from "./narrative.js";
import { propertyReason, propertyTitle, replayCommand, verdictSentence } from "./sentences.js";
import { renderMurphiTrace, type MurphiTraceFormat } from "./murphi-trace.js";
import { palette, type Palette } from "./palette.js";
import { storeLines } from "./store-text.js";
import {
  decidingRuns,
  firstViolated,
  overallVerdict,
  type CheckReport,
  type PeerFigures,
  type PropertyReport,
  type RunReport,
  type UnreachedPart,
  type SimulationFigures,
} from "./result.js";
import { figuresOf } from "./simulation.js";
import {
  renderPlace,
  renderPosition,
  renderState,
  renderSteps,
  type Elision,
  type TraceStyle,
} from "./trace-text.js";
import { coverageLines } from "./coverage-text.js";
import { abstractLines } from "./abstract-drawing.js";
import { derivationLines } from "./derivation-text.js";
import { clip, wrap, wrapList } from "./wrap.js";
import { nth } from "../model/known.js";

export interface TextOptions {
  readonly color?: boolean;
  /** Columns of the page; between 60 and 120 are used. */
  readonly width?: number;
  /** The path of the trace file of `--trace`. */
  readonly traceFile?: string | undefined;
  /** Tell the trace as a tool of Murphi's would. */
  readonly traceFormat?: MurphiTraceFormat | undefined;
  /** The verdict line alone. */
  readonly isQuiet?: boolean;
}

export function renderCheck(report: CheckReport, options: TextOptions = {}): string {
  const colors = palette(options.color ?? false);
  const width = Math.min(120, Math.max(60, options.width || 100));
  const sections = [verdictLines(report, colors, options.isQuiet ? Infinity : width)];
  if (!options.isQuiet) {
    const style: TraceStyle = { colors, width, sources: report.sources, mainFile: report.file };
    const violated = firstViolated(report);
    sections.push(propertyLines(report, colors, width));
    for (const { abstraction } of report.properties)
      if (abstraction?.model)
        sections.push([
          `${colors.bold("Abstract states")}  ${abstraction.states.length} of the model '${abstraction.model}'`,
          ...abstractLines(abstraction),
        ]);
    if (violated?.derivation) sections.push(derivationLines(violated.derivation, style));
    if (violated?.trace && options.traceFormat)
      sections.push(renderMurphiTrace(violated.trace, violated, options.traceFormat));
    else if (violated?.trace) sections.push(traceLines(report, violated, violated.trace, style, options));
    const stuck = violated ? undefined : report.properties.find(({ trace }) => trace);
    if (stuck?.trace) sections.push(traceLines(report, stuck, stuck.trace, style, options));
    if (report.unreached?.length) sections.push(unreachedLines(report.unreached, style));
    if (report.coverage) sections.push(coverageLines(report.coverage, colors, width));
    if (report.stats.rumur) sections.push(ruleLines(report.stats.rumur, colors, width));
    sections.push(figureLines(report, colors));
    const stores = decidingRuns(report).flatMap(({ store }) =>
      store ? storeLines(store, colors, width) : [],
    );
    if (stores.length > 0) sections.push(stores);
    if (violated?.trace) sections.push(replayHints(report, options, colors));
    const others = otherErrors(report, colors, width);
    if (others.length > 0) sections.push(others);
  }
  return sections.map((lines) => lines.map((line) => `${line}\n`).join("")).join("\n");
}

const verdictColor = (verdict: VerdictKind, colors: Palette): ((text: string) => string) =>
  ({ holds: colors.good, violated: colors.bad, unknown: colors.warning })[verdict];

function verdictLines(report: CheckReport, colors: Palette, width: number): string[] {
  const verdict = overallVerdict(report);
  const title = `${report.file}: ${verdict}`;
  const [first = "", ...more] = wrap(
    visible(verdictSentence(report)),
    Math.max(30, width - title.length - 2),
  );
  const painted = `${colors.bold(report.file)}: ${colors.bold(verdictColor(verdict, colors)(verdict))}`;
  return [`${painted}: ${first}`, ...more.map((line) => `${" ".repeat(title.length + 2)}${line}`)];
}

function propertyLines(report: CheckReport, colors: Palette, width: number): string[] {
  const names = Math.min(30, Math.max(0, ...report.properties.map((p) => propertyTitle(p).length)));
  const lines = [colors.bold("Properties")];
  if (report.properties.length === 0) lines.push("  none to check");
  for (const group of sameAnswers(report.properties)) {
    const { advice } = nth(group, 0);
    const answer = wrap(visible(propertyReason(nth(group, 0))), width - names - 14);
    const hint = advice ? wrap(`try: ${advice}`, width - names - 14).map(colors.dim) : [];
    const texts = [...answer, ...hint];
    for (let i = 0; i < Math.max(group.length, texts.length); i++)
      lines.push(`  ${propertyCells(group[i], names, colors)}  ${texts[i] ?? ""}`.trimEnd());
  }
  if (report.unchecked.length > 0)
    lines.push(colors.dim(`  not checked: ${report.unchecked.map((p) => p.name).join(", ")}`));
  return lines;
}

function propertyCells(report: PropertyReport | undefined, width: number, colors: Palette): string {
  if (!report) return " ".repeat(width + 10);
  const name = clip(propertyTitle(report), width).padEnd(width);
  return `${name}  ${verdictColor(report.verdict, colors)(report.verdict)}${" ".repeat(8 - report.verdict.length)}`;
}

/** Neighbours that are unknown for the same reason share its text. */
function sameAnswers(properties: readonly PropertyReport[]): PropertyReport[][] {
  const groups: PropertyReport[][] = [];
  for (const property of properties) {
    const group = groups.at(-1);
    const isSame = (["verdict", "reason", "advice"] as const).every(
      (key) => group?.[0]?.[key] === property[key],
    );
    if (group && isSame && property.verdict === "unknown") group.push(property);
    else groups.push([property]);
  }
  return groups;
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
    `${colors.bold("Trace")}  ${traceLength(trace)}: ${visible(violated.reason)}${foundLength(violated)}`,
    ...renderSteps(trace, style, elision(report, trace, options)),
    ...(place ? ["", colors.bad(colors.bold(visible(violated.reason))), ...renderPlace(place, style)] : []),
    ...stateLines(trace, style),
  ];
}

/** Code whose states are not stored has none to show. */
function stateLines({ final }: Narrative, style: TraceStyle): string[] {
  const lines = renderState(final, style);
  return lines.length > 0 ? ["", style.colors.bold("State at the end"), ...lines] : [];
}

const foundLength = ({ foundSteps }: PropertyReport): string =>
  foundSteps === undefined ? "" : ` (found with ${foundSteps} steps, and made shorter)`;

function traceLength({ length, loopStart }: Narrative): string {
  if (loopStart === undefined) return `${counted(length, "step")} to`;
  const loop = length - loopStart;
  const before = counted(loopStart, "step");
  return loop === 0 ? `${before}, then the end` : `${before}, then a loop of ${loop}`;
}

function elision(report: CheckReport, trace: Narrative, options: TextOptions): Elision {
  const command = replayCommand(report, trace, options.traceFile);
  const advice =
    command === undefined ? "--trace FILE or --html FILE keeps them" : "the replay below shows all";
  return { longest: 60, first: 20, last: 30, advice };
}

/** Number of firings of each rule. */
function ruleLines(
  { rulesFired, rules }: NonNullable<PeerFigures["rumur"]>,
  colors: Palette,
  width: number,
): string[] {
  const shown = rules.map(({ name, fired }) => `${visible(name)} ${formatCount(fired)}`);
  return [
    `${colors.bold("Rules fired")}  ${formatCount(rulesFired)}`,
    ...wrapList(shown, width - 2).map((line) => `  ${line}`),
  ];
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

/** Automaton and algorithm of each temporal property. */
const automatonLines = (report: CheckReport): string[] =>
  decidingRuns(report).flatMap(({ properties, automaton, method, fairness }) => {
    if (!automaton) return [];
    const size = `${counted(automaton.states, "state")}, ${counted(automaton.edges, "edge")}`;
    const fair = fairness ? `, ${fairness} fairness` : "";
    return [`         automaton of ${properties.join(", ")}: ${size}; searched by ${method ?? ""}${fair}`];
  });

/** Results for each `k`, if there were several. */
const countingLines = (report: CheckReport): string[] => {
  const counted = decidingRuns(report).flatMap(({ counting, ...run }) =>
    counting ? [{ ...run, counting }] : [],
  );
  if (counted.length < 2) return [];
  return counted.map(({ properties, counting, stats }) => {
    const { k, direction, outcome } = counting;
    const states = `${formatCount(stats.states)} states, ${formatCount(stats.transitions)} transitions`;
    return `         ${properties.join(", ")}, k = ${k}, ${direction}-approximation: ${states}: ${outcome}`;
  });
};

/** Sizes of the graphs of a composition: the last groups, and the largest. */
const compositionLines = (report: CheckReport): string[] =>
  decidingRuns(report).flatMap(({ properties, composition, method }) => {
    if (!composition || composition.length === 0) return [];
    const size = (states: number, transitions: number): string =>
      `${formatCount(states)}/${formatCount(transitions)}`;
    const lines = composition.map(
      ({ name, states, transitions, minimal, exported }) =>
        `           ${visible(name)}: ${size(states, transitions)} -> ${size(minimal.states, minimal.transitions)}, ${counted(exported, "action")}`,
    );
    const shown =
      lines.length <= MOST_STEPS
        ? lines
        : [`           … ${lines.length - MOST_STEPS} earlier graphs`, ...lines.slice(-MOST_STEPS)];
    return [`         ${properties.map(visible).join(", ")}: ${method ?? ""}`, ...shown];
  });

/** Assumptions and premises of a proof, or the figures of learners that found a violation. */
const learningLines = (report: CheckReport): string[] =>
  decidingRuns(report).flatMap(({ properties, learning }) => {
    if (!learning) return [];
    const { rule, candidates, queries, largest, assumptions, premises } = learning;
    const [name = ""] = properties;
    const figures = [
      counted(candidates, "candidate"),
      counted(queries, "membership query", "membership queries"),
      `largest graph ${counted(largest, "state")}`,
    ];
    return [
      `         ${visible(name)}, rule ${rule}: ${figures.join(", ")}`,
      ...premises.map((premise) => `           ${visible(premiseText(premise, { name }))}`),
      ...assumptions.flatMap((assumption) =>
        assumptionFsp(assumption)
          .slice(0, MOST_STEPS)
          .map((line) => `           ${visible(line)}`),
      ),
    ];
  });

const MOST_STEPS = 12;

/** Of code whose states are not stored. */
function scheduleFigures({ stats, engine, runs }: CheckReport, schedules: number, colors: Palette): string[] {
  const { depth, seconds, totalSeconds } = stats;
  const reductions = [...new Set(runs.flatMap((run) => run.reductions))];
  return [
    `${colors.bold("Figures")}  ${counted(schedules, "schedule")}, up to ${counted(depth, "turn")}`,
    `         ${formatSeconds(seconds)} searching, ${formatSeconds(totalSeconds)} total; engine: ${engine}`,
    ...(reductions.length > 0 ? [`         reduced by ${reductions.join(", ")}`] : []),
  ];
}

/** Of random runs. */
function simulationFigures(
  { stats, engine }: CheckReport,
  figures: SimulationFigures,
  colors: Palette,
): string[] {
  const { runs, steps, seed, faults, guideStates, failed, shard, processorSeconds } = figures;
  const part = shard ? `, shard ${shard.index}/${shard.of}` : "";
  const mixes = Object.entries(faults).map(([kind, count]) => `${kind} ${formatCount(count)}`);
  const rate = (n: number): string => formatCount(Math.round(n / processorSeconds));
  return [
    `${colors.bold("Figures")}  ${counted(runs, "run")}, ${counted(steps, "step")}, up to ${formatCount(stats.depth)} in a run; --seed ${seed}${part}`,
    `         ${formatSeconds(processorSeconds)} of processor time (${rate(runs)} runs/s, ${rate(steps)} steps/s); engine: ${engine}`,
    ...(mixes.length > 0 ? [`         runs with each fault: ${mixes.join(", ")}`] : []),
    ...(guideStates === null ? [] : [`         ${counted(guideStates, "abstract state")} by the guide`]),
    ...(failed ? [`         run ${failed.run} failed after ${counted(failed.steps, "step")}`] : []),
  ];
}

function figureLines(report: CheckReport, colors: Palette): string[] {
  const { stats, engine, runs } = report;
  const simulation = figuresOf(report);
  if (simulation) return simulationFigures(report, simulation, colors);
  if (stats.schedules !== undefined) return scheduleFigures(report, stats.schedules, colors);
  const { states, transitions, depth, seconds, totalSeconds, peakBytes, bytesPerState } = stats;
  const rate = seconds > 0 ? ` (${formatRate(states / seconds)})` : "";
  const bytes = bytesPerState > 0 ? `, ${bytesPerState.toFixed(1)} bytes per state` : "";
  const reductions = [...new Set(runs.flatMap((run) => run.reductions))];
  const counts = [
    counted(states, "state"),
    counted(transitions, "transition"),
    `depth ${formatCount(depth)}`,
  ];
  return [
    `${colors.bold("Figures")}  ${counts.join(", ")}`,
    `         ${formatSeconds(seconds)} searching${rate}, ${formatSeconds(totalSeconds)} total`,
    `         ${formatBytes(peakBytes)} for states${bytes}; engine: ${engine}`,
    ...automatonLines(report),
    ...countingLines(report),
    ...compositionLines(report),
    ...learningLines(report),
    ...abandonedLines(runs),
    ...probeLines(runs),
    ...(reductions.length > 0 ? [`         reduced by ${reductions.join(", ")}`] : []),
  ];
}

/** Searches of the whole system that reductions took over. */
const abandonedLines = (runs: readonly RunReport[]): string[] =>
  runs
    .filter(({ isAbandoned }) => isAbandoned)
    .map(({ properties, stats }) => {
      const size = `${counted(stats.states, "state")} and ${formatSeconds(stats.seconds)}`;
      return `         whole system abandoned after ${size}: ${properties.join(", ")}`;
    });

const probeLines = (runs: readonly RunReport[]): string[] =>
  runs
    .filter(({ isProbe }) => isProbe)
    .map(
      ({ stats: { states, depth } }) =>
        `         then depth-first: ${counted(states, "state")}, depth ${formatCount(depth)}`,
    );

/** A command for each violated property: only the first trace is shown above. */
function replayHints(report: CheckReport, options: TextOptions, colors: Palette): string[] {
  const violated = report.properties.flatMap((property) =>
    property.trace ? [{ property, trace: property.trace }] : [],
  );
  const lines = violated.map(({ property, trace }, index) => {
    const file = index === 0 ? options.traceFile : undefined;
    const name = violated.length > 1 ? ` (${propertyTitle(property)})` : "";
    const command = replayCommand(report, trace, file);
    return `${colors.dim(`Again${name}:`)} ${command ?? colors.dim("add --trace FILE, then everypath replay FILE")}`;
  });
  return lines;
}

/** Further errors of a property under `--errors`: a line each, with the command that replays it. */
function otherErrors(report: CheckReport, colors: Palette, width: number): string[] {
  const lines = report.properties.flatMap((property) => {
    const others = property.violations.slice(1);
    const left = others.length - MOST_OTHERS;
    const listed = others.slice(0, MOST_OTHERS).flatMap((violation) => {
      const text = `${propertyTitle(property)}: ${violation.reason}, after ${counted(violation.steps, "step")}`;
      const command = replayCommand(report, violation, undefined);
      return [
        ...wrap(visible(text), width - 2).map((line) => `  ${line}`),
        ...(command ? [`    ${command}`] : []),
      ];
    });
    return left > 0 ? [...listed, `  ${propertyTitle(property)}: ${left} more, which --json lists`] : listed;
  });
  return lines.length > 0 ? [colors.bold("Other errors"), ...lines] : [];
}

const MOST_OTHERS = 10;
