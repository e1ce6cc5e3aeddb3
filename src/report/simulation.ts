/** The words for random runs, and the union of their parts: processes, shards. */
import type { VerdictKind } from "../model/index.js";
import { counted } from "./figures.js";
import type { CheckReport, RunReport, SimulationFigures } from "./result.js";

export function simulationReason(kind: string, figures: SimulationFigures): string {
  const { runs, planned, steps } = figures;
  const made = runs < planned ? `${counted(runs, "run")} of ${planned}` : counted(runs, "run");
  const verb = kind === "cover" ? "reach" : "violate";
  return `${made} with ${counted(steps, "step")} did not ${verb} it`;
}

/** Figures of parts with the same seed. Distinct abstract states of different parts may be equal: the sum is no count. */
export function unionOfFigures(parts: readonly SimulationFigures[]): SimulationFigures {
  const [first] = parts;
  if (!first) throw new Error("there are no parts to unite");
  const sum = (of: (part: SimulationFigures) => number): number =>
    parts.reduce((total, part) => total + of(part), 0);
  const faults: Record<string, number> = {};
  for (const part of parts)
    for (const [kind, runs] of Object.entries(part.faults)) faults[kind] = (faults[kind] ?? 0) + runs;
  const failed = parts.flatMap((part) => part.failed ?? []).sort((a, b) => a.run - b.run);
  return {
    ...first,
    runs: sum(({ runs }) => runs),
    planned: sum(({ planned }) => planned),
    steps: sum(({ steps }) => steps),
    stepsPerRun: Math.max(...parts.map(({ stepsPerRun }) => stepsPerRun)),
    shard: parts.every(({ shard }) => shard?.index === first.shard?.index) ? first.shard : null,
    faults,
    guideStates: parts.length === 1 ? first.guideStates : mostOf(parts.map(({ guideStates }) => guideStates)),
    failed: failed[0] ?? null,
    processorSeconds: sum(({ processorSeconds }) => processorSeconds),
  };
}

/** A lower bound of the union. */
const mostOf = (counts: readonly (number | null)[]): number | null =>
  counts.every((count) => count === null) ? null : Math.max(...counts.map((count) => count ?? 0));

/** The report of processes that made parts of the same runs. */
export function unionOfReports(reports: readonly CheckReport[]): CheckReport {
  const byRun = [...reports].sort((a, b) => failedRun(a) - failedRun(b));
  const [first] = byRun;
  if (!first) throw new Error("there are no reports to unite");
  const figures = byRun.flatMap((report) => figuresOf(report) ?? []);
  // A file that is refused, or code without an answer: one report says why.
  const [bad] = byRun.filter((report) => !figuresOf(report));
  if (bad || figures.length === 0) return bad ?? first;
  const simulation = unionOfFigures(figures);
  const properties = unionOfProperties(
    byRun.map((report) => report.properties),
    (report) => ({ ...report, name: report.property.name, kind: report.property.kind }),
    simulation,
  );
  const stats = byRun
    .map((report) => report.stats)
    .reduce((a, b) => ({
      ...a,
      states: a.states + b.states,
      transitions: a.transitions + b.transitions,
      depth: Math.max(a.depth, b.depth),
      seconds: Math.max(a.seconds, b.seconds),
      totalSeconds: Math.max(a.totalSeconds, b.totalSeconds),
    }));
  const [run] = first.runs;
  return {
    ...first,
    properties,
    stats,
    runs: run ? [{ ...run, stats: { ...run.stats, ...withoutTotal(stats) }, simulation }] : [],
    accepted: byRun.every(({ accepted }) => accepted) ? first.accepted : undefined,
  };
}

const withoutTotal = ({
  states,
  transitions,
  depth,
  seconds,
}: CheckReport["stats"]): Partial<RunReport["stats"]> => ({
  states,
  transitions,
  depth,
  seconds,
});

export const figuresOf = ({ runs }: Pick<CheckReport, "runs">): SimulationFigures | undefined =>
  runs.find(({ simulation }) => simulation)?.simulation;

const failedRun = (report: CheckReport): number => figuresOf(report)?.failed?.run ?? Infinity;

interface Answer {
  readonly name: string;
  readonly kind: string;
  readonly verdict: VerdictKind;
}

/**
 * The answers of all parts to each question, in the order of the first failing run. Violated by the first part that
 * violates it, covered by any; the rest is unknown, whatever the parts say.
 */
export function unionOfProperties<P extends { readonly verdict: VerdictKind; readonly reason: string }>(
  parts: readonly (readonly P[])[],
  about: (property: P) => Answer,
  figures: SimulationFigures,
): P[] {
  const names = [...new Set(parts.flat().map((property) => about(property).name))];
  return names.map((name) => {
    const answers = parts.flat().filter((property) => about(property).name === name);
    const violated = answers.find(({ verdict }) => verdict === "violated");
    const [first] = answers as [P];
    const { kind } = about(first);
    const covered = kind === "cover" && answers.find(({ verdict }) => verdict === "holds");
    if (violated || covered) return violated ?? (covered as P);
    const open = answers.find(({ verdict }) => verdict === "unknown") ?? first;
    const isCounted = kind !== "ltl" && kind !== "agef";
    return isCounted ? { ...open, reason: simulationReason(kind, figures) } : open;
  });
}
