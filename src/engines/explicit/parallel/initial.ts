/** The initial state: the coordinating thread looks at it itself, before there is a level for the workers. */
import { Entry, Successors, faultSite, type Model } from "../../../model/index.js";
import { InvariantWays } from "../monitor.js";
import type { SearchOptions } from "../search.js";
import type { Findings } from "./findings.js";

/** The initial state after a look at it; undefined if there is none. */
export function examineInitial(
  model: Model,
  options: SearchOptions,
  width: number,
  findings: Findings,
): Int32Array | undefined {
  const initial = new Successors(model.system.width);
  model.system.initial(initial);
  if (initial.count !== 1) throw new Error(`a system has one initial state, this one has ${initial.count}`);
  const words = new Int32Array(Math.max(width, initial.stride));
  words.set(initial.words.subarray(0, initial.stride));
  const flags = initial.flags[0]!;
  const site = faultSite(flags);
  if (site >= 0 && options.checksSite[site])
    findings.add({
      cause: { kind: "fault", site },
      path: { length: 0, state: () => words },
      stuckAt: undefined,
      occurrences: 1,
    });
  if ((flags & Entry.dead) !== 0) return undefined;
  const ways = new InvariantWays(model);
  for (const index of options.invariants)
    if (!model.holds(index, words, 0))
      findings.add({
        cause: ways.causeOf(index, words, 0),
        path: { length: 1, state: () => words },
        stuckAt: undefined,
        occurrences: 1,
      });
  return words;
}
