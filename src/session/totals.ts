/** Several runs as one: what they may use together, and what they did. */
import type { Budget, Stats } from "../model/index.js";
import type { RunReport } from "../report/index.js";

/** What is left of a budget after so many states and so much time. */
export function remaining(budget: Budget, states: number, elapsedMs: number): Budget {
  return {
    ...budget,
    ...(budget.timeMs === undefined ? {} : { timeMs: Math.max(0, budget.timeMs - elapsedMs) }),
    ...(budget.maxStates === undefined ? {} : { maxStates: Math.max(0, budget.maxStates - states) }),
  };
}

/** Runs follow one another: memory and depth are those of the largest. */
export function total(all: readonly Stats[]): Stats {
  if (all.length === 1) return all[0]!;
  const sum = (field: Figure): number => all.reduce((n, stats) => n + stats[field], 0);
  const most = (field: Figure): number => Math.max(0, ...all.map((stats) => stats[field]));
  const partialOrder = all.find((stats) => stats.partialOrder)?.partialOrder;
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
    ...(partialOrder ? { partialOrder } : {}),
  };
}

/** Of the reductions that were used: partial order may have found nothing to put off, or a store that had no use for candidates. */
export const doneBy = ({ stats }: RunReport, used: readonly string[]): readonly string[] =>
  used.filter((name) => name !== "por" || (stats.partialOrder?.reduced ?? 0) > 0);

type Figure = Exclude<keyof Stats, "partialOrder" | "tableBytes" | "stateBytes">;
