/** EC-1 and EC-2 on one random graph: every algorithm against the obvious answer. */
import { EMPTINESS_ALGORITHMS, flawOf, refusal } from "../../../src/engines/explicit/emptiness/index.js";
import { checkGraph } from "../../../bench/emptiness/check-graph.js";
import { asGraph, isObviouslyEmpty, type WrittenGraph } from "./graphs.js";

export function disagreements(written: WrittenGraph): string[] {
  const graph = asGraph(written);
  const isEmpty = isObviouslyEmpty(written);
  const wrong: string[] = [];
  for (const algorithm of EMPTINESS_ALGORITHMS) {
    if (refusal(algorithm, written.conditions, false) !== undefined) continue;
    const result = checkGraph(graph, algorithm);
    if (result.isEmpty !== isEmpty) wrong.push(`${algorithm}: empty is ${result.isEmpty}`);
    else if (!isEmpty) {
      const flaw = flawOf(graph, result.construct().lasso);
      if (flaw !== undefined) wrong.push(`${algorithm}: ${flaw}`);
    }
  }
  return wrong;
}
