/** After the last level: merges the workers' records beside the states. */
import type { Model, PartialOrderStats, Stats } from "../../../model/index.js";
import type { Crew } from "./crew.js";

/** Notes coverage in the model; returns the reduction's statistics, if there is a reduction, and the backend of the loops. */
export async function finishWorkers(
  crew: Crew,
  model: Model,
): Promise<Pick<Stats, "partialOrder" | "backend">> {
  const { coverage, truncation } = model;
  let partialOrder: PartialOrderStats | undefined;
  let backend: Stats["backend"] = "webassembly";
  const requests = Array.from({ length: crew.size }, () => ({ kind: "finish" }) as const);
  for (const { reached, truncated, partialOrder: own, ...reply } of await crew.ask(requests, "finished")) {
    if (reply.backend !== "webassembly") backend = reply.backend;
    merge(coverage.reached, reached);
    if (truncation && truncated) merge(truncation.reached, truncated);
    partialOrder = partialOrder && own ? sumOf(partialOrder, own) : own;
  }
  return { backend, ...(partialOrder ? { partialOrder } : {}) };
}

const sumOf = (a: PartialOrderStats, b: PartialOrderStats): PartialOrderStats => ({
  proviso: a.proviso,
  reduced: a.reduced + b.reduced,
  fullByProviso: a.fullByProviso + b.fullByProviso,
  rejected: a.rejected + b.rejected,
});

function merge(into: Uint8Array, from: Uint8Array): void {
  from.forEach((byte, index) => {
    if (byte !== 0) into[index] = 1;
  });
}
