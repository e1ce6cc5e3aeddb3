/** Steps between representatives, as a search with symmetry reduction sees them, one step at a time and explained. */
import type { Explainer, ObservedSystem, Successors, Words } from "../../model/index.js";

export function betweenRepresentatives(
  steps: ObservedSystem & Explainer,
  canonicalise: (state: Words, at: number) => void,
): ObservedSystem & Explainer {
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
    valuation: (index, state, at) => steps.valuation(index, state, at),
    describe: (state, at, choice) => steps.describe(state, at, choice),
    snapshot: (state, at) => steps.snapshot(state, at),
    processes: (state, at) => steps.processes(state, at),
  };
}
