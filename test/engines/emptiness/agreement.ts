/** EC-1 and EC-2 on one random graph: every algorithm, in every way it can be asked, against the obvious answer. */
import {
  EMPTINESS_ALGORITHMS,
  checkGraph,
  flawOf,
  refusal,
} from "../../../src/engines/explicit/emptiness/index.js";
import { asGraph, isObviouslyEmpty, type WrittenGraph } from "./graphs.js";

/** What is wrong; nothing if all agree. */
export function disagreements(written: WrittenGraph): string[] {
  const graph = asGraph(written);
  const isEmpty = isObviouslyEmpty(written);
  const wrong: string[] = [];
  for (const algorithm of EMPTINESS_ALGORITHMS) {
    if (refusal(algorithm, written.conditions, false) !== undefined) continue;
    for (const lookahead of [false, true]) {
      const result = checkGraph(graph, algorithm, { degeneralisation: { lookahead } });
      const name = `${algorithm}${lookahead ? " with lookahead" : ""}`;
      if (result.isEmpty !== isEmpty) wrong.push(`${name}: empty is ${result.isEmpty}`);
      else if (!isEmpty)
        for (const style of ["bfs", "from-stack"] as const) {
          const flaw = flawOf(graph, result.construct(style).lasso);
          if (flaw !== undefined) wrong.push(`${name}, run ${style}: ${flaw}`);
        }
    }
  }
  return wrong;
}
