/** Combines runs: their shared budget, their statistics, their results. */
import type { Budget, Diagnostic, Stats, Verdict } from "../../model/index.js";
import { nth } from "../../model/known.js";
import { decidingRuns, type RunReport } from "../../report/index.js";
import type { EngineFinding, EngineResult } from "../contracts.js";

/** Subtracts used states and time from a budget. */
export function remaining(budget: Budget, states: number, elapsedMs: number): Budget {
  return {
    ...budget,
    ...(budget.timeMs === undefined ? {} : { timeMs: Math.max(0, budget.timeMs - elapsedMs) }),
    ...(budget.maxStates === undefined ? {} : { maxStates: Math.max(0, budget.maxStates - states) }),
  };
}

/** Sums consecutive runs; memory and depth are maxima. */
export function total(all: readonly Stats[]): Stats {
  if (all.length === 1) return nth(all, 0);
  const sum = (field: Figure): number => all.reduce((n, stats) => n + stats[field], 0);
  const most = (field: Figure): number => Math.max(0, ...all.map((stats) => stats[field]));
  const partialOrder = all.find((stats) => stats.partialOrder)?.partialOrder;
  // One solver serves all runs, and its figures accumulate.
  const solver = all.findLast((stats) => stats.solver)?.solver;
  const threads = Math.max(0, ...all.map((stats) => stats.threads ?? 0));
  const largest = all.find((stats) => stats.peakBytes === most("peakBytes"));
  return {
    states: sum("states"),
    transitions: sum("transitions"),
    depth: most("depth"),
    seconds: sum("seconds"),
    peakBytes: most("peakBytes"),
    bytesPerState: largest?.bytesPerState ?? 0,
    ...(largest?.tableBytes === undefined ? {} : { tableBytes: largest.tableBytes }),
    ...(largest?.stateBytes === undefined ? {} : { stateBytes: largest.stateBytes }),
    ...(largest?.backend === undefined ? {} : { backend: largest.backend }),
    ...(largest?.device === undefined ? {} : { device: largest.device }),
    ...(partialOrder ? { partialOrder } : {}),
    ...(threads > 0 ? { threads } : {}),
    ...(solver ? { solver } : {}),
  };
}

/** Omits reductions that proposed candidates but never reduced a state. */
export function doneBy(
  { stats }: RunReport,
  applied: readonly string[],
  proposing: readonly string[],
): readonly string[] {
  const isPutOff = (stats.partialOrder?.reduced ?? stats.reducedStates ?? 0) > 0;
  return applied.filter((name) => isPutOff || !proposing.includes(name));
}

type Figure = "states" | "transitions" | "depth" | "seconds" | "peakBytes" | "bytesPerState";

/** Length of a violation's trace. */
export const stepsOf = (verdict: Verdict): number =>
  (verdict.kind === "violated" ? verdict.trace?.choices.length : undefined) ?? Infinity;

/** Combines two results; the scope is as partial as the more partial one. */
export function joined(first: EngineResult, second: EngineResult): EngineResult {
  const runs = [...first.runs, ...second.runs];
  const { scope, end } = first.end === "complete" ? second : first;
  const proofs = [...(first.proofs ?? []), ...(second.proofs ?? [])];
  return {
    findings: [...first.findings, ...second.findings],
    scope: {
      ...scope,
      ...(end === "complete" ? { by: [...new Set([first.scope.by, second.scope.by])].join("; ") } : {}),
      notes: [...new Set([...first.scope.notes, ...second.scope.notes])],
    },
    end,
    runs,
    stats: total(decidingRuns({ runs }).map((run) => run.stats)),
    coversAll: first.coversAll,
    notices: distinct([...first.notices, ...second.notices]),
    ...(first.proofs || second.proofs ? { proofs } : {}),
  };
}

/** Removes repeated messages. */
export const distinct = (notices: readonly Diagnostic[]): Diagnostic[] =>
  notices.filter((notice, i) => notices.findIndex(({ message }) => message === notice.message) === i);

export const isDecisive = ({ verdict }: EngineFinding): boolean => verdict.kind !== "unknown";
