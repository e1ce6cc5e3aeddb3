/** Symmetry reduction for systems of nodes: searches one representative per orbit of interchangeable nodes. */
import type { Reduced } from "../../model/index.js";
import type { SystemModel } from "./model.js";
import { Representatives } from "./representatives.js";
import { groupsOf, whyAsymmetric } from "./symmetry.js";
import { nth } from "../../model/known.js";

export function symmetryReduction(model: SystemModel): Reduced {
  const representatives = new Representatives(model);
  return {
    model: representatives.model,
    names: ["symmetry"],
    concretise: (trace) => representatives.concretise(trace),
    keepsLengths: true,
    notes: () =>
      groupsOf(model.summary).map(
        (group) =>
          `declared to be alike: ${group.join(", ")} (${representatives.compared} states compared with their representatives)`,
      ),
    transferCoverage: () => undefined,
  };
}

/** Reason why symmetry does not apply; undefined: none is known before the nodes run. */
export function whyNotSymmetric({ nodes, summary }: SystemModel): string | undefined {
  const replayed = summary.nodes.filter((_, node) => nth(nodes, node).mode === "replay");
  return replayed.length > 0
    ? `states of nodes that are replayed cannot be renamed: ${replayed.join(", ")}`
    : whyAsymmetric(summary);
}
