/** Explores and minimises groups of a composition with the engines for transition systems. */
import { ltsProduct, type LtsProduct } from "../../compile/lts.js";
import type { CompositionTools, ProductWalk } from "../../engines/compositional/index.js";
import { exploreLts } from "../../engines/explicit/index.js";
import { partitioning, type BasicEquivalence } from "../../engines/lts/index.js";
import { TAU, type Control, type Lts, type Words } from "../../model/index.js";
import { nth } from "../../model/known.js";
import { actionsOf } from "./labels.js";
import { firstWords } from "./refuting.js";
import { run } from "./slices.js";

export const compositionTools = (relation: BasicEquivalence, control: Control): CompositionTools => ({
  explore: async (network, budget) => {
    const product = ltsProduct(network);
    const { lts, stop, states } = await exploreLts(
      actionsOf(product.model, () => true),
      budget,
      control,
    );
    if (lts) return { lts, walk: walkOf(product) };
    return { stop: stop ?? "stopped", states };
  },
  minimise: async (lts, budget) => {
    const { result, stop } = await run(partitioning(failingAloud(lts), relation), budget, control);
    if (!result) return { stop: stop ?? "stopped" };
    return { blocks: result.blocks, quotient: failingQuietly(result.quotient) };
  },
});

const FAILING = "failing";

/**
 * A step into the error state ends the run, so it is never inert, even if it is internal: otherwise a state that fails inevitably would be
 * the error state itself.
 */
// sound: test/session/compositional.test.ts
function failingAloud(lts: Lts): Lts {
  if (lts.error < 0) return lts;
  const aloud = lts.labels.length;
  const actions = lts.actions.map((action, t) =>
    action === TAU && lts.targets[t] === lts.error ? aloud : action,
  );
  return { ...lts, labels: [...lts.labels, FAILING], actions };
}

function failingQuietly(lts: Lts): Lts {
  if (lts.error < 0) return lts;
  const aloud = lts.labels.length - 1;
  return {
    ...lts,
    labels: lts.labels.slice(0, aloud),
    actions: lts.actions.map((action) => (action === aloud ? TAU : action)),
  };
}

/** Steps as `exploreLts` numbers them: those that go on, then those that fail. */
function walkOf({ model, stepsOf }: LtsProduct): ProductWalk {
  const first = firstWords(model.steps);
  const starts = model.steps.hasRoot
    ? distinct(stepsOf(first, true).flatMap(({ words }) => (words ? [words] : [])))
    : [first];
  return {
    initial: (index) => nth(starts, index),
    steps: (words) => {
      const all = stepsOf(words, true).map(({ label, taken, words: next }) => ({
        label,
        taken,
        words: next,
      }));
      return [...all.filter((step) => step.words), ...all.filter((step) => !step.words)];
    },
  };
}

const distinct = (all: readonly Words[]): Words[] => [
  ...new Map(all.map((words) => [words.join(), words])).values(),
];
