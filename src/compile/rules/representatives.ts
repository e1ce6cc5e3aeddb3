/** Steps between representatives: what a search that uses symmetry sees, one step at a time and for people. */
import type { Explainer, Successors, System, Words } from "../../model/index.js";

export function betweenRepresentatives(
  steps: System & Explainer,
  canonicalise: (state: Words, at: number) => void,
): System & Explainer {
  return {
    width: steps.width,
    compareFrom: steps.compareFrom,
    hasRoot: true,
    initial: (out) => {
      steps.initial(out);
    },
    successors(state: Words, at: number, out: Successors): void {
      const first = out.count;
      steps.successors(state, at, out);
      for (let entry = first; entry < out.count; entry++)
        if (out.flags[entry] === 0) canonicalise(out.words, entry * out.stride);
    },
    status: (state, at) => steps.status(state, at),
    describe: (state, at, choice) => steps.describe(state, at, choice),
    snapshot: (state, at) => steps.snapshot(state, at),
    processes: (state, at) => steps.processes(state, at),
  };
}
