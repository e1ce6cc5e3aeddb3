/** Builds terms of transition systems with the engines: products are explored, quotients refined. */
import { ltsModel } from "../../compile/lts.js";
import { TermProblem, type TermTools } from "../../compile/lts-term.js";
import { exploreLts } from "../../engines/explicit/index.js";
import { partitioning, type MinimisingEquivalence } from "../../engines/lts/index.js";
import { TAU, type Lts } from "../../model/index.js";
import { nth } from "../../model/known.js";
import { determinise, prioritise, watching, whyNotDeterministic } from "../../transforms/lts/determinise.js";
import { actionsOf } from "./labels.js";

/** Parts that are built before the search, which has a budget. */
const MOST_STATES = 2_000_000;

export const termTools: TermTools = {
  build: async (network) => {
    const source = actionsOf(ltsModel(network), () => true);
    const { lts } = await exploreLts(source, { maxStates: MOST_STATES }, {});
    if (lts) return lts;
    throw new TermProblem("too-large", network.span, `'${network.name}' has more than ${MOST_STATES} states`);
  },
  minimise: (lts) => Promise.resolve(minimal(lts)),
  determinise,
  prioritise,
  whyNotDeterministic,
  watching,
};

function minimal(lts: Lts): Lts {
  const slices = partitioning(lts, relationFor(lts));
  while (slices.advance(Infinity));
  return slices.result().quotient;
}

/** Weak bisimilarity forgets endless internal work, and so makes deadlocks of it: a system that may diverge needs a finer relation. */
// sound: test/session/fsp.test.ts
const relationFor = (lts: Lts): MinimisingEquivalence => (mayDiverge(lts) ? "divergence-branching" : "weak");

/** Is there a cycle of τ? */
function mayDiverge({ states, firsts, actions, targets }: Lts): boolean {
  const entries = new Int32Array(states);
  for (let t = 0; t < targets.length; t++) if (actions[t] === TAU) entries[targets[t]]++;
  const free: number[] = [];
  for (let s = 0; s < states; s++) if (entries[s] === 0) free.push(s);
  for (let at = 0; at < free.length; at++)
    for (let s = nth(free, at), t = firsts[s]; t < firsts[s + 1]; t++)
      if (actions[t] === TAU && --entries[targets[t]] === 0) free.push(targets[t]);
  return free.length < states;
}
