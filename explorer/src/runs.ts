/** What can be asked of the runs there were. */
import type { RunView } from "../../src/explorer/protocol.js";

export interface FoundTrace {
  readonly run: number;
  /** Position among the answers of the run. */
  readonly property: number;
  readonly schedule: string;
}

/** The trace that was found last; with a mark, only if it is of that text. */
export function newestTrace(runs: readonly RunView[], mark: string | undefined): FoundTrace | undefined {
  for (const { id, answer, mark: checked } of runs.toReversed()) {
    if (answer?.kind !== "report" || (mark !== undefined && mark !== checked)) continue;
    const property = answer.properties.findIndex(({ trace }) => trace);
    if (property >= 0) return { run: id, property, schedule: answer.properties[property]!.trace!.schedule };
  }
  return undefined;
}
