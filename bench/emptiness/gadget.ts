/** Figure 4 of the paper: q7 -> q8 -> q9 -> q7, and then from q9 a large subgraph. */
import type { AcceptanceGraph } from "../../src/model/index.js";

/** States 0, 1 and 2 are q7, q8 and q9; the subgraph is a chain of `size` states. `accepting`: the accepting arc. */
export const subgraphGadget = (size: number, accepting: 1 | 2 | 3): AcceptanceGraph => ({
  conditions: 1,
  initial: 0,
  successors(state, out) {
    out.count = 0;
    if (state < 3) out.add((state + 1) % 3, accepting === state + 1 ? 1 : 0);
    if (state === 2 && size > 0) out.add(3, 0);
    if (state >= 3 && state < size + 2) out.add(state + 1, 0);
  },
});
