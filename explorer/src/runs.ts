/** Queries over finished runs. */
import type { RunView } from "../../src/explorer/protocol.js";

export interface FoundTrace {
  readonly run: number;
  /** Index among the run's answers. */
  readonly property: number;
  readonly schedule: string;
}

/** The trace found last; with a mark, only of that text. */
export function newestTrace(runs: readonly RunView[], mark: string | undefined): FoundTrace | undefined {
  for (const { id, answer, mark: checked } of runs.toReversed()) {
    if (answer?.kind !== "report" || (mark !== undefined && mark !== checked)) continue;
    const property = answer.properties.findIndex(({ trace }) => trace);
    if (property >= 0) return { run: id, property, schedule: answer.properties[property]!.trace!.schedule };
  }
  return undefined;
}
